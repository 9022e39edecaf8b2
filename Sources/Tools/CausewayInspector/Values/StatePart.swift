/// A part of a state, with its direct parts and its text if they were read.
///
/// The state before a step is usually the state after the previous step. Its parts are kept with
/// their texts, so the inspector reads only the parts that the step has changed.
///
/// Isolation: the same as its owner.
final class StatePart {
  /// A direct part; the label is the name of a field, or the name of the case of a payload.
  typealias Child = (label: String?, part: StatePart)

  /// The largest number of parts that are kept.
  private static let mostChildren = 200

  private(set) var value: Any
  /// The kept text of the value, after it was made.
  var text: String?
  /// Whether the children are the elements of an array, whose text contains their texts.
  var isList = false
  private let isElement: Bool
  private var known: [Child]?
  /// Whether the known children belong to an earlier, equal value.
  private var isEarlier = false

  init(_ value: Any, isElement: Bool = false) {
    (self.value, self.isElement) = (value, isElement)
  }

  /// A part that takes the place of this one.
  func next(_ value: Any) -> StatePart { StatePart(value, isElement: isElement) }

  /// The direct parts; they are read once if they are kept.
  var children: [Child] {
    get {
      if let known, !isEarlier { return known }
      let mirror = Mirror(reflecting: value)
      let children: [Child]
      if let known, known.count == mirror.children.count {
        children = zip(known, mirror.children).map { old, new in
          old.part.become(new.value, isEqual: old.part.isEqual(to: new.value))
          return (new.label, old.part)
        }
      } else {
        let isElement = mirror.displayStyle == .collection
        children = mirror.children.map { ($0.label, StatePart($0.value, isElement: isElement)) }
      }
      if Self.keeps(children.count) { self.children = children }
      return children
    }
    set { (known, isEarlier) = (newValue, false) }
  }

  /// The number of the direct parts.
  var count: Int {
    if let known, !isEarlier { return known.count }
    return Mirror(reflecting: value).children.count
  }

  /// Whether this number of parts is kept.
  static func keeps(_ count: Int) -> Bool { count <= mostChildren }

  /// Compares with the type's own `==`; false if the type has none.
  func isEqual(to other: Any) -> Bool {
    func compare<Value: Equatable>(_ value: Value) -> Bool {
      (other as? Value).map { value == $0 } ?? false
    }
    guard let value = value as? any Equatable else { return false }
    return compare(value)
  }

  /// Replaces the value.
  ///
  /// An `==` may ignore fields. Therefore an equal value is read again, except an element of an
  /// array: its text costs most, and stays as it was first read.
  func become(_ value: Any, isEqual: @autoclosure () -> Bool) {
    if !isElement || !isEqual() { text = nil }
    self.value = value
    isEarlier = known != nil
  }
}
