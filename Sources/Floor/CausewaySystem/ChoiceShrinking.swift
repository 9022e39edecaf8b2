/// Replaces the choices of a failing trial by the first option, many at once and then one by one.
///
/// The first option of a choice is the usual order. So the trial that is left has the choices that its
/// failure needs.
package struct ChoiceShrinking {
  /// The choices of the shortest failing trial so far.
  package private(set) var choices: [Int]
  private var size: Int
  private var start = 0

  package init(_ choices: [Int]) {
    self.choices = choices
    size = max(1, choices.count / 2)
  }

  /// Returns the choices of the next trial to try; `nil` at the end.
  package mutating func next() -> [Int]? {
    while size > 0 {
      while start < choices.count {
        let range = start..<min(start + size, choices.count)
        start = range.upperBound
        guard choices[range].contains(where: { $0 != 0 }) else { continue }
        var calmer = choices
        for index in range { calmer[index] = 0 }
        return calmer
      }
      start = 0
      size /= 2
    }
    return nil
  }

  /// Goes on from a trial that fails as well.
  package mutating func keep(_ choices: [Int]) { self.choices = choices }
}
