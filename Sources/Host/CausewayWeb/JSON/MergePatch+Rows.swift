import CausewaySystem

/// Patches for arrays whose elements have ids. RFC 7396 itself would replace the whole array.
///
/// Two arrays are keyed when each element is an object with a member `id`. The id is a text or an
/// integer between -(2^53 - 1) and 2^53 - 1, and no other element of the array has the same id, even
/// in another spelling of Unicode. The patch is an object in the array's place:
///
///     {"$rows": {"gone": [id], "placed": [[index, row or id]], "changed": {id: patch}}}
///
/// A reader removes the rows that are gone or placed. It inserts the placed rows from the lowest
/// index to the highest. Then it applies the patches of the changed rows. An id among the placed
/// rows means that an existing row moves. If one row changes in its place, all elements need ids,
/// but only the id of that row must differ from the others. Only an array is patched this way: in an
/// object, `$rows` is an ordinary member.
extension MergePatch {
  static let rowsMember = "$rows"

  /// The patch for two arrays: nil when they are equal, the whole target when they are not keyed.
  ///
  /// Complexity: O(n log n) in the number of elements, and O(n) in the size of both arrays.
  static func difference(from old: [JSONValue], to new: [JSONValue]) -> JSONValue? {
    if old == new { return nil }
    if let change = changeOfOneRow(from: old, to: new) { return change }
    guard let oldIDs = ids(of: old), let newIDs = ids(of: new) else { return .array(new) }
    if oldIDs == newIDs { return changes(from: old, to: new, oldIDs) }
    let positions = Dictionary(uniqueKeysWithValues: zip(oldIDs, old.indices))
    let origins = newIDs.map { positions[$0] }
    guard origins.contains(where: { $0 != nil }) else { return .array(new) }
    let staying = longestIncreasing(origins)
    var placed: [JSONValue] = []
    var changed: [String: JSONValue] = [:]
    for (index, row) in new.enumerated() {
      guard let origin = origins[index] else {
        placed.append([.integer(Int64(index)), row])
        continue
      }
      let id = newIDs[index].text
      if !staying[index] { placed.append([.integer(Int64(index)), .string(id)]) }
      if let change = difference(from: old[origin], to: row) { changed[id] = change }
    }
    let kept = Set(newIDs)
    let gone = oldIDs.filter { !kept.contains($0) }.map { JSONValue.string($0.text) }
    var patch: [String: JSONValue] = [:]
    if !gone.isEmpty { patch["gone"] = .array(gone) }
    if !placed.isEmpty { patch["placed"] = .array(placed) }
    if !changed.isEmpty { patch["changed"] = .object(changed) }
    return patch.isEmpty ? nil : [rowsMember: .object(patch)]
  }

  /// The patch if exactly one row differs and no row has moved; nil otherwise.
  ///
  /// This is the usual change, and needs no set of all ids. Rows that were not encoded again have the
  /// same storage, so they are compared by their addresses.
  private static func changeOfOneRow(from old: [JSONValue], to new: [JSONValue]) -> JSONValue? {
    guard old.count == new.count,
      let place = new.indices.first(where: { old[$0] != new[$0] }),
      new.indices.last(where: { old[$0] != new[$0] }) == place,
      let changed = id(of: new[place]), changed == id(of: old[place]),
      new.indices.allSatisfy({ index in
        index == place || id(of: new[index]).map { $0.text != changed.text } == true
      }),
      let change = difference(from: old[place], to: new[place])
    else { return nil }
    return [rowsMember: ["changed": .object([changed.text: change])]]
  }

  /// The patch for rows that are in the same places.
  private static func changes(
    from old: [JSONValue], to new: [JSONValue], _ ids: [RowID]
  ) -> JSONValue? {
    var changed: [String: JSONValue] = [:]
    for index in new.indices {
      if let change = difference(from: old[index], to: new[index]) {
        changed[ids[index].text] = change
      }
    }
    return changed.isEmpty ? nil : [rowsMember: ["changed": .object(changed)]]
  }

  /// The array that results from a patch of its rows.
  static func apply(_ patch: [String: JSONValue], toRows rows: [JSONValue]) -> [JSONValue] {
    let ids = rows.map { id(of: $0) ?? RowID("") }
    let known = Dictionary(zip(ids, rows)) { first, _ in first }
    var moved: Set<RowID> = []
    var placed: [(index: Int, row: JSONValue)] = []
    if case .array(let gone)? = patch["gone"] {
      for case .string(let id) in gone { moved.insert(RowID(id)) }
    }
    if case .array(let entries)? = patch["placed"] {
      for case .array(let entry) in entries {
        guard entry.count == 2, case .integer(let index) = entry[0] else { continue }
        if case .string(let id) = entry[1] { moved.insert(RowID(id)) }
        // If a page reads an event twice, the new row must replace its first copy.
        if let id = id(of: entry[1]) { moved.insert(id) }
        placed.append((max(0, Int(clamping: index)), entry[1]))
      }
    }
    var result = zip(ids, rows).filter { !moved.contains($0.0) }.map(\.1)
    for (index, row) in placed {
      if case .string(let id) = row {
        result.insert(known[RowID(id)] ?? .null, at: min(index, result.count))
      } else {
        result.insert(row, at: min(index, result.count))
      }
    }
    guard case .object(let changes)? = patch["changed"] else { return result }
    return result.map { row in
      id(of: row).flatMap { changes[$0.text] }.map { apply($0, to: row) } ?? row
    }
  }

  /// The ids of keyed rows; nil if the array is empty or not keyed.
  private static func ids(of rows: [JSONValue]) -> [RowID]? {
    // A script distinguishes two spellings of an id, but here they would be one member of a patch.
    var seen: Set<String> = []
    var ids: [RowID] = []
    for row in rows {
      guard let id = id(of: row), seen.insert(id.text).inserted else { return nil }
      ids.append(id)
    }
    return ids.isEmpty ? nil : ids
  }

  private static func id(of row: JSONValue) -> RowID? {
    guard case .object(let members) = row else { return nil }
    switch members["id"] {
    case .string(let text)?: return RowID(text)
    // A script reads larger integers as rounded numbers, and two of them may become the same
    // number.
    case .integer(let number)? where number.magnitude < 1 << 53: return RowID(String(number))
    default: return nil
    }
  }

  /// Marks the elements of a longest increasing subsequence; nil elements are never marked.
  private static func longestIncreasing(_ values: [Int?]) -> [Bool] {
    // For each length: the smallest value at the end of a subsequence of that length, with its
    // index.
    var ends: [(value: Int, index: Int)] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle].value < value { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1].index : nil
      if low == ends.count { ends.append((value, index)) } else { ends[low] = (value, index) }
    }
    var marks = [Bool](repeating: false, count: values.count)
    var next = ends.last?.index
    while let index = next {
      marks[index] = true
      next = previous[index]
    }
    return marks
  }
}

/// The id of a row as a script compares it: two spellings of a letter are two ids.
///
/// Two strings of Swift are equal if they show the same characters.
private struct RowID: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: RowID, right: RowID) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    // Texts with equal bytes have equal hashes.
    hasher.combine(text)
  }
}
