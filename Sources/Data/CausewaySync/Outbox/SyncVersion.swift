/// The state of a scope on the server, as a number that grows with every change.
///
/// The engine asks for the changes since a version. A version also tells whether data contains a
/// mutation.
public struct SyncVersion: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The number.
  public let rawValue: Int64

  /// Makes a version from its number.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Makes a version from its number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Orders versions by number.
  public static func < (left: SyncVersion, right: SyncVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension SyncVersion: ExpressibleByIntegerLiteral {
  /// Makes a version from a literal.
  public init(integerLiteral value: Int64) {
    rawValue = value
  }
}

extension SyncVersion: CustomStringConvertible {
  /// The number.
  public var description: String { "\(rawValue)" }
}
