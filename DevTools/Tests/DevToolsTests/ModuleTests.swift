import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct ModuleTests {
  private func manifest(_ targets: String) throws -> Manifest {
    try JSONDecoder().decode(
      Manifest.self,
      from: Data(#"{"products": [\#(products)], "targets": [\#(targets)]}"#.utf8))
  }

  private let products = """
    {"name": "App", "type": {"executable": null}},
    {"name": "CausewaySQLite", "type": {"library": ["automatic"]}},
    {"name": "CausewayWeb", "type": {"library": ["static"]}},
    {"name": "_TestSupport", "type": {"library": ["automatic"]}},
    {"name": "CausewayCommands", "type": {"plugin": null}}
    """

  private let libraries = """
    {"name": "CausewaySystem", "type": "regular", "path": "Sources/CausewaySystem", "dependencies": []},
    {"name": "CSQLite", "type": "system", "pkgConfig": "sqlite3", "dependencies": []},
    {"name": "CausewaySQLite", "type": "regular", "dependencies": [
      {"byName": ["CausewaySystem", null]}, {"target": ["CSQLite", {"platformNames": ["linux"]}]},
      {"product": ["Other", "package", null, null]}]},
    {"name": "SomeTests", "type": "test", "dependencies": []},
    {"name": "TestSupport", "type": "regular", "path": "Tests/TestSupport", "dependencies": []}
    """

  @Test
  func `the table has the libraries, their modules and their system libraries`() throws {
    #expect(
      try ModuleTable.rows(of: manifest(libraries)) == [
        "| module | imports | system libraries |", "|---|---|---|",
        "| `CausewaySystem` | | |",
        "| `CausewaySQLite` | CausewaySystem | sqlite3 |",
      ])
  }

  @Test
  func `each library for apps needs a program that uses it alone`() throws {
    let manifest = try manifest(libraries)
    #expect(manifest.libraries == ["CausewaySQLite", "CausewayWeb"])
    #expect(
      Clients.missing(in: ["CausewaySQLiteClient"], of: manifest) == [
        "there is no CausewayWebClient"
      ])
  }

  @Test
  func `the new rows replace the rows between the marks`() throws {
    let first = "<!-- The table of the manifest: Scripts/devtools module-table write -->"
    let last = "<!-- The end of the table -->"
    let page = "before\n\(first)\n\nold\n\n\(last)\nafter\n"
    #expect(
      try ModuleTable.replacing(in: page, ["one", "two"])
        == "before\n\(first)\n\none\ntwo\n\n\(last)\nafter\n")
    #expect(throws: Failure.self) { try ModuleTable.replacing(in: "no mark", []) }
  }

  @Test
  func `a part that links a library or leaves the floor is named`() throws {
    let manifest = try manifest(
      libraries + """
        , {"name": "CausewayDatabase", "type": "regular", "dependencies": [
          {"byName": ["CausewaySQLite", null]}]},
        {"name": "CausewayExploration", "type": "regular", "dependencies": [
          {"byName": ["CausewayDatabase", null]}]}
        """)
    #expect(manifest.closure(of: "CausewayDatabase").count == 4)
    let problems = ModuleLimits.problems(in: manifest)
    #expect(problems.contains("CausewayDatabase links sqlite3, because of CausewaySQLite"))
    #expect(problems.contains("CausewayDatabase depends on CausewaySQLite"))
    #expect(!problems.contains("CausewayDatabase depends on CausewaySystem"))
    #expect(problems.contains("CausewayNetwork is not in the manifest"))
    #expect(problems.contains("CausewayExploration depends on CausewayDatabase"))
  }

  @Test(arguments: [
    ("public struct A {", true), ("  @MainActor public final class A {", true),
    ("open class A {", true), ("public indirect enum A {", true), ("struct A {", false),
    ("public func a()", false), ("// public struct A {", false), ("package struct A {", false),
  ])
  func `public types are counted`(line: String, isType: Bool) {
    #expect(House.isPublicType(line) == isType)
  }

  @Test
  func `lines of code and imports are recognised`() {
    #expect(House.isCode("  a // comment"))
    #expect(!House.isCode("\t // comment") && !House.isCode("") && !House.isCode("   "))
    #expect(House.importedModule("@testable import CausewayData") == "CausewayData")
    #expect(House.importedModule("import Foundation") == nil)
    #expect(House.importedModule("// import CausewayData") == nil)
  }
}
