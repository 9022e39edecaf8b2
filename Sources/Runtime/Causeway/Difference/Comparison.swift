/// Compares two values field by field and collects their differences.
package struct Comparison {
  private(set) var lines: [Difference.Line] = []
  /// The number of pairs in which both values are NaN.
  ///
  /// The values that contain such a pair are unequal.
  private var notNumbers = 0
  /// The pairs of objects that were compared field by field, and whether they differ.
  private var compared: [ObjectPair: Bool] = [:]
  /// The number of times that a pair of different objects was found again.
  ///
  /// A repetition adds no line.
  private var repeated = 0

  private struct ObjectPair: Hashable {
    let expected: ObjectIdentifier
    let actual: ObjectIdentifier
  }

  /// The depth limit.
  ///
  /// Deeper values are compared as text, which ends cycles.
  private static let deepest = 24

  mutating func compare(_ expected: Any, _ actual: Any, path: String, depth: Int) {
    if let same = Self.isEqual(expected, actual) {
      if same { return }
      if Self.isNotANumber(expected), Self.isNotANumber(actual) {
        notNumbers += 1
        return
      }
    } else if Self.isOneObject(expected, actual) {
      // An object is equal to itself. A comparison of its fields could follow too many paths.
      return
    }
    let left = Mirror(reflecting: expected)
    let right = Mirror(reflecting: actual)
    guard left.subjectType == right.subjectType, depth < Self.deepest else {
      return compareAsText(expected, actual, path)
    }
    switch left.displayStyle {
    case .class:
      compareObjects(left, right, expected, actual, path, depth)
    case .struct, .tuple:
      compareFields(left, right, expected, actual, path, depth)
    case .collection:
      compareElements(left, right, path, depth)
    case .dictionary:
      compareEntries(left, right, path, depth)
    case .set:
      compareMembers(left, right, path)
    case .optional:
      if let left = left.children.first, let right = right.children.first {
        compare(left.value, right.value, path: path, depth: depth + 1)
      } else {
        compareAsText(expected, actual, path)
      }
    case .enum:
      if let left = left.children.first, let right = right.children.first, left.label == right.label
      {
        compare(left.value, right.value, path: path + ".\(left.label ?? "")", depth: depth + 1)
      } else {
        compareAsText(expected, actual, path)
      }
    default:
      compareAsText(expected, actual, path)
    }
  }

  /// The number of differences so far, with and without lines.
  private var found: Int { lines.count + notNumbers + repeated }

  /// Compares two objects at the first path at which they are found.
  ///
  /// If objects share other objects, there are many paths to the shared ones.
  private mutating func compareObjects(
    _ left: Mirror, _ right: Mirror, _ expected: Any, _ actual: Any, _ path: String, _ depth: Int
  ) {
    let pair = ObjectPair(
      expected: ObjectIdentifier(expected as AnyObject),
      actual: ObjectIdentifier(actual as AnyObject))
    if let isDifferent = compared[pair] {
      if isDifferent { repeated += 1 }
      return
    }
    compared[pair] = false
    let before = found
    compareFields(left, right, expected, actual, path, depth)
    compared[pair] = found > before
  }

  private mutating func compareFields(
    _ left: Mirror, _ right: Mirror, _ expected: Any, _ actual: Any, _ path: String, _ depth: Int
  ) {
    let fields = Array(zip(left.children, right.children))
    if fields.isEmpty { return compareAsText(expected, actual, path) }
    let before = found
    for (index, (left, right)) in fields.enumerated() {
      let name = left.label ?? "\(index)"
      compare(
        left.value, right.value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
    }
    // The `==` of the type returns false, although all fields are the same.
    if found == before, Self.isEqual(expected, actual) == false {
      compareAsText(expected, actual, path)
    }
  }

  /// Skips equal elements at the start and at the end of both collections.
  private mutating func compareElements(
    _ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int
  ) {
    let expected = left.children.map(\.value)
    let actual = right.children.map(\.value)
    var start = 0
    while start < min(expected.count, actual.count),
      Self.isSame(expected[start], actual[start])
    { start += 1 }
    var end = 0
    while end < min(expected.count, actual.count) - start,
      Self.isSame(expected[expected.count - 1 - end], actual[actual.count - 1 - end])
    { end += 1 }
    let expectedRest = expected[start..<(expected.count - end)]
    let actualRest = actual[start..<(actual.count - end)]
    for (offset, (left, right)) in zip(expectedRest, actualRest).enumerated() {
      compare(left, right, path: "\(path)[\(start + offset)]", depth: depth + 1)
    }
    for (offset, element) in expectedRest.enumerated().dropFirst(actualRest.count) {
      add("\(path)[\(start + offset)]", Self.text(element), nil)
    }
    for (offset, element) in actualRest.enumerated().dropFirst(expectedRest.count) {
      add("\(path)[\(start + offset)]", nil, Self.text(element))
    }
  }

  private mutating func compareEntries(
    _ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int
  ) {
    let expected = Self.entries(left)
    let actual = Self.entries(right)
    for key in Set(expected.keys).union(actual.keys).sorted() {
      let place = "\(path)[\(key)]"
      switch (expected[key], actual[key]) {
      case (let left?, let right?): compare(left, right, path: place, depth: depth + 1)
      case (let left?, nil): add(place, Self.text(left), nil)
      case (nil, let right?): add(place, nil, Self.text(right))
      case (nil, nil): break
      }
    }
  }

  private static func entries(_ mirror: Mirror) -> [String: Any] {
    mirror.children.reduce(into: [:]) { entries, child in
      let entry = Array(Mirror(reflecting: child.value).children)
      if entry.count == 2 { entries[text(entry[0].value)] = entry[1].value }
    }
  }

  private mutating func compareMembers(_ left: Mirror, _ right: Mirror, _ path: String) {
    let expected = Set(left.children.map { Self.text($0.value) })
    let actual = Set(right.children.map { Self.text($0.value) })
    for member in expected.subtracting(actual).sorted() { add(path, member, nil) }
    for member in actual.subtracting(expected).sorted() { add(path, nil, member) }
  }

  private mutating func compareAsText(_ expected: Any, _ actual: Any, _ path: String) {
    let left = Self.fullText(expected)
    let right = Self.fullText(actual)
    if left == right, Self.isEqual(expected, actual) != false { return }
    let (shortLeft, shortRight) = Abbreviation.pair(left, right)
    add(path, shortLeft, shortRight)
  }

  private mutating func add(_ path: String, _ expected: String?, _ actual: String?) {
    lines.append(Difference.Line(path: path, expected: expected, actual: actual))
  }

  private static func isSame(_ left: Any, _ right: Any) -> Bool {
    if let isEqual = isEqual(left, right) { return isEqual }
    // The text of an object is usually only the name of its type. Different objects are compared by
    // field later.
    if type(of: left) is AnyObject.Type { return isOneObject(left, right) }
    return fullText(left) == fullText(right)
  }

  /// Compares with the type's own `==`; `nil` if the type has none.
  private static func isEqual(_ left: Any, _ right: Any) -> Bool? {
    func compare<Value: Equatable>(_ left: Value) -> Bool? {
      (right as? Value).map { left == $0 }
    }
    return (left as? any Equatable).flatMap { compare($0) }
  }

  private static func isNotANumber(_ value: Any) -> Bool {
    (value as? any FloatingPoint)?.isNaN == true
  }

  private static func isOneObject(_ left: Any, _ right: Any) -> Bool {
    guard type(of: left) is AnyObject.Type, type(of: right) is AnyObject.Type else { return false }
    return left as AnyObject === right as AnyObject
  }

  private static func fullText(_ value: Any) -> String {
    ValueText.of(value)
  }

  /// The text of a value for a report.
  package static func text(_ value: Any) -> String {
    Abbreviation.value(value)
  }
}
