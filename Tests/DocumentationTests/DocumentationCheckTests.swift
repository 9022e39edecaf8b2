import Testing

/// The problems that the check of documented code finds.
struct DocumentationCheckTests {
  private func problems(_ document: String, _ file: String) -> [String] {
    DocumentationCheck(
      documents: [MarkdownDocument(path: "A.md", text: document)],
      files: [SnippetFile(path: "S.swift", text: file)]
    ).problems()
  }

  @Test func `a block that is a whole file is compiled`() {
    #expect(problems("Text\n\n```swift\nlet a = 1\n```\n", "let a = 1\n") == [])
  }

  @Test func `a block that is part of a file is compiled, ignoring indentation`() {
    let file = "func f() {\n  // snippet\n  if true {\n    g()\n  }\n\n  h()\n  // end\n}\n"
    #expect(problems("```swift\nif true {\n  g()\n}\n\nh()\n```", file) == [])
    #expect(problems("- item\n  ```swift\n  if true {\n    g()\n  }\n\n  h()\n  ```", file) == [])
  }

  @Test func `a block that appears unchanged in another test is compiled`() {
    let other = "func f() {\n  if true {\n    g()\n\n  }\n}\n"
    func problems(_ block: String) -> [String] {
      DocumentationCheck(
        documents: [MarkdownDocument(path: "A.md", text: "```swift\n\(block)\n```")], files: [],
        otherCode: [DocumentationCheck.lines(of: other)]
      ).problems()
    }
    #expect(problems("if true {\n  g()\n}") == [])
    #expect(problems("true {\n  g()\n}").count == 1)
    #expect(problems("if true {\n  h()\n}").count == 1)
  }

  @Test func `code that is not compiled is reported with the line that differs`() {
    let found = problems("```swift\nlet a = 1\nlet b = 2\n```", "let a = 1\nlet b = 3\n")
    #expect(found.count == 2)
    #expect(found[0].hasPrefix("A.md:1: no test compiles exactly this code. Line 2"))
    #expect(found[0].hasSuffix("S.swift:2"))
    #expect(found[1] == "S.swift:1: no document shows this snippet as it is")
  }

  @Test func `code without a similar snippet is reported with an explanation`() {
    let found = problems("Text\n```swift\nnonsense\n```\n```swift\nlet a = 1\n```", "let a = 1")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("A.md:2: no test compiles this code. Put it between") == true)
  }

  @Test(arguments: [
    ("<!-- not compiled: SwiftUI is not on Linux -->\n```swift\nText(a)\n```", [String]()),
    ("<!-- not compiled: other framework -->\n\n```swift\nText(a)\n```", []),
    ("<!-- not compiled: -->\n```swift\nText(a)\n```", ["A.md:2: the reason is missing"]),
    ("<!-- not compiled: x -->\nText\n```swift\nText(a)\n```", ["A.md:3: no test compiles this"]),
    ("```text\nanything\n```", []),
    ("```\nanything\n```", ["A.md:1: a code block without a language"]),
    ("```kotlin\nval a = 1\n```", ["A.md:1: kotlin is not among the languages"]),
    ("> ```swift\n> a\n> ```", ["A.md:1: a fence", "A.md:3: a fence"]),
    ("```text\nanything", ["A.md:1: a code block that does not end"]),
  ])
  func `exemptions need a reason, and no block is skipped`(
    document: String, beginnings: [String]
  ) {
    let found = problems(document, "let s = 1").filter { $0.hasPrefix("A.md") }
    #expect(found.count == beginnings.count, "\(found)")
    for (problem, beginning) in zip(found, beginnings) { #expect(problem.hasPrefix(beginning)) }
  }

  @Test(arguments: [
    ("// snippet\nlet a = 1\n", "S.swift:2: a // snippet without an // end"),
    ("let a = 1\n// end\n", "S.swift:2: an // end without"),
    ("  // snippet\nlet a = 1\n  // end\n", "S.swift:2: a line with less indentation"),
    ("#if false\nlet a = 1\n#endif\n", "S.swift:1: code that may not be compiled"),
    ("/* let a = 1 */\n", "S.swift:1: code that may not be compiled"),
  ])
  func `snippet files with hidden code are rejected`(file: String, beginning: String) {
    let found = problems("", file)
    #expect(found.contains { $0.hasPrefix(beginning) }, "\(found)")
  }
}
