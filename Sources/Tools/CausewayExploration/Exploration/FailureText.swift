/// The comparison of the texts of two failures.
package enum FailureText {
  /// The words of a text before its first number or value; if there are none, all of its words.
  package static func words(_ text: String) -> Substring {
    let words = text.prefix { !$0.isNumber && !"[({\"'".contains($0) }
    return words.contains(where: \.isLetter) ? words : text.filter { !$0.isNumber }[...]
  }
}
