import Foundation
import Testing

@testable import causeway

/// A fault that people reported in public, as a small case in our own words.
///
/// The first line of its file names the repository and the fault, and the second line the rule that
/// finds it, or `missed`. Markers are in the code, as in `Fixture`.
struct ReportedFault: Sendable, CustomTestStringConvertible {
  let name: String
  let rule: String
  let fixture: Fixture

  var testDescription: String { name }

  static let all: [ReportedFault] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Reports")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.sorted().compactMap { name in
      let path = folder.appendingPathComponent(name).path
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      let lines = text?.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
      guard let lines, lines.count == 3 else { return nil }
      let rule = String(lines[1].dropFirst(3))
      // No rule finds a missed fault, so this can be any rule.
      let type: any Rule.Type = RuleSet.rule(rule) ?? YieldSpin.self
      return ReportedFault(name: name, rule: rule, fixture: Fixture(type, name, String(lines[2])))
    }
  }()
}

struct ReportedFaultTests {
  @Test(arguments: ReportedFault.all.filter { $0.rule != "missed" })
  func `The rule finds the reported fault`(fault: ReportedFault) {
    #expect(RuleSet.rule(fault.rule) != nil)
    #expect(!fault.fixture.isNegative)
    fault.fixture.verify()
  }

  // The README counts these faults. Rules that are off may report other things.
  @Test(arguments: ReportedFault.all.filter { $0.rule == "missed" })
  func `No default rule finds a fault that is listed as missed`(fault: ReportedFault) {
    let rules = RuleSet.all.filter { $0.isDefault }
    let check = Check(rules: rules, jobs: 1, progress: { _, _ in })
    let module = Check.Module(settings: fault.fixture.settings, files: [fault.fixture.source])
    #expect(fault.fixture.source.syntaxErrors.isEmpty)
    #expect(check.run([module]).findings.map(\.finding.rule) == [])
  }

  @Test func `The README has the number of reported and of missed faults`() throws {
    let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let missed = ReportedFault.all.filter { $0.rule == "missed" }.count
    #expect(
      text.contains("finds \(ReportedFault.all.count - missed) of \(ReportedFault.all.count)"))
  }
}
