import Foundation
import Testing

@testable import causeway

struct MigrationWithoutIndexTests {
  @Test func `Without an index, a name is looked up in its scope and in the type before its dot`() {
    let (texts, outcome) = migrate([
      "A.swift": """
      actor Store {
        struct State { func reset() {} }
        let helper = Helper()
        func run(_ title: String) {
          let name = title
          print(name)
          State().reset()
          helper.refresh()
          unknown.reload()
        }
      }
      struct Helper { func refresh() {} }
      """,
      "B.swift": """
      struct Screen {
        var name: String { "a" }
        var title: String { "b" }
        func refresh() {}
        func reload() {}
        struct State { func reset() {} }
      }
      struct Other { func reload() {} }
      func name() {}
      """,
    ])
    #expect(texts["A.swift"]?.contains("nonisolated struct Helper") == true)
    #expect(texts["B.swift"]?.contains("nonisolated") != true)
    #expect(outcome.nonisolatedCount == 1)
  }

  @Test func `A member is found without the type before its dot if one family of types has it`() {
    let (texts, _) = migrate([
      "A.swift": """
      actor Store { func run() { unknown.reload() } }
      protocol Loading { func reload() }
      struct Feed: Loading { func reload() {} }
      struct Other { func other() {} }
      """
    ])
    #expect(texts["A.swift"]?.contains("nonisolated struct Feed") == true)
    #expect(texts["A.swift"]?.contains("\nstruct Other") == true)
  }

  @Test func `A member of several types that conform to one protocol refers to the protocol`() {
    let (texts, _) = migrate([
      "A.swift": """
      actor Store { func run() { unknown.reload() } }
      protocol Loading { func reload() }
      struct Feed: Loading { func reload() {} }
      struct Mock: Loading { func reload() {} }
      struct Other { func other() {} }
      """
    ])
    #expect(texts["A.swift"]?.contains("nonisolated protocol Loading") == true)
    #expect(texts["A.swift"]?.contains("\nstruct Other") == true)
  }

  @Test func `Without an index, a closure of an unknown function keeps the isolation around it`() {
    let (texts, _) = migrate([
      "A.swift": """
      @MainActor final class Feed {
        func start() {
          publisher.sink { show($0) }
          DispatchQueue.global().async { store(1) }
        }
      }
      func show(_ item: Int) {}
      func store(_ item: Int) {}
      """
    ])
    #expect(texts["A.swift"]?.contains("\nfunc show") == true)
    #expect(texts["A.swift"]?.contains("nonisolated func store") == true)
  }

  @Test func `A class with closures off the main actor is not marked, and its places are listed`() {
    let (texts, outcome) = migrate([
      "A.swift": """
      final class Feed: Showing {
        private var items = [1]
        func start() {
          DispatchQueue.global().async { self.show(Item(id: 1).text) }
          Task.detached { [weak self] in self?.show("") }
        }
        func show(_ text: String) { items = [] }
        deinit { stop() }
        func stop() {}
      }
      struct Item { let id: Int; var text: String { "" } }
      protocol Showing { func show(_ text: String) }
      """
    ])
    #expect(texts["A.swift"]?.hasPrefix("final class Feed") == true)
    #expect(texts["A.swift"]?.contains("\nnonisolated struct Item") == true)
    #expect(texts["A.swift"]?.contains("\nprotocol Showing") == true)
    let hops = outcome.decisions.filter { $0.message.contains("belongs to a class") }
    #expect(hops.map(\.line) == [4, 5, 8])
  }

  @Test func `The types that a closure in a nonisolated class uses are marked`() {
    let (texts, outcome) = migrate([
      "A.swift": """
      nonisolated final class Feed {
        func start() { Task.detached { Log().write() } }
      }
      final class Log { func write() {} }
      """
    ])
    #expect(texts["A.swift"]?.contains("\nnonisolated final class Log") == true)
    #expect(outcome.decisions.isEmpty)
  }

