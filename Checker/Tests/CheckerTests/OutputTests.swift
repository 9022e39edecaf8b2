import Foundation
import Testing

@testable import causeway

struct OutputTests {
  private func report() -> Check.Report {
    let source = SourceFile(
      path: "Sources/My App/A,b.swift",
      text:
        "@MainActor final class A {\n\t@MainActor var x = 1\n  func f() async {\n    let y = await "
        + "MainActor.run { 1 }\n    print(y)\n  }\n}\n")
    let broken = SourceFile(path: "Broken.swift", text: "func f( {}")
    return Check(rules: RuleSet.all, jobs: 1, progress: { _, _ in })
      .run([.init(settings: BuildSettings(), files: [source, broken])])
  }

  @Test func `JSON has every finding with its place and its fix`() throws {
    let data = Data(try JSONOutput.render(report()).utf8)
    let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.map { $0["rule"] as? String } == ["redundant-main-actor", "main-actor-run"])
    #expect(findings[0]["line"] as? Int == 2 && findings[0]["column"] as? Int == 2)
    #expect((findings[0]["fixes"] as? [Any])?.count == 1)
    #expect((findings[1]["fixes"] as? [Any])?.isEmpty == true)
    let problem = try #require((document["problems"] as? [[String: Any]])?.first)
    #expect(problem["file"] as? String == "Broken.swift")
    #expect(problem["severity"] as? String == "error")
  }

  @Test func `Special characters are escaped in GitHub commands`() {
    let lines = GitHubOutput.render(report()).split(separator: "\n")
    #expect(lines.first?.hasPrefix("::error file=Broken.swift,line=1,col=") == true)
    #expect(
      lines.contains { line in
        line.hasPrefix(
          "::warning file=Sources/My App/A%2Cb.swift,line=2,endLine=2,col=2,endColumn=12,"
            + "title=redundant-main-actor::")
      })
  }

  @Test func `The caret is below its character after tabs and wide characters`() {
    let source = SourceFile(
      path: "A.swift", text: "@MainActor class A {\n\tlet a = \"👍\"; @MainActor var x = 1\n}\n")
    let check = Check(rules: [RedundantMainActor.self], jobs: 1, progress: { _, _ in })
    let text = TextOutput.render(
      check.run([.init(settings: BuildSettings(), files: [source])]))
    #expect(text.contains("  \tlet a = \"👍\"; @MainActor var x = 1\n  \t              ^\n"))
  }
}
