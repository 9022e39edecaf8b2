/// Finds code in documents that is not compiled, and compiled snippets that no document shows.
struct DocumentationCheck {
  /// Languages other than Swift, with the reason why their blocks are not compiled.
  static let otherLanguages = [
    "text": "what a program prints",
    "sh": "commands for a shell",
    "html": "the markup of a page",
    "json": "data",
    "sql": "checked by the database when it runs",
  ]

  let documents: [MarkdownDocument]
  let files: [SnippetFile]
  /// Compiled code outside snippets, each line without its indentation, as in ``lines(of:)``.
  var otherCode: [String] = []

  /// The lines of a text without their indentation and without blank lines.
  static func lines(of text: String) -> String {
    "\n"
      + text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      .joined(separator: "\n") + "\n"
  }

  /// The problems, each with its place and remedy.
  ///
  /// Empty if there are none.
  func problems() -> [String] {
    var found: [String] = []
    for document in documents {
      found += document.problems.map { "\(document.path):\($0.line): \($0.text)" }
      for block in document.blocks {
        guard let problem = problem(of: block) else { continue }
        found.append("\(document.path):\(block.line): \(problem)")
      }
    }
    let shown = Set(documents.flatMap(\.blocks).map(\.code))
    for file in files {
      found += file.problems.map { "\(file.path):\($0.line): \($0.text)" }
      for snippet in file.snippets where !shown.contains(snippet.code) {
        found.append("\(file.path):\(snippet.line): no document shows this snippet as it is")
      }
    }
    return found
  }

  private func problem(of block: MarkdownDocument.CodeBlock) -> String? {
    if let exemption = block.exemption {
      return exemption.isEmpty ? "the reason is missing: <!-- not compiled: REASON -->" : nil
    }
    if block.language.isEmpty { return "a code block without a language; text is one" }
    if block.language != "swift" {
      return Self.otherLanguages[block.language] == nil
        ? "\(block.language) is not among the languages of DocumentationCheck.otherLanguages" : nil
    }
    let snippets = files.flatMap { file in file.snippets.map { (file.path, $0) } }
    if snippets.contains(where: { $0.1.code == block.code }) { return nil }
    let lines = Self.lines(of: block.code)
    if otherCode.contains(where: { $0.contains(lines) }) { return nil }
    let nearest = snippets.map { path, snippet in
      (path: path, snippet: snippet, count: commonLines(block.code, snippet.code))
    }.max { $0.count < $1.count }
    guard let nearest, nearest.count > 0 else {
      return """
        no test compiles this code. Put it between // snippet and // end into a file of \
        Tests/…Tests/Snippets, or write the reason above it: <!-- not compiled: REASON -->
        """
    }
    return """
      no test compiles exactly this code. Line \(nearest.count + 1) of it differs from \
      \(nearest.path):\(nearest.snippet.line + nearest.count)
      """
  }

  private func commonLines(_ left: String, _ right: String) -> Int {
    zip(
      left.split(separator: "\n", omittingEmptySubsequences: false),
      right.split(separator: "\n", omittingEmptySubsequences: false)
    ).prefix { $0 == $1 }.count
  }
}
