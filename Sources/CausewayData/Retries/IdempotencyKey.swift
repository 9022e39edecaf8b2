import Foundation

/// What makes a mutation the same mutation, however often it is sent.
///
/// The server remembers the keys that it has applied, and answers a repeated one as it did before.
public struct IdempotencyKey: RawRepresentable, Hashable, Codable, Sendable {
  /// The key's text, as it is sent.
  public let rawValue: String

  /// Makes a key from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a key that no other mutation has.
  public init() {
    rawValue = UUID().uuidString
  }
}

extension IdempotencyKey: ExpressibleByStringLiteral {
  /// Makes a key from a literal, as tests do.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}

extension IdempotencyKey: CustomStringConvertible {
  /// The key's text.
  public var description: String { rawValue }
}
