import Foundation
import Testing

@testable import causeway

struct SourceTests {
  private func findings(_ file: SourceFile) -> [LocatedFinding] {
    Check(rules: [RedundantMainActor.self], jobs: 1, progress: { _, _ in })
      .run([.init(settings: BuildSettings(), files: [file])]).findings
  }

  @Test func `CRLF, CR and LF end lines`() {
    let lines = ["@MainActor class A {", "  var x = 1", "  @MainActor var y = 2", "}"]
    for separator in ["\n", "\r\n", "\r"] {
      let file = SourceFile(path: "A.swift", text: lines.joined(separator: separator))
      let found = findings(file)
      #expect(found.map(\.line) == [3] && found.map(\.column) == [3])
      #expect(found.first.map { file.line($0.line) } == "  @MainActor var y = 2")
    }
  }

  @Test func `CRLF survives a fix`() {
    let file = SourceFile(
      path: "A.swift", text: "@MainActor class A {\r\n  @MainActor\r\n  func f() {}\r\n}\r\n")
    let check = Check(rules: [RedundantMainActor.self], jobs: 1, progress: { _, _ in })
    let outcome = Fixer(check: check).fix([.init(settings: BuildSettings(), files: [file])]) { _ in
      true
    }
    #expect(
      outcome.changed.first?.fixed.text == "@MainActor class A {\r\n  func f() {}\r\n}\r\n")
  }

  @Test func `A byte order mark does not move columns and survives a fix`() throws {
    try TemporaryFolder.with { folder in
      let code = "@MainActor class A { @MainActor var x = 1 }\n"
      try folder.write("A.swift", Data([0xEF, 0xBB, 0xBF]) + Data(code.utf8))
      let output = try causeway("check", "A.swift", in: folder.path).output
      #expect(output.hasPrefix("A.swift:1:22: warning"))
      try causeway("check", "--fix", "A.swift", in: folder.path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("A.swift")))
      #expect(bytes == Data([0xEF, 0xBB, 0xBF]) + Data("@MainActor class A { var x = 1 }\n".utf8))
    }
  }

  @Test func `Columns count UTF-8 bytes in text and UTF-16 units in SARIF`() throws {
    let file = SourceFile(
      path: "A.swift", text: "@MainActor class A { let s = \"👩‍👩‍👧é\"; @MainActor var x = 1 }")
    let found = findings(file)
    #expect(found.first?.column == 54)
    let sarif = try SARIFOutput.render(
      .init(findings: found), rules: [RedundantMainActor.self])
    #expect(sarif.contains("\"startColumn\" : 43"))
  }

  @Test func `Both branches of conditional compilation are checked`() {
    let file = SourceFile(
      path: "A.swift",
      text: """
        @MainActor class A {
          #if os(macOS)
          @MainActor func f() {}
          #else
          @MainActor func f() {}
          #endif
        }
        """)
    #expect(findings(file).map(\.line) == [3, 5])
  }

  @Test func `A file with syntax errors is reported and not changed`() throws {
    try TemporaryFolder.with { folder in
      let broken = "@MainActor class A { @MainActor func f( {} }"
      try folder.write("A.swift", broken)
      try folder.write("B.swift", "@MainActor class B { @MainActor var x = 1 }")
      let result = try causeway("check", "--fix", ".", in: folder.path)
      #expect(result.status == 1)
      #expect(result.output.contains("A.swift:1:") && result.output.contains("syntax error"))
      #expect(try folder.read("A.swift") == broken)
      #expect(try folder.read("B.swift") == "@MainActor class B { var x = 1 }")
    }
  }

  @Test func `Bytes that are not UTF-8 are reported`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", Data([0x6C, 0x65, 0x74, 0xFF, 0xFE]))
      let result = try causeway("check", "A.swift", in: folder.path)
      #expect(result.status == 2 && result.output.contains("not UTF-8"))
    }
  }

  @Test func `Deep nesting and long chains do not exhaust the stack`() throws {
    try TemporaryFolder.with { folder in
      let depth = 5_000
      try folder.write(
        "Chain.swift", "let x = a" + String(repeating: ".b { $0 }", count: depth))
      try folder.write(
        "Parentheses.swift",
        "let x = " + String(repeating: "(", count: depth) + "1"
          + String(repeating: ")", count: depth))
      try folder.write(
        "Else.swift",
        "func f() { if a {}" + String(repeating: " else if a {}", count: depth) + " }")
      try folder.write(
        "Blocks.swift",
        String(repeating: "if a { ", count: depth) + String(repeating: "}", count: depth))
      let result = try causeway("check", ".", in: folder.path)
      #expect(result.status == 1)
      #expect(result.output.contains("in 4 files"))
    }
  }

  @Test func `Long chains and many errors on a line take linear time`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("Chain.swift", "let x = a" + String(repeating: ".b", count: 10_000) + "\n")
      try folder.write("Errors.swift", "a" + String(repeating: " { }", count: 10_000) + "\n")
      let result = try causeway("check", ".", in: folder.path)
      #expect(result.status == 1 && result.output.contains("in 2 files"))
      #expect(result.output.components(separatedBy: "syntax error").count == 4)
    }
  }

  @Test(arguments: [
    ("class A {\n", "  func\n", "}\n"), ("extension A { struct B {\n", "init\n", "} }\n"),
    ("class A { func f() {\n", "a b; ", "} }\n"),
  ])
  func `Errors after the third are not diagnosed inside a type`(
    start: String, line: String, end: String
  ) {
    let file = SourceFile(
      path: "A.swift", text: start + String(repeating: line, count: 100) + end)
    #expect(file.syntaxErrors.count >= SourceFile.reportedErrors)
    #expect(file.syntaxErrors.count <= 2 * SourceFile.reportedErrors)
  }

  @Test(arguments: [
    ("let x = ", "[", "1", "]"), ("let x: ", "[A<", "B", ">]"), ("let x = ", "(A, [", "B", "])"),
    ("let x = ", "[", "", ""), ("let x = ", "(", "1", ")"), ("", "if a { ", "", "}"),
    ("let x: ", "A<", "B", ">"), ("let x: ", "A -> ", "B", ""), ("if case ", "let ", "a", ""),
    ("let x: ", "repeat ", "a", ""), ("let x: ", "some ", "a", ""), ("if ", "case ", "a", ""),
    ("let x = ", "\"\\(", "1", ")\""), ("", "#if A\n", "", "#endif\n"),
    ("", "#if(A)\n", "", "#endif\n"), ("", "#if\tA\n", "", "#endif\n"),
  ])
  func `Code that is nested too deeply is reported and other files are checked`(
    start: String, open: String, middle: String, close: String
  ) throws {
    try TemporaryFolder.with { folder in
      let depth = 100_000
      try folder.write(
        "A.swift",
        start + String(repeating: open, count: depth) + middle
          + String(repeating: close, count: depth) + "\n")
      try folder.write("B.swift", "@MainActor class B { @MainActor var x = 1 }\n")
      let result = try causeway("check", ".", in: folder.path)
      #expect(result.status == 1)
      #expect(
        result.output.contains("syntax error, the file is left out: the code is nested too deeply"))
      #expect(result.output.contains("B.swift:1:22: warning"))
    }
  }

  @Test(arguments: [
    // Brackets in comments and in strings.
    "// " + String(repeating: "[", count: 300) + "\n/* /* */ [[[[[[[[[[[[[[[[ */ let x = 1",
    ##"let x = #"[[[[[[[[[[[["[\([[["# + "\"[[[[[[[[[[[[[""##,
    "let x = \"\"\"\n  \"" + String(repeating: "[", count: 300) + "\\(a[\"b\"])\"\n  \"\"\"",
    String(repeating: "let x = \"\\(a(\"[\\(b)\"))[\"\n", count: 300),
    // Levels that are closed, comparisons, and a regular expression with a bracket.
    String(repeating: "f([a[0]], { [b] in a<b })\n", count: 300),
    "let x = " + String(repeating: #"["a": "#, count: 100) + "1"
      + String(repeating: "]", count: 100),
    String(repeating: "func f() { a(/\\[/) }\n", count: 300),
  ])
  func `Brackets that are not nested are accepted`(code: String) {
    #expect(SourceFile(path: "A.swift", text: code).syntaxErrors.map(\.message) == [])
  }
}
