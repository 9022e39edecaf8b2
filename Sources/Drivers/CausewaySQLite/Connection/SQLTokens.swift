/// The words and signs of a statement, without comments.
///
/// It works on bytes, as SQLite does, and accepts every text.
struct SQLTokens {
  enum Kind: Equatable {
    /// A keyword or a name without quotes.
    case word
    /// A name in quotes.
    case name
    case literal
    case sign
  }

  struct Token {
    let kind: Kind
    /// The word with its ASCII letters in lower case, the name without its quotes, or the sign.
    let text: String
    /// The number of opened parentheses around the token.
    let depth: Int
    let end: Int

    /// - Parameter word: A keyword in lower case.
    func isWord(_ word: String) -> Bool { kind == .word && text == word }
  }

  private(set) var tokens: [Token] = []

  /// - Complexity: O(length of the text).
  init(_ text: String) {
    let bytes = Array(text.utf8)
    var (position, depth) = (0, 0)
    while position < bytes.count {
      let start = position
      let rest = bytes[start...]
      func end(after mark: StaticString, from index: Int) -> Int {
        let mark = mark.withUTF8Buffer(Array.init)
        return bytes[min(index, bytes.count)...].indices
          .first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count } ?? bytes.count
      }
      func add(_ kind: Kind, _ text: String = "") {
        tokens.append(Token(kind: kind, text: text, depth: depth, end: position))
      }
      switch Unicode.Scalar(bytes[start]) {
      case "'", "\"", "`":
        let quote = bytes[start]
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
          if bytes[position] == quote {
            position += 1
            // A doubled quote belongs to the text.
            guard position < bytes.count, bytes[position] == quote else { break }
          }
          text.append(bytes[position])
          position += 1
        }
        add(quote == UInt8(ascii: "'") ? .literal : .name, String(decoding: text, as: UTF8.self))
      case "[":
        position = end(after: "]", from: start)
        add(
          .name, String(decoding: bytes[(start + 1)..<max(start + 1, position - 1)], as: UTF8.self))
      case "-" where rest.starts(with: "--".utf8): position = end(after: "\n", from: start)
      case "/" where rest.starts(with: "/*".utf8): position = end(after: "*/", from: start + 2)
      case "(":
        position += 1
        add(.sign, "(")
        depth += 1
      case ")":
        position += 1
        depth -= 1
        add(.sign, ")")
      default:
        let word = rest.prefix {
          $0 >= 0x80 || $0 == 0x24 || $0 == 0x5F || (0x30...0x39).contains($0)
            || (0x61...0x7A).contains($0 | 0x20)
        }
        position += max(1, word.count)
        if !word.isEmpty {
          // SQLite ignores the case of ASCII letters only.
          let lower = word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
          add(.word, String(decoding: lower, as: UTF8.self))
        } else if bytes[start] > 0x20 {
          add(.sign, String(UnicodeScalar(bytes[start])))
        }
      }
    }
  }
}
