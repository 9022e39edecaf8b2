/// A binding of a page file that can never work, or cannot work with the current view state.
struct BindingProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line in the page file.
  let line: Int
  /// The page file or the place of the template in the program, with the line.
  let place: String
  /// The attribute and its value, or the element.
  let subject: String
  /// The problem, and the name that was probably meant.
  let text: String

  var description: String { "\(place): \(subject): \(text)" }
}
