import Causeway

/// Compares values in all their parts.
///
/// A `==` alone is not sufficient, because it may leave out parts. Values that cannot be compared
/// are different.
enum SameValue {
  /// The depth limit, which ends cycles.
  private static let deepest = 64

  /// Complexity: O(*n*) in the number of parts.
  static func isSame(_ left: Any, _ right: Any, depth: Int = 0) -> Bool {
    let areEqual = areEqual(left, right)
    if areEqual == false || depth > deepest { return false }
    let (first, second) = (Mirror(reflecting: left), Mirror(reflecting: right))
    guard first.subjectType == second.subjectType, first.children.count == second.children.count
    else { return false }
    switch first.displayStyle {
    case .class:
      return left as AnyObject === right as AnyObject
    case .set, .dictionary:
      // The order of the elements may differ. Elements with the same text may be compared in wrong
      // pairs, which only finds too many differences.
      return areEqual == true
        && zip(elements(first), elements(second)).allSatisfy { isSame($0, $1, depth: depth + 1) }
    case .collection, .optional: break
    default:
      // A mirror that the type makes itself may leave out parts.
      if left is any CustomReflectable, areEqual != true { return false }
    }
    // Without parts, a closure and a value that hides its parts have no equality.
    if first.children.isEmpty { return areEqual == true }
    return zip(first.children, second.children).allSatisfy {
      $0.label == $1.label && isSame($0.value, $1.value, depth: depth + 1)
    }
  }

  /// Compares with the type's own `==`; `nil` if the type has none.
  private static func areEqual(_ left: Any, _ right: Any) -> Bool? {
    func compare<Value: Equatable>(_ left: Value) -> Bool? {
      (right as? Value).map { left == $0 }
    }
    return (left as? any Equatable).flatMap { compare($0) }
  }

  private static func elements(_ mirror: Mirror) -> [Any] {
    mirror.children.map { (text: ValueText.of($0.value), value: $0.value) }
      .sorted { $0.text < $1.text }.map(\.value)
  }
}

// Equality for assertions.
extension SameValue {
  private enum Equality {
    case different, equal
    /// Equal, apart from numbers that are NaN in both values.
    case equalButNotANumber
  }

  /// Whether two values are equal, or would be equal if NaN were equal to itself.
  ///
  /// Complexity: that of `==` for equal values, and else O(*n*) in the number of parts.
  static func isEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || compare(left, right, depth: 0) == .equalButNotANumber
  }

  private static func compare(_ left: Any, _ right: Any, depth: Int) -> Equality {
    let areEqual = areEqual(left, right)
    if areEqual == true { return .equal }
    if depth > deepest || type(of: left) != type(of: right) { return .different }
    if isNotANumber(left), isNotANumber(right) { return .equalButNotANumber }
    let pairs: [(Any, Any)]
    if let left = left as? any KeyedParts {
      guard let entries = left.pairs(with: right) else { return .different }
      pairs = entries
    } else {
      guard let parts = parts(left, right) else { return .different }
      pairs = parts
    }
    var hasNotANumber = false
    for (left, right) in pairs {
      switch compare(left, right, depth: depth + 1) {
      case .different: return .different
      case .equal: break
      case .equalButNotANumber: hasNotANumber = true
      }
    }
    if hasNotANumber { return .equalButNotANumber }
    return areEqual == nil ? .equal : .different
  }

  /// The parts of two values of one type; `nil` if the values differ or do not show all parts.
  private static func parts(_ left: Any, _ right: Any) -> [(Any, Any)]? {
    // A mirror that the type makes itself may leave out parts.
    if left is any CustomReflectable, !(type(of: left) is any FullyMirrored.Type) { return nil }
    let (first, second) = (Mirror(reflecting: left), Mirror(reflecting: right))
    guard first.children.count == second.children.count else { return nil }
    switch first.displayStyle {
    case .struct, .tuple, .optional, .collection: break
    case .enum: if first.children.isEmpty { return nil }
    case .class: return left as AnyObject === right as AnyObject ? [] : nil
    default: return nil
    }
    let pairs = zip(first.children, second.children)
    guard pairs.allSatisfy({ $0.label == $1.label }) else { return nil }
    return pairs.map { ($0.value, $1.value) }
  }

  private static func isNotANumber(_ value: Any) -> Bool {
    (value as? any FloatingPoint)?.isNaN == true
  }
}

/// A type whose own mirror shows all parts.
private protocol FullyMirrored {}

extension Array: FullyMirrored {}
extension ArraySlice: FullyMirrored {}
extension ContiguousArray: FullyMirrored {}
extension Optional: FullyMirrored {}
extension IdentifiedArray: FullyMirrored {}
extension ScreenPath: FullyMirrored {}
extension ScreenPath.Entry: FullyMirrored {}
extension Dialog: FullyMirrored {}

/// A dictionary, whose parts belong together by their keys.
private protocol KeyedParts {
  /// `nil` if the other value is of another type or has other keys.
  func pairs(with other: Any) -> [(Any, Any)]?
}

extension Dictionary: KeyedParts {
  func pairs(with other: Any) -> [(Any, Any)]? {
    guard let other = other as? Self, count == other.count else { return nil }
    var pairs: [(Any, Any)] = []
    for (key, value) in self {
      guard let match = other[key] else { return nil }
      pairs.append((value, match))
    }
    return pairs
  }
}
