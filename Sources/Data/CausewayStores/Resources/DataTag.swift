/// Names a part of the data that writes change and reads use.
///
/// A write lists the tags that it makes out of date. A read lists the tags that it depends on.
public struct DataTag: Hashable, Sendable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The name.
  public let name: String

  /// Makes a tag.
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a tag from text, for example `"activities of \(account)"`.
  public init(stringLiteral value: String) {
    name = value
  }

  /// The name.
  public var description: String { name }
}
