/// Finds the parts in which two states differ, as assignments of a test could write them.
///
/// It goes only into parts that differ by their own `==`, so equal parts cost little.
struct ChangeFinder {
  private static let deepest = 24
  private static let mostChanges = 40

  private var reader: ValueReader
  private var changes: [RecordedEvent.Change] = []

  private init(_ rules: RedactionRules) {
    reader = ValueReader(rules, budget: 1_500, longest: Self.longest)
  }

  /// Returns the differences, at most 40 and a line that says so.
  ///
  /// Complexity: O(*n*) in the size of the parts that differ.
  static func changes(
    from before: Any, to after: Any, hiding rules: RedactionRules
  ) -> [RecordedEvent.Change] {
    var finder = ChangeFinder(rules)
    finder.compare(before, after, "", [], 0)
    return finder.changes
  }

  private mutating func compare(
    _ before: Any, _ after: Any, _ place: String, _ path: [String], _ depth: Int
  ) {
    if changes.count > Self.mostChanges || Self.isEqual(before, after) { return }
    if depth >= Self.deepest || reader.isHidden(path, before) || reader.isHidden(path, after) {
      return add(before, after, place, path)
    }
    let (left, right) = (Mirror(reflecting: before), Mirror(reflecting: after))
    guard type(of: before) == type(of: after), left.displayStyle == right.displayStyle,
      LeafText.shape(of: before) == nil
    else { return add(before, after, place, path) }
    switch left.displayStyle {
    case .struct where !left.children.isEmpty:
      compareFields(left, right, place, path, depth)
    case .optional:
      guard let some = left.children.first, let other = right.children.first else {
        return add(before, after, place, path)
      }
      compare(some.value, other.value, "\(place)?", path, depth + 1)
    case .enum:
      guard let payload = left.children.first, let other = right.children.first,
        let name = payload.label, name == other.label, !reader.rules.hides(name),
        Mirror(reflecting: payload.value).displayStyle != .tuple
      else { return add(before, after, place, path) }
      compare(payload.value, other.value, "\(place)(.\(name))", path, depth + 1)
    case .collection where left.children.count == right.children.count:
      compareElements(left, right, place, path, depth)
    default:
      add(before, after, place, path)
    }
  }

  private mutating func compareFields(
    _ left: Mirror, _ right: Mirror, _ place: String, _ path: [String], _ depth: Int
  ) {
    for (old, new) in zip(left.children, right.children) {
      guard let name = old.label else { continue }
      let field = place.isEmpty ? name : "\(place).\(name)"
      if reader.hides(name, old.value) {
        if !Self.isEqual(old.value, new.value) {
          let hidden = ValueNode(shape: ValueNode.hidden(new.value)).expression
          append(field, hidden, hidden)
        }
      } else {
        compare(old.value, new.value, field, path + [name], depth + 1)
      }
    }
  }

  private mutating func compareElements(
    _ left: Mirror, _ right: Mirror, _ place: String, _ path: [String], _ depth: Int
  ) {
    for (index, (old, new)) in zip(left.children, right.children).enumerated() {
      compare(old.value, new.value, "\(place)[\(index)]", path, depth + 1)
      if changes.count > Self.mostChanges { return }
    }
  }

  private mutating func add(_ before: Any, _ after: Any, _ place: String, _ path: [String]) {
    let old = reader.part(before, at: path).expression
    let new = reader.part(after, at: path).expression
    // Values without `==` are compared by their texts.
    if old == new, !(before is any Equatable) { return }
    append(place, old, new)
  }

  private mutating func append(_ place: String, _ old: String, _ new: String) {
    if changes.count == Self.mostChanges {
      changes.append(.init(path: "…", before: nil, after: nil))
    } else if changes.count < Self.mostChanges {
      changes.append(
        .init(
          path: place, before: old.shortened(to: Self.longest),
          after: new.shortened(to: Self.longest)))
    }
  }

  /// The longest text of a value, in bytes: one change must not fill the ring.
  private static let longest = 6_000

  /// Compares with the type's own `==`; false if the type has none.
  private static func isEqual(_ before: Any, _ after: Any) -> Bool {
    func compare<Value: Equatable>(_ value: Value) -> Bool {
      (after as? Value).map { value == $0 } ?? false
    }
    guard let value = before as? any Equatable else { return false }
    return compare(value)
  }
}