  @Test func `A module that shares files refers only to the declarations in them`() {
    let files = [
      "A.swift": "struct Item { func text() -> String { \"\" } }\n",
      "B.swift": "struct Row { func title() -> String { \"\" } }\n",
    ]
    let widget = Check.Module(
      settings: BuildSettings(),
      files: [
        SourceFile(
          path: "W.swift", text: "struct W { func f() { _ = Item().text() + Row().title() } }")
      ])
    let users = Migration.Users(module: widget, visible: ["W.swift": ["A.swift"]])
    let texts = migrate(files, users: [users]).texts
    #expect(texts["A.swift"]?.hasPrefix("nonisolated struct Item") == true)
    #expect(texts["B.swift"] == files["B.swift"])
  }

  @Test func `An extension in the file of a nonisolated value is marked too`() {
    let (texts, _) = migrate([
      "A.swift": """
      actor Store { func add(_ item: Item) -> String { item.text() } }
      struct Item { func text() -> String { "" } }
      extension Item { var title: String { "" } }
      struct Row { var id: Int }
      extension Row { var title: String { "" } }
      """,
      "B.swift": "extension Item { var label: String { \"\" } }\n",
    ])
    #expect(
      texts["A.swift"] == """
        actor Store { func add(_ item: Item) -> String { item.text() } }
        nonisolated struct Item { func text() -> String { "" } }
        nonisolated extension Item { var title: String { "" } }
        struct Row { var id: Int }
        extension Row { var title: String { "" } }
        """)
    #expect(texts["B.swift"]?.hasPrefix("extension Item") == true)
  }

  @Test func `The values and protocols of a nonisolated value are marked too, but no classes`() {
    let (texts, _) = migrate([
      "A.swift": """
      actor Store { func add(_ item: Item) -> String { item.text() } }
      struct Item: Texting {
        let part: Part
        let owner: Owner
        func text() -> String { "" }
      }
      struct Part { let kind: Kind; static let shared = Other(); var other: Other { Other() } }
      enum Kind { case plain, named(Name) }
      struct Name { let text: String }
      struct Other {}
      final class Owner { var count = 0 }
      protocol Texting: Naming { func text() -> String }
      protocol Naming {}
      protocol Owning { var name: Name { get } }
      extension Owner: Owning { var name: Name { Name(text: "") } }
      """
    ])
    let marked = texts["A.swift"]?.split(separator: "\n").filter { $0.hasPrefix("nonisolated") }
      .compactMap { $0.split(separator: " ").dropFirst(2).first }
    #expect(marked == ["Item:", "Part", "Kind", "Name", "Texting:", "Naming"])
  }

  @Test(arguments: ["Operation", "NSTextAttachment", "CALayer", "UNNotificationServiceExtension"])
  func `A subclass of another module's class that is off the main actor is marked`(parent: String) {
    let (texts, _) = migrate(["A.swift": "final class Own: \(parent) { var count = 0 }\n"])
    #expect(texts["A.swift"]?.hasPrefix("nonisolated final class Own") == true)
  }

  @Test(arguments: [
    "NSObject", "UIViewController", "NSView", "MLNAnnotationView", "URLSessionModel", "NSAlias",
  ])
  func `Other subclasses are not marked`(parent: String) {
    let text = "final class Own: \(parent) { var count = 0 }\ntypealias NSAlias = Base<Int>\n"
    #expect(migrate(["A.swift": text]).texts["A.swift"] == text)
  }

  @Test func `Members in an #if block are migrated like others`() {
    let (texts, _) = migrate([
      "A.swift": """
      actor Store { func run() { Feed().reload() } }
      struct Feed {
        #if os(iOS)
          let part: Part
          func reload() {}
        #endif
      }
      struct Part { let id: Int }
      """
    ])
    #expect(texts["A.swift"]?.contains("nonisolated struct Feed") == true)
    #expect(texts["A.swift"]?.contains("nonisolated struct Part") == true)
  }
}
