import CausewayBasics
import Foundation

/// Identifies a mutation; all attempts to send the mutation have the same key.
///
/// The server remembers the keys that it has applied. It answers a repeated key with the same
/// answer as before.
public struct IdempotencyKey: RawRepresentable, Hashable, Codable, Sendable {
  /// The text of the key, as it is sent to the server.
  public let rawValue: String

  /// Makes a key from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a key that no other mutation has.
  public init() {
    rawValue = SystemValues.uuid().uuidString
  }
}

extension IdempotencyKey: ExpressibleByStringLiteral {
  /// Makes a key from a literal, for example in tests.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}

extension IdempotencyKey: CustomStringConvertible {
  /// The key's text.
  public var description: String { rawValue }
}
