/// Recognises the expressions that `ValueNode` writes.
///
/// A recording can come from an untrusted source, and its values become the code of a test. So a
/// value may contain literals, cases, types and their initialisers, but no call of a function or
/// method.
struct ValueSyntax {
  private var rest: Substring
  private var brackets: [Character] = []

  /// Whether a text is such an expression.
  ///
  /// Complexity: O(*n*) in the length of the text.
  static func accepts(_ text: String) -> Bool {
    var syntax = ValueSyntax(rest: text[...])
    return !text.isEmpty && syntax.read()
  }

  private init(rest: Substring) {
    self.rest = rest
  }

  private mutating func read() -> Bool {
    /// The kind of the text before the next word: a word, a dot, or a dot after a word.
    var (isAfterWord, isAfterDot, isMember) = (false, false, false)
    while let first = rest.first {
      if first == "\"" {
        guard readText() else { return false }
        (isAfterWord, isAfterDot) = (true, false)
      } else if first.isASCII, first.isNumber {
        _ = take { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "e") }
        (isAfterWord, isAfterDot) = (true, false)
      } else if first.isLetter || first == "_" {
        let word = take { $0.isLetter || $0.isNumber || $0 == "_" }
        let isImplicit = isAfterDot && !isMember
        guard isImplicit || word.first?.isUppercase == true || isConstant(word) else {
          return false
        }
        (isAfterWord, isAfterDot) = (true, false)
      } else {
        rest.removeFirst()
        switch first {
        case "(", "[": brackets.append(first)
        case ")": if brackets.popLast() != "(" { return false }
        case "]": if brackets.popLast() != "[" { return false }
        case ".": (isMember, isAfterDot) = (isAfterWord, true)
        case ",", ":", "-", "+", "!", " ": break
        default: return false
        }
        if first != "." { isAfterDot = false }
        isAfterWord = first == ")" || first == "]"
      }
    }
    return brackets.isEmpty
  }

  /// Whether a word may be there although it is not a type: a constant, or the label of a value.
  private func isConstant(_ word: String) -> Bool {
    ["true", "false", "nil"].contains(word) || (rest.hasPrefix(": ") && !brackets.isEmpty)
  }

  /// Reads a text without interpolations.
  private mutating func readText() -> Bool {
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character == "\"" { return true }
      if character.isNewline { return false }
      if character == "\\", let next = rest.popFirst(), next == "(" { return false }
    }
    return false
  }

  private mutating func take(_ isPart: (Character) -> Bool) -> String {
    let word = rest.prefix(while: isPart)
    rest = rest[word.endIndex...]
    return String(word)
  }
}
