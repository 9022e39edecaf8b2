/// The `// causeway:ignore RULE reason` comments of a file.
///
/// A comment after code applies to its line. A comment on its own line applies to the next line of
/// code. Several rules are separated by commas. A comment without a reason has no effect.
struct IgnoreComments {
  private static let marker = "// causeway:ignore"

  /// One rule that a comment names.
  struct Entry: Hashable {
    let rule: String
    /// The 1-based line that the comment applies to; nil if no code follows the comment.
    var line: Int?
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
    var pending: [Entry] = []
    for number in 1...source.lineStarts.count {
      let line = source.line(number)
      let isComment = line.drop { $0 == " " || $0 == "\t" }.hasPrefix("//")
      if let comment = IgnoreComments.comment(in: line) {
        let words = comment.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard words.count == 2 else {
          withoutReason.append(number)
          continue
        }
        let end = source.lineStarts[number - 1] + line.utf8.count
        let start = end - comment.utf8.count - IgnoreComments.marker.utf8.count
        for name in words[0].split(separator: ",") {
          let entry = Entry(
            rule: String(name), line: isComment ? nil : number, range: start..<end)
          if isComment { pending.append(entry) } else { add(entry) }
        }
      }
      if !isComment {
        for var entry in pending {
          entry.line = number
          add(entry)
        }
        pending = []
      }
    }
    entries += pending
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    if let line = entry.line { rules[line, default: []].insert(entry.rule) }
  }

  /// Whether a comment ignores a rule at a 1-based line.
  func ignores(_ rule: String, line: Int) -> Bool { rules[line]?.contains(rule) == true }

  /// The text after the marker.
  ///
  /// A marker in a string literal does not count.
  private static func comment(in line: Substring) -> Substring? {
    var rest = line
    while let slash = rest.firstIndex(of: "/") {
      rest = rest[slash...]
      if rest.hasPrefix(marker) {
        let quotes = line[..<rest.startIndex].count { $0 == "\"" }
        return quotes.isMultiple(of: 2) ? rest.dropFirst(marker.count) : nil
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
