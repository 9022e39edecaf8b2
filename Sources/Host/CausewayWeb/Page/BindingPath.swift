/// A path of a binding, such as `!item.note?` or `draft.title|title`.
///
/// `paths.js` reads the same grammar on the page. Both pass the cases of `Tests/BindingPaths`.
package struct BindingPath: Sendable, Hashable {
  package struct Alternative: Sendable, Hashable {
    package let text: String
    /// The names; a path into the row begins with `item`.
    package let steps: [String]
    /// Whether the path ends with a question mark.
    package let isOptional: Bool
    /// Whether the path starts in the row.
    package var isInRow: Bool { steps.first == "item" }
  }

  /// The number of exclamation marks at the beginning.
  private let negations: Int
  package let alternatives: [Alternative]

  /// Throws a sentence that says why the text is not a path.
  package init(_ expression: String) throws(BindingMistake) {
    let marks = expression.unicodeScalars.prefix { $0 == "!" }
    negations = marks.count
    let text = expression.unicodeScalars.dropFirst(negations)
    var found: [Alternative] = []
    for scalars in text.split(separator: "|", omittingEmptySubsequences: false) {
      let part = Substring(scalars)
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
  package var isOptional: Bool { alternatives.last?.isOptional ?? true }

  /// The value of the first alternative that has one, or whether there is none.
  ///
  /// - Parameter read: Returns the value at steps of the state, or of the row if they begin with
  ///   `item`.
  package func value(_ read: ([String]) throws -> JSONValue?) rethrows -> JSONValue? {
    var found: JSONValue?
    for alternative in alternatives {
      found = try read(alternative.steps)
      if let found, found != .null { break }
    }
    guard negations > 0 else { return found }
    return .bool((found?.isTrue ?? false) == negations.isMultiple(of: 2))
  }

  /// The value in a state and a row; `nil` if there is none.
  package func value(in state: JSONValue, row: JSONValue? = nil) -> JSONValue? {
    value { $0.first == "item" ? row?.value(at: $0.dropFirst()) : state.value(at: $0) }
  }

  /// Whether a part of the path starts in the row of a list.
  package var readsRow: Bool { alternatives.contains(where: \.isInRow) }

  private static func isName(_ step: String) -> Bool {
    !step.isEmpty && !step.unicodeScalars.contains(where: isSign)
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{FEFF}"
      || "[](){}<>=&+*/,;:!\"'`%^~\\?".unicodeScalars.contains(scalar)
  }
}

/// A sentence that says what is wrong with a binding.
package struct BindingMistake: Error {
  package let text: String

  init(_ text: String) { self.text = text }
}
