/// A path of a binding, such as `!item.note?` or `draft.title|title`.
struct BindingPath: Sendable, Hashable {
  struct Alternative: Sendable, Hashable {
    let text: String
    let steps: [String]
    /// Whether the path ends with a question mark.
    let isOptional: Bool
    /// Whether the path starts in the row.
    var isInRow: Bool { steps.first == "item" }
  }

  let alternatives: [Alternative]

  /// Throws a sentence that says why the text is not a path.
  init(_ expression: String) throws(BindingMistake) {
    var text = expression[...]
    while text.hasPrefix("!") { text.removeFirst() }
    var found: [Alternative] = []
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      let isOptional = part.hasSuffix("?")
      let path = String(isOptional ? part.dropLast() : part)
      if path.contains("?") {
        let mended = path.replacing("?", with: "") + "?"
        throw BindingMistake(
          "\"\(part)\" has a question mark inside; write it at the end: \"\(mended)\".")
      }
      let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard steps.allSatisfy(Self.isName) else {
        throw BindingMistake(
          "\"\(expression)\" is not a path; a path has names with dots in between, such as "
            + "\"draft.title\" or \"rows.0.name\".")
      }
      found.append(Alternative(text: path, steps: steps, isOptional: isOptional))
    }
    alternatives = found
  }

  /// Whether the value may be missing.
  var isOptional: Bool { alternatives.last?.isOptional ?? true }

  private static func isName(_ step: String) -> Bool {
    !step.isEmpty && !step.contains { $0.isWhitespace || "[](){}<>=&+*/,;:!\"'`%^~\\".contains($0) }
  }
}

/// A sentence that says what is wrong with a binding.
struct BindingMistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
