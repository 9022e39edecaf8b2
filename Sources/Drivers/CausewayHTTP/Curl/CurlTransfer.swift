#if canImport(CCurl)
  import CCurl
  import CausewayNetwork
  import Foundation

  /// One request with its response, up to the next redirect.
  ///
  /// Used only on the thread of its loop.
  final class CurlTransfer {
    /// The largest redirect body that is read in order to keep the connection, in bytes.
    private static let redirectBodyLimit = 64 << 10

    let id: Int
    let easy: UnsafeMutableRawPointer
    let redirectCount: Int
    private(set) weak var exchange: Exchange?
    /// The redirected request, which starts when this transfer has ended.
    private(set) var next: WireRequest?
    let request: WireRequest
    private let body: CurlBody?
    private var packedBody: PackedBody?
    private let fields: CurlFields
    private let message = CurlErrorBuffer()
    private var head = ResponseHead()
    private var failure: NetworkError?
    private var sendCount = 0
    /// Whether the transfer still waits for a connection.
    var isWaiting: Bool { sendCount == 0 }
    private var skippedCount = 0
    /// Whether the body is skipped, because it cannot be unpacked and the response is an error.
    private var skipsBody = false

    /// Makes a transfer without starting it.
    init(
      id: Int, request: WireRequest, exchange: Exchange, redirectCount: Int, authorities: String?
    ) throws(NetworkError) {
      body = try CurlBody(request)
      guard let easy = curl_easy_init() else {
        throw NetworkError(.other, message: "libcurl could not make a request")
      }
      self.id = id
      self.easy = easy
      self.request = request
      self.exchange = exchange
      self.redirectCount = redirectCount
      fields = CurlFields(request.headers)
      let context = Unmanaged.passUnretained(self).toOpaque()
      var options = CurlOptions(easy)
      options.set(request, bodyCount: body?.count, fields: fields.list)
      options.trust(authorities)
      options.set(context: context, message: message.buffer)
      if let code = options.failure {
        // The deinitialiser frees the handle.
        throw NetworkError(
          .invalidRequest,
          message: "libcurl cannot send it: \(String(cString: curl_easy_strerror(code)))")
      }
    }

    deinit {
      curl_easy_cleanup(easy)
    }

    /// Returns the transfer of a callback's context.
    static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
      Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Makes libcurl deliver the refused bytes again.
    ///
    /// - Returns: An error if libcurl cannot deliver them.
    func resume() -> CURLcode? {
      let code = curl_easy_pause(easy, CURLPAUSE_CONT)
      return code == CURLE_OK ? nil : code
    }

    /// Returns the error of the transfer; `nil` if the response is complete.
    func error(_ code: CURLcode) -> NetworkError? {
      if let failure { return failure }
      if skipsBody { return nil }
      if code == CURLE_OK {
        guard packedBody?.isCutOff == true else { return nil }
        return NetworkError(
          .connectionLost, message: "the packed body ends before everything was unpacked")
      }
      return NetworkError(
        libcurl: code.rawValue, detail: message.text, systemError: causeway_curl_system_error(easy),
        hasHead: head.isComplete)
    }

    // Callbacks of libcurl. A result of false ends the transfer.

    /// Called before the request is sent, and before it is sent again.
    ///
    /// If the server closes a reused connection without a response, libcurl sends the request
    /// again. But the server may already have processed the first request.
    func willSend() -> Bool {
      sendCount += 1
      guard sendCount > 1, !request.isRepeatable else { return true }
      failure = NetworkError(
        .connectionLost,
        message: "the server closed a kept connection without an answer; if the request is sent "
          + "again, it may take effect twice")
      return false
    }

    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
      guard let exchange else { return false }
      switch head.read(line) {
      case .more:
        return true
      case .interim:
        exchange.didMove()
        return true
      case .tooLarge:
        failure = NetworkError(
          .tooLarge, message: "the header fields are larger than \(head.limit) bytes")
        return false
      case .malformed(let reason):
        failure = NetworkError(.malformed, message: reason)
        return false
      case .complete(let response, let length):
        do throws(RedirectRule.Refusal) {
          next = try exchange.redirects.next(after: response, to: request, count: redirectCount)
        } catch {
          failure = NetworkError(.redirect, message: error.reason, status: response.status)
          return false
        }
        if next != nil { return true }
        do throws(NetworkError) {
          // The body of an error response is never paused, so it may always be packed.
          let isRefusal = !(200..<300).contains(response.status)
          let hasBody = request.method != .head && ![204, 304].contains(response.status)
          packedBody = try PackedBody(
            encoding: hasBody ? response.headers["content-encoding"] : nil,
            isRequested: request.acceptsCompression || isRefusal)
        } catch {
          // The status and `Retry-After` of an error response are more useful than its body.
          guard !(200..<300).contains(response.status) else {
            failure = error
            return false
          }
          skipsBody = true
          return exchange.didReceive(response, expecting: nil) != .cancel
        }
        return exchange.didReceive(response, expecting: length) != .cancel
      }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> ExchangeState.Command {
      guard next == nil else {
        skippedCount += bytes.count
        return skippedCount > Self.redirectBodyLimit ? .cancel : .proceed
      }
      guard let exchange else { return .cancel }
      if skipsBody {
        // A long body is not read to its end. The exchange has the whole response already.
        skippedCount += bytes.count
        return skippedCount > Self.redirectBodyLimit ? .cancel : .proceed
      }
      guard let packedBody else { return exchange.didReceive(bytes) }
      do throws(NetworkError) {
        return try packedBody.unpack(bytes) { exchange.didReceive($0) }
      } catch {
        failure = error
        return .cancel
      }
    }

    /// Fills a buffer with the next part of the body; `nil` ends the transfer.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      guard let body, let exchange else { return nil }
      do throws(NetworkError) {
        let count = try body.read(into: buffer)
        if count > 0 { exchange.didSend(body.offset, of: body.count) }
        return count
      } catch {
        failure = error
        return nil
      }
    }

    func seek(to offset: Int) -> Bool {
      body?.seek(to: offset) ?? false
    }
  }
#endif
