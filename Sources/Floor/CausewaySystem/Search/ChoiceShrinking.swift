/// Replaces choices of a failing trial by the first option, many at once and then one by one.
///
/// The first option of a choice is the usual order. So the final trial differs from the usual order
/// only in the choices that its failure needs.
package struct ChoiceShrinking {
  /// The choices of the shortest failing trial so far.
  package private(set) var choices: [Int]
  /// The places of the choices that are not the first option.
  private var places: [Int]
  private var parts: PartShrinking

  package init(_ choices: [Int]) {
    self.choices = choices
    places = Self.places(in: choices)
    parts = PartShrinking(count: places.count)
  }

  /// Returns the choices of the next trial to try; `nil` at the end.
  package mutating func next() -> [Int]? {
    guard let range = parts.next() else { return nil }
    var calmer = choices
    for place in places[range] { calmer[place] = 0 }
    return calmer
  }

  /// Continues from the choices of the last trial, because it failed too.
  ///
  /// - Parameter choices: The choices that the trial has made. Fewer of them differ from the first
  ///   option.
  package mutating func keep(_ choices: [Int]) {
    self.choices = choices
    places = Self.places(in: choices)
    parts.keep(count: places.count)
  }

  private static func places(in choices: [Int]) -> [Int] {
    choices.indices.filter { choices[$0] != 0 }
  }
}
