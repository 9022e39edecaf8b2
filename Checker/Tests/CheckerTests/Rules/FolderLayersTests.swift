import Testing

@testable import causeway

struct FolderLayersTests {
  static let fixtures = [
    Fixture(
      FolderLayers.self, "two folders that name types of each other",
      """
      struct Database {
        var rows: [Int]
        var cache: 1️⃣ImageCache
      }
      """,
      path: "App/Storage/Database.swift",
      others: [
        "App/Images/ImageCache.swift": "struct ImageCache { let rows: RowStore }",
        "App/Images/Loader.swift": "struct Loader { let rows: RowStore }",
        "App/Storage/RowStore.swift": "struct RowStore {}",
      ]),
    Fixture(
      FolderLayers.self, "a cycle of three folders",
      """
      func show(_ item: 1️⃣Item) {}
      """,
      path: "App/A/Show.swift",
      others: [
        "App/B/Item.swift": "struct Item { let price: Price; let old: Price }",
        "App/C/Price.swift": "struct Price { func text() -> String { shown(self) + shown(self) } }",
        "App/C/Cost.swift": "func cost() -> String { shown(1) }",
        "App/A/Shown.swift": "func shown(_ value: Any) -> String { \"\" }",
        "App/B/Order.swift": "struct Order { let price: Price }",
      ]),
    Fixture(
      FolderLayers.self, "a member that an extension in another folder adds, and an initializer",
      """
      extension String {
        var asTitle: String { self }
      }
      let tag = 1️⃣Item(text: "a")
      """,
      path: "App/Low/Title.swift",
      others: [
        "App/High/Item.swift":
          "struct Item { let text: String; var title: String { text.asTitle } }",
        "App/High/Row.swift": "struct Row { func title(_ name: String) -> Any { name.asTitle } }",
      ]),
    Fixture(
      FolderLayers.self, "folders that form layers",
      """
      struct Database { var cache: ImageCache }
      """,
      path: "App/Storage/Database.swift",
      others: [
        "App/Images/ImageCache.swift": "struct ImageCache { let rows: RowStore }",
        "App/Rows/RowStore.swift": "struct RowStore {}",
      ]),
    Fixture(
      FolderLayers.self, "files of one folder, also in folders inside of it",
      """
      struct Database { var cache: ImageCache }
      """,
      path: "App/Storage/Database.swift",
      others: [
        "App/Storage/Images/ImageCache.swift": "struct ImageCache { let base: Database }",
        "App/Views/Screen.swift": "struct Screen { let base: Database }",
      ]),
    Fixture(
      FolderLayers.self, "names that are private, local, nested, or declared by several folders",
      """
      // ImageCache
      struct Database {
        private struct ImageCache {}
        struct State {}
        func load(price: Int) -> String { let item = price; return "\\(item) ImageCache" }
        var both: Both?
        var cache: ImageCache
        var ours: Element<Int>
        struct Element<Value> {}
      }
      extension Database { var state: State { State() } }
      """,
      path: "App/Storage/Database.swift",
      others: [
        "App/Images/Images.swift": """
        struct ImageCache { let base: Database }
        let price = 1
        func item() {}
        struct State {}
        struct Element<Value> {}
        private struct Hidden {}
        enum Both {}
        """,
        "App/Other/Both.swift": "enum Both {}",
        "App/Storage/Hidden.swift": "struct UsesHidden { let hidden: Hidden }",
      ]),
    Fixture(
      FolderLayers.self, "members that only the file sees",
      """
      struct Database {
        private struct Names { var files: [Int] = [] }
        private var names = Names()
        private var rows: [Int] { [] }
        func all() -> [Int] { names.files + self.rows }
      }
      """,
      path: "App/Storage/Database.swift",
      others: [
        "App/Files/Files.swift": """
        extension Int {
          var files: [Database] { [] }
          var rows: [Database] { [] }
        }
        """
      ]),
    Fixture(
      FolderLayers.self, "a module without folders",
      """
      struct Database { var cache: ImageCache }
      """,
      path: "App/Database.swift",
      others: ["App/ImageCache.swift": "struct ImageCache { let base: Database }"]),
  ]

  @Test(arguments: fixtures)
  func `folder-layers reports at the markers`(fixture: Fixture) { fixture.verify() }

  @Test func `The message names each use of the cycle`() throws {
    let check = Check(rules: [FolderLayers.self], jobs: 1, progress: { _, _ in })
    let files = [
      SourceFile(path: "App/A/First.swift", text: "struct First { let second: Second }"),
      SourceFile(path: "App/B/Second.swift", text: "struct Second { let first: First? }"),
    ]
    let report = check.run([.init(settings: BuildSettings(), files: files)])
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.file.path == "App/A/First.swift")
    #expect(
      finding.finding.message
        == "'Second' of the folder 'B' closes a cycle: 'B' uses 'First' of 'A' in App/B/Second.swift"
    )
  }
}
