import SwiftSyntax

/// The `// causeway:ignore RULE reason` comments of a file.
///
/// A comment after code applies to its line. A comment on its own line applies to the next line of
/// code. Commas separate several rules. A comment without a reason has no effect. Strings and
/// documentation comments are ignored.
struct IgnoreComments {
  private static let marker = "// causeway:ignore"

  /// One rule that a comment names.
  struct Entry {
    let rule: String
    /// The 1-based line that the comment applies to; nil if no code follows the comment.
    let line: Int?
    /// The place of the comment, in UTF-8 bytes of the file's text.
    let range: Range<Int>
  }

  private(set) var entries: [Entry] = []
  /// The lines of comments without a reason.
  private(set) var withoutReason: [Int] = []
  /// The ignored rules of each line.
  private var rules: [Int: Set<String>] = [:]

  init(_ source: SourceFile) {
    guard source.text.utf8.count >= IgnoreComments.marker.utf8.count,
      source.text.contains(IgnoreComments.marker)
    else { return }
    for token in source.tree.tokens(viewMode: .sourceAccurate) {
      add(token.leadingTrivia, at: token.position.utf8Offset, in: source)
      add(token.trailingTrivia, at: token.end, in: source)
    }
  }

  private mutating func add(_ trivia: Trivia, at start: Int, in source: SourceFile) {
    var offset = start
    for piece in trivia {
      if case .lineComment(let text) = piece { add(text, at: offset, in: source) }
      offset += piece.sourceLength.utf8Length
    }
  }

  private mutating func add(_ comment: String, at offset: Int, in source: SourceFile) {
    guard let marker = comment.firstRange(of: IgnoreComments.marker) else { return }
    let (number, column) = source.location(of: offset)
    let words = comment[marker.upperBound...].split(separator: " ", maxSplits: 1)
    guard words.count == 2 else {
      withoutReason.append(number)
      return
    }
    let isAlone = source.line(number).utf8.prefix(column - 1).allSatisfy {
      $0 == 0x20 || $0 == 0x09
    }
    let line = isAlone ? IgnoreComments.codeLine(after: number, in: source) : number
    let start = offset + comment[..<marker.lowerBound].utf8.count
    for name in words[0].split(separator: ",").map(String.init) {
      entries.append(
        Entry(rule: name, line: line, range: start..<offset + comment.utf8.count))
      if let line { rules[line, default: []].insert(name) }
    }
  }

  private static func codeLine(after number: Int, in source: SourceFile) -> Int? {
    (number..<source.lineStarts.count).lazy.map { $0 + 1 }.first { number in
      let text = source.line(number).drop { $0 == " " || $0 == "\t" }
      return !text.isEmpty && !text.hasPrefix("//")
    }
  }

  /// Whether a comment ignores a rule at a 1-based line.
  func ignores(_ rule: String, line: Int) -> Bool { rules[line]?.contains(rule) == true }
}
