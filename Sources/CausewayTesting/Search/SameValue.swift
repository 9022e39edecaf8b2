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
      // The order of the elements may differ. Elements with one text may be compared crosswise, which
      // only finds too many differences.
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
