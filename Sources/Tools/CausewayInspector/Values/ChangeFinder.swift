/// Finds the differences between two states.
///
/// Each difference has the path of a property and both values, so a test can be written from it.
/// The search goes only into parts that differ by their own `==`, so equal parts cost little.
struct ChangeFinder {
  private static let deepest = 24
  private static let mostChanges = 40
  /// The longest text of a value, in bytes: one change must not fill the ring.
  private static let longest = 6_000

  private var reader: ValueReader
  private var changes: [RecordedEvent.Change] = []

  private init(_ rules: RedactionRules) {
    reader = ValueReader(rules, budget: 1_500, longest: Self.longest)
  }

  /// Returns at most 40 differences.
  ///
  /// If there are more, a last line says so.
  ///
  /// Complexity: O(*n*) in the size of the parts that differ.
  static func changes(
    from before: Any, to after: Any, hiding rules: RedactionRules
  ) -> [RecordedEvent.Change] {
    changes(from: StatePart(before), to: after, hiding: rules).found
  }

  /// Returns the differences, and the second state with the known parts of the first.
  ///
  /// Complexity: O(*n*) in the size of the parts that differ and are not known. Of an array with more
  /// than 200 elements, nothing is known.
  static func changes(
    from before: StatePart, to after: Any, hiding rules: RedactionRules
  ) -> (found: [RecordedEvent.Change], after: StatePart) {
    var finder = ChangeFinder(rules)
    let after = finder.compare(before, after, "", [], 0)
    return (finder.changes, after)
  }

  /// Returns the new part, or the old part with its known parts if both are equal.
  private mutating func compare(
    _ before: StatePart, _ after: Any, _ place: @autoclosure () -> String,
    _ path: @autoclosure () -> [String], _ depth: Int
  ) -> StatePart {
    if before.isEqual(to: after) {
      before.become(after, isEqual: true)
      return before
    }
    let part = before.next(after)
    if isFull { return part }
    let (place, path) = (place(), path())
    let mirror = Mirror(reflecting: after)
    guard depth < Self.deepest, type(of: before.value) == type(of: after),
      !reader.isHidden(path, after), !LeafText.isLeaf(after, reader.rules.texts)
    else {
      add(before, part, place, path)
      return part
    }
    switch mirror.displayStyle {
    case .struct where !mirror.children.isEmpty:
      compareFields(before, part, mirror, place, path, depth)
    case .optional, .enum:
      comparePayload(before, part, mirror, place, path, depth)
    case .collection:
      compareElements(before, part, mirror, place, path, depth)
    default:
      add(before, part, place, path)
    }
    return part
  }

  private mutating func compareFields(
    _ before: StatePart, _ part: StatePart, _ mirror: Mirror, _ place: String, _ path: [String],
    _ depth: Int
  ) {
    // A type's own mirror may have another number of fields.
    let fields = before.children
    guard fields.count == mirror.children.count else { return add(before, part, place, path) }
    part.children = zip(fields, mirror.children).map { old, new in
      guard let name = new.label else { return (nil, old.part.next(new.value)) }
      func field() -> String { place.isEmpty ? name : "\(place).\(name)" }
      guard reader.hides(name, new.value) else {
        return (name, compare(old.part, new.value, field(), path + [name], depth + 1))
      }
      if !old.part.isEqual(to: new.value) {
        let hidden = ValueNode(shape: ValueNode.hidden(new.value)).expression
        append(field(), hidden, hidden)
      }
      return (name, old.part.next(new.value))
    }
  }

  private mutating func comparePayload(
    _ before: StatePart, _ part: StatePart, _ mirror: Mirror, _ place: String, _ path: [String],
    _ depth: Int
  ) {
    let isOptional = mirror.displayStyle == .optional
    guard let old = before.children.first, let new = mirror.children.first, let name = new.label,
      name == old.label, !reader.rules.hides(name),
      isOptional || Mirror(reflecting: new.value).displayStyle != .tuple
    else { return add(before, part, place, path) }
    let inner = isOptional ? "\(place)?" : "\(place)(.\(name))"
    part.children = [(name, compare(old.part, new.value, inner, path, depth + 1))]
  }

  private mutating func compareElements(
    _ before: StatePart, _ part: StatePart, _ mirror: Mirror, _ place: String, _ path: [String],
    _ depth: Int
  ) {
    let count = mirror.children.count
    let hasAll = before.count == count
    guard StatePart.keeps(count), StatePart.keeps(before.count) else {
      guard hasAll else { return add(before, part, place, path) }
      let old = Mirror(reflecting: before.value).children
      for (index, (old, new)) in zip(old, mirror.children).enumerated() {
        if isFull { return }
        _ = compare(StatePart(old.value), new.value, "\(place)[\(index)]", path, depth + 1)
      }
      return
    }
    if hasAll {
      part.children = zip(before.children, mirror.children).enumerated().map { index, pair in
        (nil, compare(pair.0.part, pair.1.value, "\(place)[\(index)]", path, depth + 1))
      }
    } else {
      let values = mirror.children.map(\.value)
      part.children = Self.elements(values, after: before.children)
      (before.isList, part.isList) = (true, true)
      add(before, part, place, path)
      // The old parts get their new values last, because `add` still reads the old values.
      for (child, value) in zip(part.children, values) { child.part.become(value, isEqual: true) }
    }
  }

  /// The parts of a collection; those at its beginning and its end are usually known.
  private static func elements(
    _ values: [Any], after old: [StatePart.Child]
  ) -> [StatePart.Child] {
    let shorter = min(values.count, old.count)
    let start =
      (0..<shorter).first { !old[$0].part.isEqual(to: values[$0]) } ?? shorter
    let end =
      (0..<shorter - start).first {
        !old[old.count - 1 - $0].part.isEqual(to: values[values.count - 1 - $0])
      } ?? shorter - start
    return old.prefix(start)
      + values[start..<values.count - end].map { (nil, StatePart($0, isElement: true)) }
      + old.suffix(end)
  }

  private mutating func add(
    _ before: StatePart, _ after: StatePart, _ place: String, _ path: [String]
  ) {
    let (old, new) = (text(of: before, at: path), text(of: after, at: path))
    // Values without `==` are compared by their texts.
    if old == new, !(before.value is any Equatable) { return }
    append(place, old, new)
  }

  /// The kept text of a part, which is read once for each of its values.
  private mutating func text(of part: StatePart, at path: [String]) -> String {
    if let text = part.text { return text }
    let node = part.isList ? list(of: part, at: path) : reader.part(part.value, at: path)
    let text = reader.text(of: node)
    // If the reader is full, the text is not complete. A later reading may read more of the part.
    if !reader.isFull { part.text = text }
    return text
  }

  private mutating func list(of part: StatePart, at path: [String]) -> ValueNode {
    var node = ValueNode(shape: .list)
    var size = 0
    for (_, element) in part.children {
      if size >= Self.longest || node.children.count > 0 && reader.isSpent { break }
      let text = text(of: element, at: path)
      size += text.utf8.count
      node.children.append(ValueNode(shape: .text(text)))
    }
    node.omitted = part.count - node.children.count
    return node
  }

  /// Whether further changes are left out.
  private var isFull: Bool { changes.count > Self.mostChanges }

  private mutating func append(_ place: String, _ old: String, _ new: String) {
    if changes.count == Self.mostChanges {
      changes.append(.init(path: "…", before: nil, after: nil))
    } else if !isFull {
      changes.append(.init(path: place, before: old, after: new))
    }
  }
}
