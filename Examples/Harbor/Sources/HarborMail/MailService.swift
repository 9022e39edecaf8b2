public import Foundation
import Synchronization

#if canImport(CMailCurl)
  import CMailCurl
#endif

/// Sends mails to a mail server over SMTP.
///
/// ```swift
/// let mail = MailService(
///   server: try MailServer("smtp://board@mail.example:587"),
///   sender: try MailAddress("board@example.org"))
/// try await mail.send(MailMessage(to: address, subject: "Moved", text: "The row is at seven."))
/// ```
///
/// The connection uses TLS and checks the certificate, except to a server on this machine. Its
/// functions may be called from any isolation. It uses libcurl, which only Linux has.
public struct MailService: Sendable {
  private let server: MailServer
  private let sender: MailAddress
  private let timeout: Duration
  private let now: @Sendable () -> Date

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - server: The mail server.
  ///   - sender: The address of the sender.
  ///   - timeout: The longest time for a mail.
  ///   - now: Returns the current date, for the mails.
  public init(
    server: MailServer, sender: MailAddress, timeout: Duration = .seconds(30),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.server = server
    self.sender = sender
    self.timeout = timeout
    self.now = now
  }

  /// Sends a mail; returns when the server has accepted it.
  ///
  /// If the connection is lost at the end, the server may have accepted the mail without an answer.
  /// Another attempt can then send the mail twice.
  ///
  /// - Throws: ``MailError``; ``MailError/cancelled`` within a second after the task was cancelled.
  public func send(_ message: MailMessage) async throws(MailError) {
    #if canImport(CMailCurl)
      let bytes = message.encoded(
        from: sender, id: UUID().uuidString.lowercased(), at: now())
      let transfer = MailTransfer(bytes)
      let (server, sender, timeout) = (server, sender, timeout)
      let failure = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // libcurl blocks the thread until the server has answered or the time is over.
          let thread = Thread {
            continuation.resume(
              returning: transfer.perform(server, from: sender, to: message.recipient, timeout))
          }
          thread.stackSize = 512 << 10
          thread.start()
        }
      } onCancel: {
        transfer.cancel()
      }
      if let failure { throw failure }
    #else
      throw .unavailable
    #endif
  }
}

#if canImport(CMailCurl)
  /// The bytes of a mail on their way; used by the thread that sends it.
  private final class MailTransfer: Sendable {
    private let bytes: [UInt8]
    private let position = Mutex(0)
    private let isCancelled = Atomic(false)

    /// The file of trusted certificates that an environment variable names, as for `HTTPNetworkService`.
    private static let authorities = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
      .flatMap { $0.isEmpty ? nil : $0 }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    static func of(_ context: UnsafeMutableRawPointer) -> MailTransfer {
      Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    var shallStop: Bool { isCancelled.load(ordering: .relaxed) }

    /// Copies the next bytes of the mail.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      position.withLock { position in
        let part = bytes[position..<min(position + buffer.count, bytes.count)]
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
      }
    }

    /// Sends the mail, and returns the reason of a failure.
    func perform(
      _ server: MailServer, from sender: MailAddress, to recipient: MailAddress,
      _ timeout: Duration
    ) -> MailError? {
      // Without this, a write to a connection that the server has closed would end the process.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard let easy = curl_easy_init() else { return .unavailable }
      defer { curl_easy_cleanup(easy) }
      let recipients = curl_slist_append(nil, "<\(recipient)>")
      defer { curl_slist_free_all(recipients) }
      var failed = CURLE_OK
      func check(_ code: CURLcode) { if failed == CURLE_OK { failed = code } }
      func set(_ option: CURLoption, _ value: Int) {
        check(harbor_curl_set_number(easy, option, value))
      }
      func set(_ option: CURLoption, _ value: String) {
        check(harbor_curl_set_text(easy, option, value))
      }
      check(harbor_curl_allow_mail_only(easy))
      set(CURLOPT_URL, server.description)
      set(
        CURLOPT_USE_SSL, Int((server.requiresTLS ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue))
      set(CURLOPT_SSL_VERIFYPEER, server.requiresTLS ? 1 : 0)
      set(CURLOPT_SSL_VERIFYHOST, server.requiresTLS ? 2 : 0)
      if let authorities = Self.authorities { set(CURLOPT_CAINFO, authorities) }
      if let user = server.user {
        set(CURLOPT_USERNAME, user)
        set(CURLOPT_PASSWORD, server.password ?? "")
      }
      // An environment variable can name a proxy, but such a proxy is for the web only.
      set(CURLOPT_PROXY, "")
      set(CURLOPT_MAIL_FROM, "<\(sender)>")
      check(harbor_curl_set_pointer(easy, CURLOPT_MAIL_RCPT, recipients))
      set(CURLOPT_UPLOAD, 1)
      check(harbor_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes.count)))
      // A day at most: libcurl adds its own times to it.
      let limit = min(max(timeout / .milliseconds(1), 1), 86_400_000)
      let milliseconds = Int(exactly: limit.rounded()) ?? 86_400_000
      set(CURLOPT_TIMEOUT_MS, milliseconds)
      set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
      set(CURLOPT_NOSIGNAL, 1)
      harbor_curl_leave_resolver_alone(easy)
      let context = Unmanaged.passUnretained(self).toOpaque()
      check(harbor_curl_set_pointer(easy, CURLOPT_READDATA, context))
      check(harbor_curl_set_bytes_function(easy, CURLOPT_READFUNCTION, readMail))
      check(harbor_curl_set_progress_function(easy, mailShallStop, context))
      let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
      defer { message.deallocate() }
      message.pointee = 0
      check(harbor_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message))
      guard failed == CURLE_OK else { return .unavailable }
      let code = withExtendedLifetime(self) { curl_easy_perform(easy) }
      return error(code, status: harbor_curl_response_code(easy), String(cString: message))
    }

    /// Whether the server has refused this mail, and not the sender or the connection.
    ///
    /// libcurl names the command that was refused in its text. 530, 534, 535 and 538 are about the
    /// sign-in (RFC 4954), and 554 for a recipient is about the sender, too.
    private func isAboutMail(_ status: Int, _ detail: String) -> Bool {
      if position.withLock({ $0 > 0 }) { return true }
      let isAboutSender = [530, 534, 535, 538, 554].contains(status)
      return !isAboutSender && (detail.hasPrefix("RCPT") || detail.hasPrefix("DATA"))
    }

    private func error(_ code: CURLcode, status: Int, _ detail: String) -> MailError? {
      let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
      return switch code {
      case CURLE_OK: nil
      case CURLE_ABORTED_BY_CALLBACK: .cancelled
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_LOGIN_DENIED: .notSignedIn
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
        CURLE_SSL_CACERT_BADFILE:
        .insecure(reason: reason)
      case _ where (500..<600).contains(status) && isAboutMail(status, detail):
        .refused(code: status)
      case _ where (400..<600).contains(status): .later(code: status)
      default: .unreachable(reason: reason)
      }
    }
  }

  // Callbacks of libcurl, which run on the thread of the transfer.

  private func readMail(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return MailTransfer.of(context)
      .read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  /// libcurl calls it about once in a second.
  private func mailShallStop(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
  ) -> Int32 {
    context.map { MailTransfer.of($0).shallStop } == true ? 1 : 0
  }
#endif
