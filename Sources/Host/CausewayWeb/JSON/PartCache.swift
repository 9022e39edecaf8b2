/// The parts of a view state in the last pass over it, with their encoded forms.
final class PartCache {
  private struct RowKey: Hashable {
    let type: ObjectIdentifier
    let id: AnyHashable
  }

  private var members: [String: EncodedPart] = [:]
  private var rows: [RowKey: EncodedPart] = [:]
  /// The rows in the order of the last pass.
  ///
  /// Most rows stay in their places, so the next row is usually also the next row of the last pass.
  /// The cache then finds the row without its id and without a cast.
  private var lastRows: [EncodedPart] = []
  private var passRows: [EncodedPart] = []
  private var nextRow = 0
  private var pass = 0
  /// The number of parts that the current pass has contained.
  private var used = 0

  private var isEmpty: Bool { members.isEmpty && rows.isEmpty }

  /// The encoded form of a member of an object, if the member has not changed.
  func known(_ value: some Any, member name: String) -> JSONValue? {
    guard let part = members[name], part.equals(value) else { return nil }
    note(part)
    return part.encoded
  }

  /// The encoded form of an element of an array, if it is the next row and has not changed.
  func knownRow(_ value: some Any) -> JSONValue? {
    guard nextRow < lastRows.count, lastRows[nextRow].equals(value) else { return nil }
    return found(lastRows[nextRow])
  }

  /// Encodes a member of an object that has changed.
  ///
  /// - Parameter encode: Encodes the member with a cache for the parts inside of it. Most members never
  ///   change, so a member gets its cache with its first change.
  func encode<Part: Equatable>(
    _ part: Part, member name: String, _ encode: (PartCache?) throws -> JSONValue
  ) rethrows -> JSONValue {
    let last = members[name]
    let inner = last.map { $0.inner ?? PartCache() }
    let encoded = try encode(inner)
    guard let new = stored(part, encoded, inner, after: last) else { return encoded }
    members[name] = new
    return encoded
  }

  /// Returns the encoded form of an element of an array.
  ///
  /// - Parameter encode: Encodes the element with a cache for the parts inside of it.
  func encoded<Row: Identifiable & Equatable>(
    row: Row, _ encode: (PartCache?) throws -> JSONValue
  ) rethrows -> JSONValue {
    let key = RowKey(type: ObjectIdentifier(Row.self), id: AnyHashable(row.id))
    let last = rows[key]
    if let last, last.equals(row) { return found(last) }
    let inner = last?.inner ?? PartCache()
    let encoded = try encode(inner)
    guard let new = stored(row, encoded, inner, after: last) else { return encoded }
    rows[key] = new
    if let last { nextRow = last.place + 1 }
    passRows.append(new)
    return encoded
  }

  private func found(_ row: EncodedPart) -> JSONValue {
    note(row)
    nextRow = row.place + 1
    passRows.append(row)
    return row.encoded
  }

  /// Makes the entry of a part that was encoded; nil if the entry would cost more than encoding
  /// again.
  private func stored(
    _ part: some Equatable, _ encoded: JSONValue, _ inner: PartCache?, after last: EncodedPart?
  ) -> EncodedPart? {
    inner?.finishPass()
    switch encoded {
    case .object, .array: break
    default: return nil
    }
    if last?.pass != pass { used += 1 }
    // The replaced part no longer counts, even if the pass contains it in another place.
    last?.pass = .max
    return TypedPart(part, encoded, inner: inner?.isEmpty == false ? inner : nil, pass: pass)
  }

  private func note(_ part: EncodedPart) {
    guard part.pass < pass else { return }
    used += 1
    part.pass = pass
  }

  /// Removes the parts that the pass did not contain.
  func finishPass() {
    if used < members.count + rows.count {
      members = members.filter { $0.value.pass == pass }
      rows = rows.filter { $0.value.pass == pass }
    }
    for (place, row) in passRows.enumerated() { row.place = place }
    swap(&lastRows, &passRows)
    passRows.removeAll(keepingCapacity: true)
    nextRow = 0
    pass += 1
    used = 0
  }
}

/// A part of a view state with its encoded form.
private class EncodedPart {
  let encoded: JSONValue
  /// The parts inside of the part.
  let inner: PartCache?
  /// The last pass that contained the part; `.max` after another part has replaced the part.
  var pass: Int
  /// The number of rows before this one in the last pass.
  var place = 0

  init(_ encoded: JSONValue, inner: PartCache?, pass: Int) {
    (self.encoded, self.inner, self.pass) = (encoded, inner, pass)
  }

  /// Whether a value has the type of the part and equals it.
  func equals<Value>(_ value: Value) -> Bool { false }
}

private final class TypedPart<Part: Equatable>: EncodedPart {
  private let part: Part

  init(_ part: Part, _ encoded: JSONValue, inner: PartCache?, pass: Int) {
    self.part = part
    super.init(encoded, inner: inner, pass: pass)
  }

  override func equals<Value>(_ value: Value) -> Bool {
    guard Value.self == Part.self else { return false }
    // Both types are the same. A cast would copy the value, which takes longer than the comparison.
    return withUnsafePointer(to: value) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Part.self).pointee == part
    }
  }
}
