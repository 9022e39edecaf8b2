#if canImport(CCurl)
  import CCurl
  import CausewayNetwork
  import CausewaySystem
  import Foundation

  /// Sets the options of a libcurl request, and keeps the first error.
  struct CurlOptions {
    private let easy: UnsafeMutableRawPointer
    private(set) var failure: CURLcode?

    init(_ easy: UnsafeMutableRawPointer) {
      self.easy = easy
    }

    /// The file of trusted certificates that an environment variable names.
    ///
    /// It replaces the system's certificates.
    ///
    /// Other programs with OpenSSL use the same variable.
    static let authorities = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
      .flatMap { $0.isEmpty ? nil : $0 }

    private static let userAgent = "CausewayHTTP"
    /// A time limit for libcurl that is too long to have an effect, in milliseconds.
    ///
    /// The watchdog implements timeouts, with a clock that tests can control.
    private static let never = 7 * 24 * 3600 * 1000

    /// Sets the address, the header fields, the body and the protocol.
    mutating func set(
      _ request: WireRequest, bodyCount: Int?, fields: UnsafeMutablePointer<curl_slist>?
    ) {
      check(causeway_curl_allow_web_only(easy))
      set(CURLOPT_URL, request.url.absoluteString)
      // The address is sent unchanged, because the service has checked it in this form.
      set(CURLOPT_PATH_AS_IS, 1)
      set(CURLOPT_HTTPHEADER, fields)
      set(CURLOPT_USERAGENT, Self.userAgent)
      if request.method == .head {
        set(CURLOPT_NOBODY, 1)
      } else {
        if let bodyCount {
          set(CURLOPT_UPLOAD, 1)
          check(
            causeway_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(bodyCount)))
        }
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      }
      set(
        CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? PackedBody.encodings : "identity")
      // The transfer unpacks the body itself, to detect truncated bodies.
      set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      // Some of these options are libcurl's defaults. They are set explicitly because the service
      // relies on them.
      set(CURLOPT_FOLLOWLOCATION, 0)
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      set(CURLOPT_NOSIGNAL, 1)
      set(CURLOPT_CONNECTTIMEOUT_MS, Self.never)
      causeway_curl_leave_resolver_alone(easy)
    }

    /// Enables the check of certificates, against the given file or the system's certificates.
    mutating func trust(_ authorities: String?) {
      set(CURLOPT_SSL_VERIFYPEER, 1)
      set(CURLOPT_SSL_VERIFYHOST, 2)
      if let authorities { set(CURLOPT_CAINFO, authorities) }
    }

    /// Sets the callbacks and their context.
    mutating func set(
      context: UnsafeMutableRawPointer, message: UnsafeMutablePointer<CChar>
    ) {
      set(CURLOPT_PRIVATE, context)
      set(CURLOPT_ERRORBUFFER, message)
      set(CURLOPT_HEADERDATA, context)
      set(CURLOPT_WRITEDATA, context)
      set(CURLOPT_READDATA, context)
      set(CURLOPT_SEEKDATA, context)
      check(causeway_curl_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, receiveLine))
      check(causeway_curl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, receiveBytes))
      check(causeway_curl_set_bytes_function(easy, CURLOPT_READFUNCTION, sendBytes))
      check(causeway_curl_set_seek_function(easy, seekBody))
      check(causeway_curl_set_send_function(easy, willSend, context))
    }

    private mutating func set(_ option: CURLoption, _ value: Int) {
      check(causeway_curl_set_number(easy, option, value))
    }

    private mutating func set(_ option: CURLoption, _ value: String) {
      check(causeway_curl_set_text(easy, option, value))
    }

    private mutating func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
      check(causeway_curl_set_pointer(easy, option, value))
    }

    private mutating func check(_ code: CURLcode) {
      if code != CURLE_OK, failure == nil { failure = code }
    }
  }

  // Callbacks of libcurl, which run on the thread of the loop. The context is the transfer.

  private func receiveLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.of(context).receiveLine(line) ? line.count : 0
  }

  private func receiveBytes(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context else { return 0 }
    let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch CurlTransfer.of(context).receive(part) {
    case .proceed, .write: part.count
    case .pause: Int(CURL_WRITEFUNC_PAUSE)
    case .cancel: 0
    }
  }

  private func sendBytes(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.of(context).send(into: buffer) ?? Int(CURL_READFUNC_ABORT)
  }

  private func seekBody(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
  ) -> Int32 {
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    return CurlTransfer.of(context).seek(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
  }

  private func willSend(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
  ) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    return CurlTransfer.of(context).willSend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }
#endif
