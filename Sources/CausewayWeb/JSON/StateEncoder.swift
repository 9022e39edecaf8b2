/// Encodes successive versions of a view state.
///
/// It encodes a part again only if the part has changed. Parts are members of objects that are
/// `Equatable`, and elements of arrays that are also `Identifiable`. The encoded form of an
/// unchanged part has the same storage as before, so a comparison of both takes constant time. Not
/// for concurrent use.
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

/// The parts of a view state in the last pass over it, with their encoded forms.
final class PartCache {
  private enum Key: Hashable {
    case member(String)
    case row(ObjectIdentifier, id: AnyHashable)
  }

  private struct Entry {
    let part: any Equatable
    let encoded: JSONValue
    /// The parts inside of the part.
    let inner: PartCache?
    /// The last pass that contained the part.
    var pass: Int
  }

  private var entries: [Key: Entry] = [:]
  private var pass = 0
  /// The number of entries that the current pass has contained.
  private var used = 0

  /// Returns the encoded form of a member of an object.
  ///
  /// - Parameter encode: Encodes the member with a cache for the parts inside of it; without one
  ///   for a member that has not changed yet, because most members never change.
  func encoded<Part: Equatable>(
    _ part: Part, member name: String, _ encode: (PartCache?) throws -> JSONValue
  ) rethrows -> JSONValue {
    try encoded(part, .member(name), encode) { $0 == nil ? nil : $0?.inner ?? PartCache() }
  }

  /// Returns the encoded form of an element of an array.
  ///
  /// - Parameter encode: Encodes the element with a cache for the parts inside of it.
  func encoded<Row: Identifiable & Equatable>(
    row: Row, _ encode: (PartCache?) throws -> JSONValue
  ) rethrows -> JSONValue {
    try encoded(row, .row(ObjectIdentifier(Row.self), id: AnyHashable(row.id)), encode) {
      $0?.inner ?? PartCache()
    }
  }

  private func encoded<Part: Equatable>(
    _ part: Part, _ key: Key, _ encode: (PartCache?) throws -> JSONValue,
    _ makeInner: (Entry?) -> PartCache?
  ) rethrows -> JSONValue {
    let known = entries[key]
    if let known, let old = known.part as? Part, old == part {
      note(key, known.pass)
      return known.encoded
    }
    let inner = makeInner(known)
    let encoded = try encode(inner)
    inner?.finishPass()
    switch encoded {
    case .object, .array: break
    // A text or a number costs less than its entry.
    default: return encoded
    }
    note(key, known?.pass)
    entries[key] = Entry(
      part: part, encoded: encoded, inner: inner?.entries.isEmpty == false ? inner : nil,
      pass: pass)
    return encoded
  }

  private func note(_ key: Key, _ last: Int?) {
    guard last != pass else { return }
    used += 1
    entries[key]?.pass = pass
  }

  /// Removes the parts that the pass did not contain.
  func finishPass() {
    if used < entries.count { entries = entries.filter { $0.value.pass == pass } }
    pass += 1
    used = 0
  }
}
