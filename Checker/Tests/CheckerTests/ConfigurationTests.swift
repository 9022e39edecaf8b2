import Foundation
import Testing

@testable import causeway

struct ConfigurationTests {
  private static let redundant = "@MainActor final class A {\n  @MainActor func f() {}\n}\n"

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `Line ends of all systems and a byte order mark are read`(end: String) throws {
    let lines = ["\u{FEFF}disabled:", "  - main-actor-run", "paths: [Sources, App]", ""]
    let file = try ConfigurationFile(lines.joined(separator: end))
    #expect(file.disabled == ["main-actor-run"])
    #expect(file.paths == ["Sources", "App"])
  }

  @Test func `A list in brackets can have several lines`() throws {
    let file = try ConfigurationFile(
      """
      disabled: [
        main-actor-run,   # noisy
        "main-actor-task",
      ]
      paths: [Sources,
        App]
      """)
    #expect(file.disabled == ["main-actor-run", "main-actor-task"])
    #expect(file.paths == ["Sources", "App"])
  }

  @Test(arguments: [
    "severity:\n  main-actor-run: note\n  stream-termination: error\npaths: [Sources]",
    "severity: {main-actor-run: note, stream-termination: error}\npaths: [Sources]",
    "severity: {\n  main-actor-run: note,\n  stream-termination: error\n}\npaths: [Sources]",
  ])
  func `Rules have severities`(text: String) throws {
    let file = try ConfigurationFile(text)
    #expect(file.severities == ["main-actor-run": .note, "stream-termination": .error])
    #expect(file.paths == ["Sources"])
  }

  @Test(arguments: [
    ("exclude: [A]", "did you mean 'excluded'"),
    ("disabled: [main-actor-runn]", "did you mean 'main-actor-run'"),
    ("severity: {main-actor-run: loud}", "error, warning and note"),
    ("severity:\n  main-actor-rum: note", "did you mean 'main-actor-run'"),
    ("paths: [A,\n  B", "no closing bracket"),
    ("severity:\n  - main-actor-run", "the list has no key"),
  ])
  func `Mistakes have a message with the remedy`(text: String, part: String) {
    let error = #expect(throws: ArgumentError.self) { try ConfigurationFile(text) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    (["--only", "stream-terminaton"], "did you mean 'stream-termination'"),
    (["--format", "jsn"], "did you mean 'json'"),
    (["--basline", "b"], "did you mean '--baseline'"),
    (["--only", "actor-main-run"], "did you mean 'main-actor-run'"),
  ])
  func `Misspelt arguments have a suggestion`(words: [String], part: String) {
    let error = #expect(throws: ArgumentError.self) { try Arguments(words) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `A name that resembles no known name has no suggestion`() {
    #expect(Suggestion.text(for: "xyzzy", in: ["paths", "enabled"]) == "")
    #expect(Suggestion.nearest(to: "ptahs", in: ["paths", "enabled"]) == "paths")
  }

  @Test func `Excluded files have no findings and no fixes, but their types are known`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Sources/Generated/Base.swift", "@MainActor class Base { @MainActor func f() {} }")
      try folder.write("Sources/A.pb.swift", ConfigurationTests.redundant)
      try folder.write("Sources/B.swift", "final class B: Base { @MainActor func g() {} }\n")
      try folder.write(
        ".causeway.yml", "excluded: [Sources/Generated, '*.pb.swift']\r\npaths: [Sources]\r\n")
      let outcome = try causeway("check", "--only", "redundant-main-actor", in: folder.path)
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("Sources/B.swift:1:23"))
      #expect(!outcome.output.contains("Base.swift") && !outcome.output.contains("A.pb.swift"))
      _ = try causeway("check", "--fix", in: folder.path)
      #expect(try folder.read("Sources/A.pb.swift") == ConfigurationTests.redundant)
      #expect(try !folder.read("Sources/B.swift").contains("@MainActor"))
    }
  }

  @Test func `Only modules in layered folders are checked for layers`() throws {
    try TemporaryFolder.with { folder in
      for module in ["Sources/App", "Tests/App"] {
        try folder.write("\(module)/Low/Low.swift", "struct Low { let high: High? }\n")
        try folder.write("\(module)/High/High.swift", "struct High { let low: Low }\n")
      }
      func check() throws -> (status: Int32, output: String) {
        try causeway("check", "Sources/App", "Tests/App", in: folder.path)
      }
      #expect(try check().status == 0)
      try folder.write(".causeway.yml", "layered: [Sources]\n")
      let outcome = try check()
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("Sources/App/High/High.swift:1:24: warning: 'Low' of"))
      #expect(!outcome.output.contains("Tests/App/"))
      // The finding stays after a change that adds no use. Without the use, the finding is gone.
      try folder.write("Sources/App/Low/Low.swift", "struct Low { var high: High? }\n")
      #expect(try check().status == 1)
      try folder.write("Sources/App/Low/Low.swift", "struct Low { var high: Int? }\n")
      #expect(try check().status == 0)
      // Without the key, the rule checks all modules.
      try folder.write(".causeway.yml", "enabled: [folder-layers]\n")
      #expect(try check().output.contains("Tests/App/High/High.swift"))
    }
  }

  @Test(arguments: [
    ("Sources", "Sources/A/B.swift", true), ("Sources/A", "Sources/AB.swift", false),
    ("*.pb.swift", "Sources/A/x.pb.swift", true), ("*.pb.swift", "Sources/x.swift", false),
    ("**/Generated", "Sources/A/Generated/B.swift", true),
    ("Sources/**/*.gen.swift", "Sources/A/B/c.gen.swift", true),
    ("Sources/*/Gen", "Sources/A/Gen/x.swift", true),
    ("Sources/*/Gen", "Sources/Gen/x.swift", false),
    ("Sources/A.swift", "Sources/A.swift", true), ("Tests", "Sources/Tests/A.swift", false),
  ])
  func `Patterns match files and folders`(pattern: String, path: String, matches: Bool) {
    #expect(PathPattern(pattern).matches(path) == matches)
  }

  @Test func `A finding with the severity note does not change the exit status`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", ConfigurationTests.redundant)
      try folder.write(".causeway.yml", "severity:\n  redundant-main-actor: note\n")
      let note = try causeway("check", "A.swift", in: folder.path)
      #expect(note.status == 0)
      #expect(note.output.contains("A.swift:2:3: note: "))
      try folder.write(".causeway.yml", "severity:\n  redundant-main-actor: error\n")
      let error = try causeway("check", "A.swift", "--format", "github", in: folder.path)
      #expect(error.status == 1 && error.output.hasPrefix("::error "))
      let sarif = try causeway("check", "A.swift", "--format", "sarif", in: folder.path).output
      #expect(sarif.contains("\"level\" : \"error\""))
      let json = try causeway("check", "A.swift", "--format", "json", in: folder.path).output
      #expect(json.contains("\"severity\" : \"error\""))
    }
  }

  @Test func `A file and a link to it are checked once`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("Sources/B.swift", ConfigurationTests.redundant)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/Sources/A.swift", withDestinationPath: "B.swift")
      let output = try causeway("check", "Sources", in: folder.path).output
      #expect(output.contains("Sources/B.swift:2:3") && !output.contains("Sources/A.swift"))
      #expect(output.hasSuffix("1 finding in 1 file.\n"))
    }
  }
}
