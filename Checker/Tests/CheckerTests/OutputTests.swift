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
    #expect((document["problems"] as? [[String: Any]])?.first?["file"] as? String == "Broken.swift")
  }

  @Test func `GitHub's commands escape what has a meaning in them`() {
    let lines = GitHubOutput.render(report()).split(separator: "\n")
    #expect(lines.first?.hasPrefix("::error file=Broken.swift,line=1,col=") == true)
    #expect(
      lines.contains { line in
        line.hasPrefix(
          "::warning file=Sources/My App/A%2Cb.swift,line=2,endLine=2,col=2,endColumn=12,"
            + "title=redundant-main-actor::")
      })
  }

  @Test func `Tabs stay below tabs, and wide characters take two columns`() {
    let source = SourceFile(
      path: "A.swift", text: "@MainActor class A {\n\tlet a = \"👍\"; @MainActor var x = 1\n}\n")
    let check = Check(rules: [RedundantMainActor.self], jobs: 1, progress: { _, _ in })
    let text = TextOutput.render(
      check.run([.init(settings: BuildSettings(), files: [source])]))
    #expect(text.contains("  \tlet a = \"👍\"; @MainActor var x = 1\n  \t              ^\n"))
  }

  /// The requirements of the SARIF 2.1.0 schema for the objects that are written.
  @Test func `SARIF has the required properties with the right types`() throws {
    let data = Data(try SARIFOutput.render(report(), rules: RuleSet.all).utf8)
    let log = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(log.keys) == ["$schema", "version", "runs"] && log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"] as? String))
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] is String)
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(Set(rules.compactMap { $0["id"] as? String }).count == rules.count)
    for rule in rules {
      for key in ["shortDescription", "fullDescription", "help"] {
        #expect(((rule[key] as? [String: Any])?["text"] as? String)?.isEmpty == false)
      }
      let configuration = try #require(rule["defaultConfiguration"] as? [String: Any])
      #expect(configuration["enabled"] is Bool)
      #expect(["none", "note", "warning", "error"].contains(configuration["level"] as? String))
    }
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 2)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      #expect((result["message"] as? [String: Any])?["text"] is String)
      #expect(result["partialFingerprints"] is [String: String])
      try verify(locations: result["locations"])
      for fix in result["fixes"] as? [[String: Any]] ?? [] {
        let change = try #require((fix["artifactChanges"] as? [[String: Any]])?.first)
        #expect((change["artifactLocation"] as? [String: Any])?["uri"] is String)
        let replacement = try #require((change["replacements"] as? [[String: Any]])?.first)
        try verify(region: replacement["deletedRegion"])
        #expect((replacement["insertedContent"] as? [String: Any])?["text"] is String)
      }
    }
    let notifications = invocation["toolExecutionNotifications"] as? [[String: Any]]
    try verify(locations: notifications?.first?["locations"])
  }

  private func verify(locations: Any?) throws {
    let location = try #require((locations as? [[String: Any]])?.first)
    let place = try #require(location["physicalLocation"] as? [String: Any])
    let uri = try #require((place["artifactLocation"] as? [String: Any])?["uri"] as? String)
    // A URI reference has no blanks.
    #expect(!uri.contains(" ") && URL(string: uri) != nil)
    try verify(region: place["region"])
  }

  private func verify(region: Any?) throws {
    let region = try #require(region as? [String: Any])
    let allowed: Set<String> = ["startLine", "startColumn", "endLine", "endColumn"]
    #expect(Set(region.keys).isSubset(of: allowed))
    for value in region.values { #expect((value as? Int).map { $0 >= 1 } == true) }
  }
}
