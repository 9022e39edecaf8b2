import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct DeclarationTests {
  /// A graph with one symbol for each name: a type, or a property of a type.
  private func graph(_ symbols: [String], _ relationships: String = "") throws -> SymbolGraph {
    let text = """
      {"symbols": [\(symbols.joined(separator: ","))], "relationships": [\(relationships)]}
      """
    return try JSONDecoder().decode(SymbolGraph.self, from: Data(text.utf8))
  }

  private func symbol(
    _ path: [String], _ declaration: String, kind: String, access: String = "public",
    more: String = ""
  ) -> String {
    """
    {"kind": {"identifier": "swift.\(kind)"}, "identifier": {"precise": "s:\(path.joined())"},
    "pathComponents": \(path), "names": {"title": "\(path.last ?? "")"}, "accessLevel": "\(access)",
    "declarationFragments": [{"spelling": "\(declaration)"}]\(more)}
    """
  }

  private func limit(_ section: String, _ kind: String = "conformance") -> String {
    #","\#(section)": {"constraints": [{"kind": "\#(kind)", "lhs": "T", "rhs": "Hashable"}]}"#
  }

  @Test
  func `a declaration is on one line with its type`() throws {
    let graph = try graph([
      symbol(["Row"], "class Row", kind: "class", access: "open"),
      symbol(["Row", "Kind"], "enum Kind", kind: "enum"),
      symbol(["Row", "count"], "var count:\\n  Int", kind: "property"),
      symbol(["make()"], "func make()", kind: "func"),
    ])
    #expect(
      PublicDeclarations([graph]).lines == [
        "Row: open class Row", "Row.Kind: enum Kind", "Row: var count: Int", "make(): func make()",
      ])
  }

  @Test
  func `a member of an extension has the constraints that its type does not have`() throws {
    let member = symbol(
      ["Row", "a"], "var a: Int", kind: "property", more: limit("swiftExtension"))
    let plain = try graph([symbol(["Row"], "struct Row<T>", kind: "struct"), member])
    #expect(PublicDeclarations([plain]).lines.contains("Row: var a: Int where T : Hashable"))
    let type = symbol(["Row"], "struct Row<T>", kind: "struct", more: limit("swiftGenerics"))
    #expect(PublicDeclarations([try graph([type, member])]).lines.contains("Row: var a: Int"))
    let same = symbol(
      ["Row", "b"], "var b: Int where U : A", kind: "property",
      more: limit("swiftExtension", "sameType"))
    #expect(
      PublicDeclarations([try graph([same])]).lines
        == ["Row: var b: Int where U : A, T == Hashable"])
  }

  @Test
  func `requirements and conformances are declarations`() throws {
    let relationships = """
      {"kind": "requirementOf", "source": "s:Readablea", "target": "s:Readable"},
      {"kind": "conformsTo", "source": "s:Row", "target": "s:Readable"},
      {"kind": "conformsTo", "source": "s:Row", "target": "x", "targetFallback": "Swift.Hashable"},
      {"kind": "conformsTo", "source": "s:Row", "target": "y", "targetFallback": "Swift.Copyable"}
      """
    let graph = try graph(
      [
        symbol(["Readable"], "protocol Readable", kind: "protocol"),
        symbol(["Readable", "a"], "var a: Int", kind: "property"),
        symbol(["Row"], "struct Row", kind: "struct"),
      ], relationships)
    #expect(
      PublicDeclarations([graph]).lines == [
        "Readable: protocol Readable", "Readable: requirement var a: Int", "Row: struct Row",
        "Row: conforms to Readable", "Row: conforms to Hashable",
      ])
  }

  @Test
  func `a declaration without a comment is listed, unless it has no place`() throws {
    let place = #","location": {"uri": "file:///folder/Row.swift", "position": {"line": 6}}"#
    let graph = try graph([
      symbol(["Row"], "struct Row", kind: "struct", more: place + #","docComment": {"lines": []}"#),
      symbol(["Row", "a"], "var a: Int", kind: "property", more: place),
      symbol(["Row", "b"], "var b: Int", kind: "property"),
    ])
    #expect(Documented.undocumented(in: graph) == ["/folder/Row.swift:7: a"])
  }

  @Test
  func `changes are listed for each module`() {
    let old: [String: Set<String>] = ["A": ["A: a", "A: b"], "B": ["B: a"]]
    let new: [String: Set<String>] = ["A": ["A: b", "A: c"], "C": ["C: a"]]
    #expect(PublicAPI.changes(from: old, to: new) == ["-A: a", "+A: c", "-B: a", "+C: a"])
  }

  private let changelog = Changelog(
    """
    ## Unreleased
    ### Added
    - `Added`
    ### Changed
    - `Row.title` is gone, and so is `Cell`; use `make(_:)`, not Plain.
    ## 0.1.0
    ### Changed
    - `Older`
    """)

  @Test
  func `only code of the section Changed of the next release names a declaration`() {
    #expect(changelog.changed == ["Row", "title", "Cell", "make", "_"])
  }

  @Test(arguments: [
    ("Row: var title: String", true), ("Row: let count: Int", false),
    ("Row: init()", true), ("Row: conforms to Hashable", true), ("Older: struct Older", false),
    ("Plain: init()", false), ("Page.Row: func make(_ name: String)", true),
  ])
  func `a removed declaration needs its name in the changelog`(line: String, isNamed: Bool) {
    #expect(changelog.unnamed([line]) == (isNamed ? [] : [line]))
  }

  @Test(arguments: ["struct", "@MainActor final class", "open class"])
  func `members of a removed type need no names if the type is named`(kind: String) {
    #expect(changelog.unnamed(["Cell: \(kind) Cell", "Cell: var a: Int"]) == [])
    #expect(changelog.unnamed(["Cell: var a: Int"]) == ["Cell: var a: Int"])
  }
}
