/// The reason why a mail was not sent.
public enum MailError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not the address of a mailbox.
  case badAddress(String)
  /// The text is not the address of a mail server.
  case badServer
  /// The mail server refuses this mail, and would refuse it again. The code is from SMTP.
  case refused(code: Int)
  /// The mail server asks to send the mail later. Or it refuses the sender or all mails, and its
  /// operator can change that. The code is from SMTP.
  case later(code: Int)
  /// The mail server refuses the name and the password.
  case notSignedIn
  /// No encrypted connection could be made.
  case insecure(reason: String)
  /// The mail server cannot be reached, or has lost the connection.
  case unreachable(reason: String)
  /// The mail server did not answer in time.
  case timedOut
  /// Too many mails are waiting.
  case queueIsFull
  /// The task was cancelled.
  case cancelled
  /// This system has no libcurl.
  case unavailable

  /// Whether another attempt can succeed.
  public var isTemporary: Bool {
    switch self {
    case .later, .insecure, .unreachable, .timedOut, .notSignedIn: true
    case .badAddress, .badServer, .refused, .queueIsFull, .cancelled, .unavailable: false
    }
  }

  /// The problem as a sentence; it contains no password.
  public var description: String {
    switch self {
    case .badAddress: "This is not a mail address. Use one such as ana@example.org."
    case .badServer:
      "This is not the address of a mail server. Use one such as smtp://name@mail.example:587, "
        + "without the password."
    case .refused(let code): "The mail server refuses the mail (\(code))."
    case .later(let code): "The mail server does not take the mail now (\(code))."
    case .notSignedIn: "The mail server refuses the name and the password."
    case .insecure(let reason):
      "The mail server offers no encryption that can be trusted: \(reason)"
    case .unreachable(let reason): "The mail server cannot be reached: \(reason)"
    case .timedOut: "The mail server did not answer in time."
    case .queueIsFull: "Too many mails are waiting. Try again later."
    case .cancelled: "The mail was cancelled."
    case .unavailable: "Mail needs libcurl, which this system does not have."
    }
  }
}
