/// A part of a state, and what was read of it.
///
/// The state before a step is usually the one after the step before it. Its parts are kept with
/// their texts, so a step reads only what it has changed.
///
/// Isolation: that of its owner.
final class StatePart {
  /// A direct part; a field has its name as the label, and a payload that of its case.
  typealias Child = (label: String?, part: StatePart)

  /// The largest number of parts that are kept.
  private static let mostChildren = 200

  let value: Any
  /// The kept text of the value, after it was made.
  var text: String?
  /// Whether the children are the elements of an array, whose texts are those of the array.
  var isList = false
  private var known: [Child]?

  init(_ value: Any) {
    self.value = value
  }

  /// The direct parts; they are read once if they are kept.
  var children: [Child] {
    get {
      if let known { return known }
      let children = Mirror(reflecting: value).children.map { ($0.label, StatePart($0.value)) }
      if Self.keeps(children.count) { known = children }
      return children
    }
    set { known = newValue }
  }

  /// The number of the direct parts.
  var count: Int { known?.count ?? Mirror(reflecting: value).children.count }

  /// Whether this number of parts is kept.
  static func keeps(_ count: Int) -> Bool { count <= mostChildren }
}
