/// Finds the place where code is nested too deeply for the parser.
///
/// The parser rejects more than 256 levels of brackets. It can overflow the stack in generic
/// arguments. Its time doubles with each level of `[` that can begin a type, as in `[[[1]]]`.
///
/// This scan takes linear time. It skips comments and the text of strings. It may count a bracket
/// in a regular expression as open, until the enclosing bracket is closed.
struct NestingScanner {
  /// The largest numbers of levels that the parser handles in a short time.
  enum Limit {
    static let brackets = 256
    /// Generic arguments and function types on one line.
    static let angles = 256
    /// Words on one line with only blanks between them, as in `some some A`.
    static let words = 256
    /// `[` without a string or a brace between them.
    static let squares = 12
    /// `#if` inside `#if`.
    static let conditions = 64
  }

  private enum Level {
    /// A bracket with the byte that closes it, and the number of squares before it.
    case bracket(closing: UInt8, squaresBefore: Int)
    /// An interpolation in a string.
    case interpolation(StringDelimiter)
  }

  private struct StringDelimiter {
    let poundCount: Int
    let isMultiline: Bool
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var levels: [Level] = []
  /// The open squares since the last string or brace.
  private var squares = 0
  /// The open angle brackets and the arrows since the last line break.
  private var angles = 0
  private var words = 0
  private var conditions = 0
  private var isInWord = false

  /// The offset of the first bracket beyond a limit; nil if there is none.
  static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var scanner = NestingScanner(bytes: bytes)
    return scanner.scan()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func scan() -> Int? {
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index += 1
      countWord(byte)
      switch byte {
      case UInt8(ascii: "("): open(closing: UInt8(ascii: ")"), squares: squares)
      case UInt8(ascii: "["): open(closing: UInt8(ascii: "]"), squares: squares + 1)
      case UInt8(ascii: "{"): open(closing: UInt8(ascii: "}"), squares: 0)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(byte)
      case UInt8(ascii: "<"): angles += 1
      case UInt8(ascii: ">"):
        let isArrow = start > 0 && bytes[start - 1] == UInt8(ascii: "-")
        angles = isArrow ? angles + 1 : max(0, angles - 1)
      case 0x0A, 0x0D: angles = 0
      case UInt8(ascii: "/"): skipComment()
      case UInt8(ascii: "#"), UInt8(ascii: "\""):
        index = start
        if starts(withWord: "#if") { conditions += 1 }
        if starts(withWord: "#endif") { conditions = max(0, conditions - 1) }
        skipLiteral()
      default: break
      }
      if levels.count > Limit.brackets || squares > Limit.squares || angles > Limit.angles
        || words > Limit.words || conditions > Limit.conditions
      {
        return start
      }
    }
    return nil
  }

  private mutating func countWord(_ byte: UInt8) {
    if NestingScanner.isWordByte(byte) {
      if !isInWord { words += 1 }
      isInWord = true
    } else {
      isInWord = false
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { words = 0 }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func open(closing: UInt8, squares: Int) {
    levels.append(.bracket(closing: closing, squaresBefore: self.squares))
    self.squares = squares
  }

  /// Closes the nearest level that the byte closes, and the unclosed levels inside it.
  private mutating func close(_ byte: UInt8) {
    for position in levels.indices.reversed() {
      switch levels[position] {
      case .bracket(closing: byte, let squaresBefore):
        levels.removeSubrange(position...)
        squares = squaresBefore
        return
      case .bracket: continue
      case .interpolation(let delimiter):
        guard byte == UInt8(ascii: ")") else { return }
        levels.removeSubrange(position...)
        squares = 0
        skipText(delimiter)
        return
      }
    }
  }

  /// Skips a comment whose first slash was read.
  private mutating func skipComment() {
    if byte(at: index) == UInt8(ascii: "/") {
      while let byte = byte(at: index), byte != 0x0A, byte != 0x0D { index += 1 }
    } else if byte(at: index) == UInt8(ascii: "*") {
      index += 1
      var depth = 1
      while depth > 0, index < bytes.count {
        if starts(with: "*/") {
          depth -= 1
          index += 2
        } else if starts(with: "/*") {
          depth += 1
          index += 2
        } else {
          index += 1
        }
      }
    }
  }

  /// Skips a string up to its end, or up to its first interpolation.
  ///
  /// Number signs without a string after them are skipped too.
  private mutating func skipLiteral() {
    let poundCount = count(of: UInt8(ascii: "#"))
    index += poundCount
    guard byte(at: index) == UInt8(ascii: "\"") else { return }
    squares = 0
    let isMultiline = starts(with: "\"\"\"")
    index += isMultiline ? 3 : 1
    skipText(StringDelimiter(poundCount: poundCount, isMultiline: isMultiline))
  }

  /// Skips the text of a string up to its end or to an interpolation.
  private mutating func skipText(_ delimiter: StringDelimiter) {
    while let byte = byte(at: index) {
      if byte == UInt8(ascii: "\\") {
        index += 1
        guard count(of: UInt8(ascii: "#")) >= delimiter.poundCount else { continue }
        index += delimiter.poundCount
        if self.byte(at: index) == UInt8(ascii: "(") {
          index += 1
          levels.append(.interpolation(delimiter))
          return
        }
        // A single-line string ends at the line break after a backslash too.
        if let escaped = self.byte(at: index), escaped != 0x0A, escaped != 0x0D { index += 1 }
      } else if byte == UInt8(ascii: "\""), !delimiter.isMultiline || starts(with: "\"\"\"") {
        index += delimiter.isMultiline ? 3 : 1
        if count(of: UInt8(ascii: "#")) >= delimiter.poundCount {
          index += delimiter.poundCount
          return
        }
      } else if !delimiter.isMultiline, byte == 0x0A || byte == 0x0D {
        return
      } else {
        index += 1
      }
    }
  }

  private func byte(at position: Int) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private func starts(with text: StaticString) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
  }

  private func starts(withWord word: StaticString) -> Bool {
    guard starts(with: word) else { return false }
    return byte(at: index + word.utf8CodeUnitCount).map { !NestingScanner.isWordByte($0) } ?? true
  }

  /// The number of times that a byte is repeated at the current position.
  private func count(of byte: UInt8) -> Int {
    bytes[index...].prefix { $0 == byte }.count
  }
}
