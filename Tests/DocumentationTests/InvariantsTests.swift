import Testing

/// The table in Documentation/Invariants.md and the listed tests.
struct InvariantsTests {
  @Test func `the table lists exactly the existing tests`() throws {
    var rows: [String: Set<String>] = [:]
    for match in try Repository.text("Documentation/Invariants.md").matches(
      of: /\| \d+ \[\w+\]\(\.\.\/(?<file>[^)]+)\) \| (?<tests>.+) \|/)
    {
      rows[String(match.file)] = Set(match.tests.split(separator: "; ").map(String.init))
    }

    let folder = "Tests/CausewayTests/Invariants"
    let files = try Repository.files(in: folder) { $0.hasSuffix(".swift") }
    var tests: [String: Set<String>] = [:]
    for file in files where file.contains("/Invariants/Invariant") {
      let names = try Repository.text(file).matches(of: /func `(?<name>[^`]+)`/)
      tests[file] = Set(names.map { String($0.name) })
    }

    #expect(!tests.isEmpty)
    for file in Set(rows.keys).union(tests.keys) {
      #expect(
        rows[file] == tests[file], "Correct the row of \(file) in Documentation/Invariants.md.")
    }
  }
}
