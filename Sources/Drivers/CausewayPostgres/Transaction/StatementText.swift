/// The commands of the statements in a text.
struct StatementText {
  /// The first word of each statement, in upper case, or ``rollbackTo``.
  private(set) var commands: [String] = []

  private static let transactionCommands: Set = [
    "ABORT", "BEGIN", "COMMIT", "END", "ROLLBACK", "START",
  ]

  /// The command that undoes what has happened since a savepoint.
  static let rollbackTo = "ROLLBACK TO"

  /// Whether a statement begins or ends a transaction.
  var controlsTransaction: Bool { commands.contains(where: Self.transactionCommands.contains) }

  /// Whether a statement may change the schema.
  var changesSchema: Bool { commands.contains(where: ["ALTER", "CREATE", "DROP"].contains) }

  /// - Complexity: O(length of the text).
  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    while let command = scanner.nextStatement() { commands.append(command) }
  }

  /// Skips comments, quoted text and the bodies of functions.
  private struct Scanner {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
      let index = position + offset
      return bytes.indices.contains(index) ? bytes[index] : nil
    }

    /// Returns the first word of the next statement, and moves past the statement.
    mutating func nextStatement() -> String? {
      var command: String?
      // A function with the body BEGIN ATOMIC … END contains semicolons.
      var isAtomic = false
      while let next = byte() {
        switch next {
        case UInt8(ascii: ";"):
          position += 1
          if command != nil, !isAtomic { return command }
        case UInt8(ascii: "'"):
          skipQuoted(UInt8(ascii: "'"), escapes: isEscapeString)
          command = command ?? "'"
        case UInt8(ascii: "\""):
          skipQuoted(UInt8(ascii: "\""), escapes: false)
          command = command ?? "\""
        case UInt8(ascii: "$"):
          skipDollarQuoted()
          command = command ?? "$"
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
          while let byte = byte(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            position += 1
          }
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
          skipComment()
        default:
          guard Self.isWordStart(next) else {
            position += 1
            if !Self.isSpace(next) { command = command ?? "" }
            continue
          }
          let word = takeWord()
          if word == "ATOMIC", command == "CREATE" { isAtomic = true }
          if word == "END" { isAtomic = false }
          // Only the form with a savepoint has this word.
          if word == "TO", command == "ROLLBACK" { command = StatementText.rollbackTo }
          command = command ?? word
        }
      }
      return command
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

    private static func isWordStart(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte >= 0x80
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      isWordStart(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "$")
    }

    /// Whether the quote at the position belongs to a text such as `E'\''`.
    private var isEscapeString: Bool {
      guard position > 0, bytes[position - 1] | 0x20 == UInt8(ascii: "e") else { return false }
      return position < 2 || !Self.isWord(bytes[position - 2])
    }

    private mutating func takeWord() -> String {
      let start = position
      while let byte = byte(), Self.isWord(byte) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self).uppercased()
    }

    private mutating func skipQuoted(_ quote: UInt8, escapes: Bool) {
      position += 1
      while let next = byte() {
        position += 1
        if escapes, next == UInt8(ascii: "\\") {
          position += 1
        } else if next == quote {
          guard byte() == quote else { return }
          position += 1
        }
      }
    }

    private mutating func skipDollarQuoted() {
      var end = position + 1
      while end < bytes.count, Self.isWord(bytes[end]), bytes[end] != UInt8(ascii: "$") { end += 1 }
      let isNumber = byte(1).map { (0x30...0x39).contains($0) } ?? true
      guard end < bytes.count, bytes[end] == UInt8(ascii: "$"), !isNumber else {
        position += 1
        return
      }
      let tag = bytes[position...end]
      position = end + 1
      while position < bytes.count {
        if bytes[position...].starts(with: tag) {
          position += tag.count
          return
        }
        position += 1
      }
    }

    private mutating func skipComment() {
      var depth = 0
      repeat {
        if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
          depth += 1
          position += 2
        } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
          depth -= 1
          position += 2
        } else {
          position += 1
        }
      } while depth > 0 && position < bytes.count
    }
  }
}
