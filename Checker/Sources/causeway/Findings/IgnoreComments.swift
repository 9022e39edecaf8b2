/// The `// causeway:ignore RULE reason` comments of a file.
///
/// A comment after code applies to its line. A comment on its own line applies to the next line of
/// code. Several rules are separated by commas. A comment without a reason has no effect.
struct IgnoreComments {
  private static let marker = "// causeway:ignore"
  /// The ignored rules of each line.
  private var rules: [Int: Set<String>] = [:]
  /// The lines of comments without a reason.
  private(set) var withoutReason: [Int] = []

  init(_ source: SourceFile) {
    guard source.text.utf8.count >= IgnoreComments.marker.utf8.count,
      source.text.contains(IgnoreComments.marker)
    else { return }
    var pending: Set<String> = []
    for number in 1...source.lineStarts.count {
      let line = source.line(number)
      let isComment = line.drop { $0 == " " || $0 == "\t" }.hasPrefix("//")
      if let comment = IgnoreComments.comment(in: line) {
        let words = comment.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard words.count == 2 else {
          withoutReason.append(number)
          continue
        }
        let names = Set(words[0].split(separator: ",").map(String.init))
        if isComment {
          pending.formUnion(names)
        } else {
          rules[number, default: []].formUnion(names)
        }
      }
      if !isComment {
        rules[number, default: []].formUnion(pending)
        pending = []
      }
    }
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
