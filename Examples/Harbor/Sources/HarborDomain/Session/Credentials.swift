/// The name and the passphrase of an account, as a person typed them.
///
/// Its description and its mirror contain no secret.
public struct Credentials: Codable, Equatable, Sendable {
  /// The smallest number of characters of a passphrase.
  public static let shortest = 10
  /// The largest number of UTF-8 bytes of a passphrase.
  public static let longest = 400

  /// The sentence for a wrong name or passphrase.
  package static let wrong = """
    There is no account with this name and passphrase. Check both. After a change of your name, the \
    new one counts.
    """

  /// The name.
  public var name: String
  /// The passphrase.
  public var passphrase: String
  /// The code of an invitation, whose group a new account joins; `nil` without one.
  public var invitation: String?

  /// Makes credentials from typed texts.
  public init(name: String, passphrase: String, invitation: String? = nil) {
    (self.name, self.passphrase, self.invitation) = (name, passphrase, invitation)
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// A text without the passphrase.
  public var description: String { "Credentials(…)" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
