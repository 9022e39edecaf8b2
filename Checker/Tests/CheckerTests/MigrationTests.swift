import Foundation
import Testing

@testable import causeway

struct MigrationTests {
  @Test func `Types that an actor uses stay nonisolated, and types that only views use do not`() {
    let (texts, _) = migrate(
      [
        "A.swift": """
        struct Item { var id: Int }
        struct Badge { var text: String }
        extension Item { var title: String { "\\(id)" } }
        actor Store { func add(_ item: Item) -> String { item.title } }
        @MainActor final class Feed { @MainActor func show(_ badge: Badge) {} }
        """
      ], scope: .all)
    #expect(
      texts["A.swift"] == """
        nonisolated struct Item { var id: Int }
        struct Badge { var text: String }
        nonisolated extension Item { var title: String { "\\(id)" } }
        actor Store { func add(_ item: Item) -> String { item.title } }
        final class Feed { func show(_ badge: Badge) {} }
        """)
  }

  @Test func `Views and extensions of types of UI frameworks are not marked`() {
    let files = [
      "A.swift": """
      import SwiftUI
      struct Badge: View { var body: some View { Text("a").padded() } }
      final class Screen: UIViewController {}
      """,
      "B.swift": """
      import SwiftUI
      extension View { func padded() -> some View { self } }
      extension UIViewController { func close() {} }
      """,
      "C.swift": """
      nonisolated func make(_ view: Badge, _ screen: Screen) { _ = view.padded(); screen.close() }
      """,
    ]
    let (texts, _) = migrate(files)
    #expect(texts == files)
  }

  @Test func `Declarations that nonisolated code uses stay nonisolated, also in other files`() {
    let (texts, _) = migrate(
      [
        "A.swift": "public struct Page: Codable { var part: Part; var kind: Part.Kind }\n",
        "B.swift": "struct Part { enum Kind { case a } ; func f() { helper() } }\n",
        "C.swift": "private let limit = 3\nfunc helper() { print(limit) }\nfunc other() {}\n",
      ], scope: .all)
    #expect(texts["A.swift"]?.hasPrefix("public nonisolated struct Page") == true)
    #expect(texts["B.swift"]?.hasPrefix("nonisolated struct Part { enum Kind") == true)
    #expect(
      texts["C.swift"] == """
        private nonisolated let limit = 3
        nonisolated func helper() { print(limit) }
        func other() {}

        """)
  }

  @Test func `A Sendable protocol, and all classes that conform to it, stay nonisolated`() {
    let (texts, _) = migrate(
      [
        "A.swift": """
        protocol Loading: Sendable { func load() async }
        actor Live: Loading { func load() async {} }
        final class Mock: Loading { func load() async {} }
        protocol Showing { func show() }
        """
      ], scope: .all)
    #expect(
      texts["A.swift"] == """
        nonisolated protocol Loading: Sendable { func load() async }
        actor Live: Loading { func load() async {} }
        nonisolated final class Mock: Loading { func load() async {} }
        protocol Showing { func show() }
        """)
  }

  @Test func `A conformance of another module's type follows its protocol`() {
    let (texts, _) = migrate(
      [
        "A.swift": """
        protocol Bindable { var text: String { get } }
        protocol Titled { var title: String { get } }
        extension Int: Bindable { var text: String { "\\(self)" } }
        extension String: Titled { var title: String { self } }
        actor Store { func bind(_ values: [any Bindable]) {} }
        """
      ], scope: .all)
    #expect(
      texts["A.swift"] == """
        nonisolated protocol Bindable { var text: String { get } }
        protocol Titled { var title: String { get } }
        nonisolated extension Int: Bindable { var text: String { "\\(self)" } }
        extension String: Titled { var title: String { self } }
        actor Store { func bind(_ values: [any Bindable]) {} }
        """)
  }

  @Test func `An actor that encodes an array needs the conformance of the elements`() {
    // The compiler (6.3) does not check the conformances of elements, but the code runs off the
    // main actor.
    let (texts, _) = migrate([
      "A.swift": """
      import Foundation
      struct Item: Codable { var part: Part; var note: Note }
      struct Part: Codable { var id: Int }
      struct Note: Equatable {}
      extension Note: Codable {}
      struct Row: Equatable { var note: Note }
      actor Store {
        func export(_ items: [Item]) throws -> Data { try JSONEncoder().encode(items) }
      }
      """
    ])
    #expect(
      texts["A.swift"] == """
        import Foundation
        nonisolated struct Item: Codable { var part: Part; var note: Note }
        nonisolated struct Part: Codable { var id: Int }
        nonisolated struct Note: Equatable {}
        nonisolated extension Note: Codable {}
        struct Row: Equatable { var note: Note }
        actor Store {
          func export(_ items: [Item]) throws -> Data { try JSONEncoder().encode(items) }
        }
        """)
  }

  @Test(arguments: [
    "static func == (one: Self, other: Self) -> Bool { true }",
    "static let place = Place(name: \"\")", "var place: Place { Place(name: \"\") }",
  ])
  func `A member that the compiler does not compare needs no conformance`(member: String) {
    let (texts, _) = migrate([
      "A.swift": """
      struct Place: Equatable { var name: String }
      struct Route: Equatable { var id: Int; \(member) }
      actor Store { func same(_ one: Route, _ other: Route) -> Bool { one == other } }
      """
    ])
    #expect(texts["A.swift"]?.hasPrefix("struct Place") == true)
    #expect(texts["A.swift"]?.contains("\nnonisolated struct Route") == true)
  }

  @Test func `A protocol that refines Actor keeps its isolation`() {
    let host = """
      protocol Host: Actor { func reset() }
      extension Host { func end() { reset() } }
      actor Store: Host { func reset() {} }

      """
    let (texts, _) = migrate([
      "A.swift": host,
      "B.swift": "actor Driver<H: Host> { func stop(_ host: H) async { await host.end() } }\n",
    ])
    #expect(texts["A.swift"] == host)
  }

  @Test func `References from other modules count when they are off the main actor`() {
    let (texts, _) = migrate(
      ["A.swift": "struct Item {}\nstruct Badge {}\n"],
      others: [
        "T.swift":
          "struct ItemTests { func f() { _ = Item() } }\n@MainActor func g() { _ = Badge() }\n"
      ], scope: .all)
    #expect(texts["A.swift"] == "nonisolated struct Item {}\nstruct Badge {}\n")
  }

  @Test func `Functions with long work that ran off the caller's actor get @concurrent`() {
    let (texts, outcome) = migrate(
      [
        "A.swift": """
        @MainActor final class Feed {
          nonisolated func decode() async { text = try? String(contentsOf: url, encoding: .utf8) }
          nonisolated func load() async { await decode() }
        }
        struct Decoder: Sendable {
          func decode() async { _ = image.pngData() }
          func load() async { await decode() }
        }
        """
      ], nonsending: true, scope: .all)
    #expect(outcome.concurrentCount == 2)
    // For functions that only wait, a person decides.
    #expect(outcome.decisions.filter { $0.message.contains("'load'") }.map(\.line) == [3, 7])
    #expect(
      texts["A.swift"] == """
        final class Feed {
          @concurrent nonisolated func decode() async { text = try? String(contentsOf: url, encoding: .utf8) }
          nonisolated func load() async { await decode() }
        }
        nonisolated struct Decoder: Sendable {
          @concurrent func decode() async { _ = image.pngData() }
          func load() async { await decode() }
        }
        """)
  }

  @Test func `Conformances become isolated where the protocol is known`() {
    let (texts, outcome) = migrate([
      "A.swift": """
      protocol Showing { func show() }
      @MainActor final class Feed: @preconcurrency Showing, @preconcurrency Foreign {
        func show() {}
      }
      """
    ])
    #expect(texts["A.swift"]?.contains("Feed: @MainActor Showing, @preconcurrency Foreign") == true)
    #expect(outcome.conformanceCount == 1)
    #expect(outcome.decisions.map(\.line) == [2])
  }

  @Test func `A superclass with an implicit initializer gets an explicit one`() {
    let (texts, _) = migrate([
      "A.swift": "class Page {\n  var title = 1\n}\nfinal class Feed: Page {}\n"
    ])
    #expect(
      texts["A.swift"]
        == "class Page {\n  var title = 1\n\n  init() {}\n}\nfinal class Feed: Page {}\n")
  }

  @Test(arguments: [
    ("class Page { var title = 1 }", "class Page { var title = 1; init() {} }"),
    ("class Page { var title = 1; }", "class Page { var title = 1; init() {} }"),
    ("class Page {}", "class Page { init() {} }"),
    (
      "class Page {\n\tvar title = 1  // ours\n}",
      "class Page {\n\tvar title = 1  // ours\n\n\tinit() {}\n}"
    ),
    (
      "class Page {\n  var a = 1\n  func f() {} }",
      "class Page {\n  var a = 1\n  func f() {}; init() {} }"
    ),
  ])
  func `An initializer is written in the style of its class`(_ before: String, _ after: String) {
    let (texts, _) = migrate(["A.swift": before + "\nfinal class Feed: Page {}\n"])
    #expect(texts["A.swift"] == after + "\nfinal class Feed: Page {}\n")
  }

  @Test func `Decisions for a person are listed with their places`() {
    let (_, outcome) = migrate([
      "A.swift": """
      final class Importer {
        func run() async {}
      }
      @MainActor final class Feed {
        nonisolated(unsafe) var timer: Int?
      }
      """
    ])
    #expect(outcome.decisions.map { "\($0.line):\($0.column)" } == ["2:8", "5:3"])
  }

  @Test func `A second migration changes nothing`() {
    let (texts, _) = migrate([
      "A.swift": """
      struct Item: Codable {}
      actor Store { func add(_ item: Item) {} }
      @MainActor final class Feed { @MainActor func show() {} }
      """
    ])
    let second = migrate(texts)
    #expect(second.outcome.changed.isEmpty)
  }

  @Test func `The command requires a valid isolation, and works without an index`() throws {
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", "struct A {}\n")
      #expect(try causeway("migrate", folder.path).status == 2)
      #expect(try causeway("migrate", "--default-isolation", "Foo", folder.path).status == 2)
      let result = try causeway("migrate", "--default-isolation", "MainActor", folder.path)
      #expect(result.status == 0 && result.output.contains("There is no index"))
      try folder.write("Package.swift", "// swift-tools-version: 6.2\n")
      let outside = try causeway("migrate", "--default-isolation", "MainActor", folder.path)
      #expect(outside.status == 2 && outside.output.contains("no target of the package"))
    }
  }

  @Test(arguments: [
    ["--index-store"], ["--default-isolation"], ["--default-isolation=nonisolated"],
    ["--index-store", "a", "--index-store=b"], ["--dry-run=yes"], ["--what"], ["A", "B"],
    ["--upcoming-feature", "ExistentialAny"],
  ])
  func `Options of migrate that are unknown or contradict are errors`(words: [String]) throws {
    let arguments = ["migrate", "--dry-run", "--default-isolation=MainActor"] + words
    #expect(try run(Products.causeway, arguments).status == 2)
  }

  @Test func `The index of a package that was moved is read, and a new file makes it old`() throws {
    try TemporaryFolder.with { folder in
      try folder.write(
        "old/A.swift",
        """
        struct A { func load() {} }
        struct B { func load() {} }
        actor Store { func start(_ a: A) { a.load() } }

        """)
      let compiled = try run(
        "/usr/bin/env",
        [
          "swiftc", "-swift-version", "6", "-parse-as-library", "-c", "-o", folder.path("A.o"),
          "-index-store-path", folder.path("old/index"), folder.path("old/A.swift"),
        ])
      #expect(compiled.status == 0, "\(compiled.output)")
      let new = folder.path("new")
      try FileManager.default.moveItem(atPath: folder.path("old"), toPath: new)
      let arguments = ["migrate", "--default-isolation", "MainActor", "--index-store", "index"]
      let result = try run(Products.causeway, arguments, in: new)
      #expect(result.status == 0)
      #expect(result.output.contains("The index was written for this package"))
      let migrated = try folder.read("new/A.swift")
      #expect(migrated.contains("nonisolated struct A ") && migrated.contains("\nstruct B "))
      // The migration has changed the file.
      let second = try run(Products.causeway, arguments, in: new)
      #expect(second.status == 2 && second.output.contains("writes the index anew"))
    }
  }

  @Test(arguments: [".", "A.swift"])
  func `--index-store is read without a package`(path: String) throws {
    let code = """
      struct A { func load() {} }
      struct B { func load() {} }
      actor Store { func start(_ a: A) { a.load() } }

      """
    try TemporaryFolder.with { folder in
      try folder.write("A.swift", code)
      let compiled = try run(
        "/usr/bin/env",
        [
          "swiftc", "-swift-version", "6", "-parse-as-library", "-c", "-o", folder.path("A.o"),
          "-index-store-path", folder.path("index"), folder.path("A.swift"),
        ], in: folder.path)
      #expect(compiled.status == 0, "\(compiled.output)")
      let result = try causeway(
        "migrate", "--default-isolation", "MainActor", "--index-store", "index", path,
        in: folder.path)
      #expect(result.status == 0 && !result.output.contains("There is no index"))
      // By its name, the call could refer to either function. The index shows that it refers to the
      // function of `A`.
      let migrated = try folder.read("A.swift")
      #expect(migrated.contains("nonisolated struct A "), "\(migrated)")
      #expect(!migrated.contains("nonisolated struct B "), "\(migrated)")
    }
  }
}
