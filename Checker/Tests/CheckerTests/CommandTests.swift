import Foundation
import Testing

@testable import causeway

struct CommandTests {
  private static let redundant = "@MainActor final class A {\n  @MainActor func f() {}\n}\n"

  @Test func `The status is 0 without findings, 1 with findings, and 2 after an error`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("Clean.swift", "struct A {}\n")
      #expect(try causeway("check", folder.path).status == 0)
      try folder.write("Bad.swift", CommandTests.redundant)
      #expect(try causeway("check", folder.path).status == 1)
      #expect(try causeway("check", folder.path + "/none").status == 2)
      #expect(try causeway("check", "--format", "xml", folder.path).status == 2)
      #expect(try causeway("check", "--only", "no-such-rule", folder.path).status == 2)
      #expect(try causeway("frobnicate").status == 2)
    }
  }

  @Test func `The text shows the place, the line, a caret, the advice and a table`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", CommandTests.redundant)
      let output = try causeway("check", "A.swift", in: folder.path).output
      #expect(
        output == """
          A.swift:2:3: warning: '@MainActor' is redundant: the members of 'A' are on the main actor \
          [redundant-main-actor]
              @MainActor func f() {}
              ^
            remove the attribute (--fix does it)

          redundant-main-actor      1  1 fixable
          1 finding in 1 file.

          """)
    }
  }

  @Test func `The last line names the reason of a status of 1`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("Broken.swift", "func f( {}\n")
      try folder.write("Bare.swift", "let a = 1 // causeway:ignore reentrancy\n")
      let outcome = try causeway("check", folder.path)
      #expect(outcome.status == 1)
      #expect(outcome.output.hasSuffix("\n2 problems in 2 files.\n"))
    }
  }

  @Test func `The version is printed`() throws {
    #expect(try causeway("--version").output.hasPrefix("causeway 0."))
  }

  @Test func `--only and --skip choose the rules`() throws {
    #expect(try Arguments(["--only", "reentrancy"]).rules.map { $0.id } == ["reentrancy"])
    let skipped = try Arguments(["--skip", "main-actor-run,main-actor-task"]).rules.map { $0.id }
    #expect(!skipped.contains("main-actor-run") && skipped.contains("redundant-main-actor"))
    #expect(!skipped.contains("reentrancy"))
  }

  @Test(arguments: [
    ["--jobs", "0"], ["--jobs", "many"], ["--format"], ["--what"],
    ["--default-isolation", "Foo"], ["--explain", "nothing"], ["--fix=no"], ["--update-baseline=b"],
    ["--swift-version", "9"], ["--swift-version", "5", "--swift-version", "6"],
    ["--upcoming-feature", "ExistentialAnny"], ["--only", "reentrancy", "--skip", "reentrancy"],
    ["--default-isolation", "MainActor", "--default-isolation", "nonisolated"],
    ["--fix", "--baseline", "b", "--update-baseline"], ["--stdin"],
    ["--path", "A.swift"],
    ["--stdin", "--path", "A.swift", "--fix"], ["--stdin", "--path", "A.swift", "B.swift"],
  ])
  func `Invalid arguments are rejected`(words: [String]) {
    #expect(throws: ArgumentError.self) { try Arguments(words) }
  }

  @Test func `Text from standard input is checked with the settings of its path`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "p", targets: [
          .target(name: "A", swiftSettings: [.defaultIsolation(MainActor.self)])])
        """)
      try folder.write("Sources/A/A.swift", "func f() {}\n")
      let arguments = "check --stdin --path Sources/A"
      for path in ["A.swift", "New.swift"] {
        let command = "printf '@MainActor func f() {}' | \(Products.causeway) \(arguments)/\(path)"
        let outcome = try run("/bin/sh", ["-c", command], in: folder.path)
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("Sources/A/\(path):1:1: warning: '@MainActor'"))
      }
    }
  }

  @Test func `The configuration file gives rules, paths and a baseline`() throws {
    let file = try ConfigurationFile(
      """
      # rules
      enabled: [unstored-task, "reentrancy"]
      disabled:
        - main-actor-run   # we like it
        - 'main-actor-task'
      paths:
      - Sources
      baseline: known #1.json
      """)
    #expect(file.enabled == ["unstored-task", "reentrancy"])
    #expect(file.disabled == ["main-actor-run", "main-actor-task"])
    #expect(file.paths == ["Sources"] && file.baseline == "known")
    var arguments = try Arguments(["--skip", "reentrancy"])
    arguments.apply(file)
    let rules = arguments.rules.map { $0.id }
    #expect(rules.contains("unstored-task") && !rules.contains("reentrancy"))
    #expect(!rules.contains("main-actor-run") && rules.contains("redundant-main-actor"))
    try TemporaryFolder.with { folder in
      try folder.write(".causeway.yml", "paths: [Sources]\nbaseline: known.json\n")
      try folder.write("Sources/A.swift", CommandTests.redundant)
      try folder.write("Other/B.swift", CommandTests.redundant)
      #expect(try causeway("check", "--update-baseline", in: folder.path).status == 0)
      #expect(try causeway("check", in: folder.path).status == 0)
      #expect(try causeway("check", "Other", in: folder.path).status == 1)
      #expect(try causeway("check", "--config", "none.yml", in: folder.path).status == 2)
    }
  }

  @Test(arguments: [
    ("rules: [a]", 1), ("- a", 1), ("enabled: [no-such-rule]", nil), ("\npaths", 2),
    ("paths: [a]\npaths: [b]", 2), ("baseline: [a, b]", nil), ("enabled:\n  nested: a", 2),
    ("enabled: [reentrancy]\ndisabled: [reentrancy]", nil),
  ])
  func `A mistake in the configuration file is reported with its line`(text: String, line: Int?) {
    let place = line.map { ".causeway.yml:\($0): " } ?? ".causeway.yml: "
    let error = #expect(throws: ArgumentError.self) { try ConfigurationFile(text) }
    #expect(error?.description.hasPrefix(place) == true, "\(error as Any)")
  }

  @Test func `Arguments after -- are paths`() throws {
    let arguments = try Arguments(["--fix", "--", "--jobs", "A.swift"])
    #expect(arguments.paths == ["--jobs", "A.swift"] && arguments.fixes)
  }

  @Test func `--explain prints the comment of each rule`() throws {
    for rule in RuleSet.all {
      let text = RuleText(rule.id)
      #expect(text.plain.contains("Bad:") && text.plain.contains("Good:"), "\(rule.id)")
      #expect(!text.summary.isEmpty && !text.reason.isEmpty, "\(rule.id)")
    }
    let output = try causeway("check", "--explain", "weak-self-loop").output
    #expect(output.contains("guard let self else { return }"))
  }

  @Test func `An ignore comment with a reason suppresses the finding of its line`() throws {
    let code = """
      @MainActor final class A {
        @MainActor func a() {} // causeway:ignore redundant-main-actor shown in a talk
        // causeway:ignore redundant-main-actor shown in a talk
        // and more about it
        @MainActor func b() {}
        @MainActor func c() {} // causeway:ignore main-actor-run another rule
        @MainActor func d() {} // causeway:ignore redundant-main-actor
        let text = "// causeway:ignore"
      }
      """
    let source = SourceFile(path: "A.swift", text: code)
    let check = Check(rules: [RedundantMainActor.self], jobs: 1, progress: { _, _ in })
    let report = check.run([.init(settings: BuildSettings(), files: [source])])
    #expect(report.findings.map(\.line) == [6, 7])
    #expect(report.ignoredCount == 2)
    #expect(report.problems.map(\.line) == [7])
  }

  @Test func `A baseline suppresses known findings, even after lines moved`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", CommandTests.redundant)
      let update = try causeway(
        "check", "A.swift", "--baseline", "b.json", "--update-baseline", in: folder.path)
      #expect(update.status == 0)
      #expect(update.output == "No findings in 1 file, 1 written to the baseline.\n")
      try folder.write("A.swift", "// A comment.\n\n" + CommandTests.redundant)
      #expect(try causeway("check", "A.swift", "--baseline", "b.json", in: folder.path).status == 0)
      try folder.write(
        "A.swift", CommandTests.redundant + "@MainActor class B { @MainActor var x = 1 }")
      let new = try causeway("check", "A.swift", "--baseline", "b.json", in: folder.path)
      #expect(new.status == 1)
      #expect(new.output.contains("A.swift:4:22") && !new.output.contains("A.swift:2:3"))
      #expect(try causeway("check", "--baseline", "none.json", in: folder.path).status == 2)
    }
  }

  @Test func `A baseline is valid for other spellings of the paths and after a move`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("old/Sources/A.swift", CommandTests.redundant)
      let old = folder.path("old")
      try causeway(
        "check", old, "--baseline", old + "/b.json", "--update-baseline", in: folder.path)
      #expect(try !folder.read("old/b.json").contains(folder.path))
      #expect(
        try causeway("check", "Sources", "--baseline", "b.json", in: old).status == 0)
      try FileManager.default.moveItem(atPath: old, toPath: folder.path("new"))
      let moved = try causeway("check", ".", "--baseline", "new/b.json", in: folder.path)
      #expect(moved.status == 0, "\(moved.output)")
    }
  }

  @Test func `The number of jobs does not change the findings`() throws {
    let one = try causeway("check", "--jobs", "1", "Sources", in: Products.package).output
    let many = try causeway("check", "--jobs", "8", "Sources", in: Products.package).output
    #expect(one == many)
  }

  @Test func `The rule texts and the rule page match the comments`() throws {
    let page = URL(fileURLWithPath: Products.package).deletingLastPathComponent()
      .appendingPathComponent("Documentation/Rules.md").path
    let files = try DocumentCommand.files(
      rules: Products.package + "/Sources/causeway/Rules", page: page)
    for (path, text) in files {
      #expect(
        try String(contentsOfFile: path, encoding: .utf8) == text,
        "\(path) is out of date: run make rules")
    }
  }
}
