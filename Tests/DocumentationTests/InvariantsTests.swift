import Foundation
import Testing

/// The table in Documentation/Invariants.md and the tests that it names.
struct InvariantsTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
  }

  @Test func `the table names exactly the tests that exist`() throws {
    var rows: [String: Set<String>] = [:]
    for match in try text("Documentation/Invariants.md").matches(
      of: /\| \d+ \[\w+\]\(\.\.\/(?<file>[^)]+)\) \| (?<tests>.+) \|/)
    {
      rows[String(match.file)] = Set(match.tests.split(separator: "; ").map(String.init))
    }

    let folder = "Tests/CausewayTests/Invariants"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.repository.appending(path: folder).path())
    var tests: [String: Set<String>] = [:]
    for file in files where file.hasPrefix("Invariant") {
      let names = try text("\(folder)/\(file)").matches(of: /func `(?<name>[^`]+)`/)
      tests["\(folder)/\(file)"] = Set(names.map { String($0.name) })
    }

    #expect(!tests.isEmpty)
    for file in Set(rows.keys).union(tests.keys) {
      #expect(
        rows[file] == tests[file], "Correct the row of \(file) in Documentation/Invariants.md.")
    }
  }
}
