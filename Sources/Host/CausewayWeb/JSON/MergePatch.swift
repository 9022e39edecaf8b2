/// JSON merge patches (RFC 7396): the changes between two view states.
///
/// Arrays of rows with ids are patched row by row. Other arrays are replaced whole. Null means
/// "removed" in a merge patch, so a patch cannot describe null members. View states are encoded
/// without them.
package enum MergePatch {
  /// The patch that turns `source` into `target`; nil when they are equal.
  ///
  /// Both must be free of null members. Complexity: O(n) in the size of both documents.
  package static func difference(from source: JSONValue, to target: JSONValue) -> JSONValue? {
    if case .array(let old) = source, case .array(let new) = target {
      return difference(from: old, to: new)
    }
    guard case .object(let old) = source, case .object(let new) = target else {
      return source == target ? nil : target
    }
    // Rows that were not encoded again have the same storage, which makes this a comparison of two
    // addresses.
    if old == new { return nil }
    var patch: [String: JSONValue] = [:]
    for (name, value) in new {
      guard let previous = old[name] else {
        patch[name] = value
        continue
      }
      if let change = difference(from: previous, to: value) { patch[name] = change }
    }
    for name in old.keys where new[name] == nil { patch[name] = .null }
    return patch.isEmpty ? nil : .object(patch)
  }

  /// The document that results from applying a patch (RFC 7396, section 2).
  ///
  /// Complexity: O(n) in the size of the patch.
  package static func apply(_ patch: JSONValue, to target: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    if case .array(let rows) = target, case .object(let patch)? = changes[rowsMember] {
      return .array(apply(patch, toRows: rows))
    }
    var members: [String: JSONValue] = [:]
    if case .object(let existing) = target { members = existing }
    for (name, change) in changes {
      members[name] = change == .null ? nil : apply(change, to: members[name] ?? .null)
    }
    return .object(members)
  }
}
