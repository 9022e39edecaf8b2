/// Encodes successive versions of a view state.
///
/// It encodes a part again only if the part has changed. A part is a member of an object or an
/// element of an array. A member must be `Equatable`, and an element must also be `Identifiable`.
/// The encoded form of an unchanged part has the same storage as before, so a comparison of both
/// takes constant time. Not for concurrent use.
final class StateEncoder {
  private let parts = PartCache()

  /// Encodes the next version.
  ///
  /// Throws the error of the value's `encode(to:)`. Complexity: O(n) comparisons of parts, and
  /// encoding for the parts that have changed.
  func encode(_ value: some Encodable) throws -> JSONValue {
    defer { parts.finishPass() }
    return try JSONValue(encoding: value, reusing: parts)
  }
}
