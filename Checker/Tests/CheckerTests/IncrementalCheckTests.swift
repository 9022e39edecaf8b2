import Foundation
import Testing

@testable import causeway

struct IncrementalCheckTests {
  private static let check = Check(rules: RuleSet.all, jobs: 2, progress: { _, _ in })

  /// A module whose findings depend on several files.
  private static let sources: [String: String] = [
    "Model.swift": """
    @MainActor final class Model {
      var task: Task<Void, Never>?
      func start() { task = Task { for await item in items { self.show(item) } } }
      func show(_ item: Int) {}
    }
    """,
    "Model+Stop.swift": "extension Model {\n  func stop() { task?.cancel() }\n}\n",
    "Base.swift": "@MainActor class Base {\n  func load() {}\n}\n",
    "Child.swift": "final class Child: Base {\n  @MainActor override func load() {}\n}\n",
    "Lock.swift": "final class Box {\n  let lock = NSLock()\n  var count = 0\n}\n",
    "Box+Sendable.swift": "extension Box: @unchecked Sendable {}\n",
    "Row.swift": "import SwiftUI\nstruct Row: View {\n  @MainActor func load() {}\n}\n",
    "Other+Load.swift": "extension Other: Loading {\n  @MainActor func load() {}\n}\n",
    "Loading.swift": "protocol Loading {\n  nonisolated func load()\n}\n",
    "Another+Load.swift": "extension Another {\n  func read() { self.load() }\n}\n",
    "Sleeper.swift": "@MainActor final class Sleeper {\n  func f() { sleep(1) }\n}\n",
    "Functions.swift": "func wait() {\n  print(1)\n}\n",
    "Other.swift": "struct Other {\n  func value() -> Int { 1 }\n}\n",
    "Another.swift": "struct Another {\n  func value() -> Int { 2 }\n}\n",
    "Third.swift": "struct Third {\n  func value() -> Int { 3 }\n}\n",
    "Fourth.swift": "struct Fourth {\n  func value() -> Int { 4 }\n}\n",
    "Fifth.swift": "struct Fifth {\n  func value() -> Int { 5 }\n}\n",
    "Sixth.swift": "struct Sixth {\n  func value() -> Int { 6 }\n}\n",
  ]

  private static var settings: BuildSettings {
    var settings = BuildSettings()
    settings.languageMode = 6
    return settings
  }

  private static func module(_ sources: [String: String]) -> SourceFinder.Module {
    SourceFinder.Module(name: "A", settings: settings, paths: sources.keys.sorted())
  }

  private static func contents(_ sources: [String: String]) -> Check.Contents {
    sources.mapValues { Check.Content(Data($0.utf8)) }
  }

  private static func full(_ sources: [String: String]) throws -> ModuleRecord {
    let contents = contents(sources)
    let (modules, problems) = check.load([module(sources)], contents)
    #expect(problems.isEmpty)
    return try #require(check.records(of: modules, contents).first)
  }

  private static func incremental(
    _ sources: [String: String], after record: ModuleRecord
  ) throws -> ModuleRecord? {
    let stored = try ModuleRecord(record.data)
    var parsed: [String: SourceFile] = [:]
    return IncrementalCheck(
      check: check, module: module(sources), contents: contents(sources), record: stored
    ).run(&parsed)
  }

  private static func text(_ report: ModuleReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// A file, a text in it, its replacement, and whether only a part of the module has to be checked.
  struct Change: Sendable, CustomTestStringConvertible {
    let file: String
    let old: String
    let new: String
    var isPartial = true
    var testDescription: String { "\(file): \(new)" }

    /// Replaces the old text, adds the file if `old` is empty, or removes it if `new` is empty.
    func apply(to sources: inout [String: String]) {
      if old.isEmpty {
        sources[file] = new
      } else if new.isEmpty {
        sources[file] = nil
      } else {
        sources[file] = sources[file]?.replacingOccurrences(of: old, with: new)
      }
    }
  }

  static let changes = [
    Change(file: "Other.swift", old: "{ 1 }", new: "{ 7 }"),
    // The model has a finding if nothing cancels its task.
    Change(file: "Model+Stop.swift", old: "task?.cancel()", new: "print(1)"),
    Change(file: "Model.swift", old: "self.show(item)", new: "print(item)"),
    Change(file: "Model.swift", old: "var task:", new: "var other = 1; var task:"),
    Change(file: "Functions.swift", old: "print(1)", new: "sleep(1)"),
    Change(file: "Model.swift", old: "self.show", new: "/* a */\nself.show"),
    // A changed file looks up types that it did not look up before.
    Change(
      file: "Other.swift", old: "{ 1 }",
      new: "{ let model = Model(); Task { await MainActor.run { model.stop() } }; return 1 }"),
    // Heads of types, which decide the isolation of types in other files.
    Change(file: "Base.swift", old: "@MainActor class", new: "class"),
    Change(file: "Base.swift", old: "class Base", new: "class Renamed"),
    Change(file: "Child.swift", old: ": Base", new: " "),
    Change(file: "Other.swift", old: "struct Other", new: "@MainActor struct Other"),
    Change(file: "Other+Load.swift", old: "extension Other:", new: "extension Another:"),
    Change(file: "Box+Sendable.swift", old: "@unchecked Sendable", new: "CustomStringConvertible"),
    Change(file: "Functions.swift", old: "func wait", new: "func waits"),
    Change(file: "Third.swift", old: "{ 3 }", new: "{ 3 "),
    // Files that are added and removed.
    Change(file: "Base.swift", old: "@", new: ""),
    Change(file: "Model+Stop.swift", old: "e", new: ""),
    Change(file: "Box+Sendable.swift", old: "e", new: ""),
    Change(file: "Sleep.swift", old: "", new: "func sleep(_ seconds: Int) {}\n"),
    Change(file: "View.swift", old: "", new: "protocol View {}\n"),
    Change(
      file: "Base+More.swift", old: "",
      new: "extension Base {\n  @MainActor func more() {}\n  final class Inner: Base {}\n}\n"),
    // Each global actor can isolate any declaration.
    Change(
      file: "Third.swift", old: "struct Third", new: "@globalActor actor Third", isPartial: false),
  ]

  @Test func `A changed comment causes no check of the files that read its type`() throws {
    let before = try Self.full(Self.sources)
    func texts(_ member: String) throws -> [String: String]? {
      var sources = Self.sources
      let old = try #require(sources["Model.swift"])
      sources["Model.swift"] = old.replacingOccurrences(of: "  func show", with: member)
      return try Self.full(sources).files["Model.swift"]?.outline?.texts
    }
    let known = before.files["Model.swift"]?.outline?.texts
    #expect(try texts("  // Shows an item.\n\n  func  show") == known)
    #expect(try texts("  static func show") != known)
  }

  @Test(arguments: changes)
  func `The findings after a change equal those of a whole check`(change: Change) throws {
    let before = try Self.full(Self.sources)
    var sources = Self.sources
    change.apply(to: &sources)
    #expect(sources != Self.sources)
    let fresh = try Self.full(sources)
    let record = try Self.incremental(sources, after: before)
    #expect((record != nil) == change.isPartial)
    guard let record else { return }
    #expect(try Self.text(record.report) == Self.text(fresh.report))
    // The new record is as complete as that of a whole check, so it also works for the undone
    // change.
    let back = try #require(try Self.incremental(Self.sources, after: record))
    #expect(try Self.text(back.report) == Self.text(before.report))
    #expect(back.files.mapValues(\.lookups) == before.files.mapValues(\.lookups))
    #expect(back.isolations == before.isolations)
  }

  @Test func `The findings after many changes equal those of a whole check`() throws {
    var random = Seeded(state: 7)
    var made: Set<Int> = []
    var record = try Self.full(Self.sources)
    var partialCount = 0
    var reports: Set<String> = []
    for _ in 0..<10 {
      let index = Int.random(in: Self.changes.indices, using: &random)
      if made.remove(index) == nil { made.insert(index) }
      var sources = Self.sources
      for index in made.sorted() { Self.changes[index].apply(to: &sources) }
      let fresh = try Self.full(sources)
      guard let partial = try Self.incremental(sources, after: record) else {
        record = fresh
        continue
      }
      partialCount += 1
      let text = try Self.text(fresh.report)
      reports.insert(text)
      #expect(try Self.text(partial.report) == text, "\(made.sorted())")
      record = partial
    }
    #expect(partialCount >= 5)
    #expect(reports.count >= 3)
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }

  @Test func `A change in another file adds a finding`() throws {
    var sources = Self.sources
    let before = try Self.full(sources)
    sources["Model+Stop.swift"] = "extension Model {\n  func stop() {}\n}\n"
    let record = try #require(try Self.incremental(sources, after: before))
    func count(_ record: ModuleRecord) -> Int {
      record.report.files.flatMap(\.findings).filter { $0.rule == StoredTaskStrongSelf.id }.count
    }
    #expect(count(before) == 0)
    #expect(count(record) == 1)
  }

  @Test func `A file that reads no changed declaration keeps its findings`() throws {
    var sources = Self.sources
    var before = try Self.full(sources)
    // A mark shows which results come from the earlier check.
    before.report = ModuleReport(
      files: before.report.files.map { file in
        var file = file
        file.ignoredCount = 100
        return file
      })
    sources["Other.swift"] = "struct Other {\n  func value() -> Int { 9 }\n}\n"
    let record = try #require(try Self.incremental(sources, after: before))
    let again = record.report.files.filter { $0.ignoredCount == 0 }.map(\.path)
    #expect(again == ["Other.swift"])
  }

  @Test func `A change in one target changes only its own findings`()
    throws
  {
    try TemporaryFolder.with { folder in
      try folder.write(
        "Package.swift",
        """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "P", targets: [.target(name: "A"), .target(name: "B", dependencies: ["A"])])
        """)
      for target in ["A", "B"] {
        for (name, text) in Self.sources { try folder.write("Sources/\(target)/\(name)", text) }
      }
      func compare() throws -> String {
        let cached = try causeway("check", "Sources", in: folder.path)
        #expect(try causeway("check", "--no-cache", "Sources", in: folder.path) == cached)
        return cached.output
      }
      let before = try compare()
      // The type `Base` of one target changes. The other target has a type with the same name.
      try folder.write("Sources/A/Base.swift", "class Base {\n  func load() {}\n}\n")
      let changed = try compare()
      #expect(before.contains("Sources/A/Child.swift") && before.contains("Sources/B/Child.swift"))
      #expect(!changed.contains("Sources/A/Child.swift"))
      #expect(changed.contains("Sources/B/Child.swift"))
      try FileManager.default.removeItem(atPath: folder.path("Sources/B/Base.swift"))
      try folder.write("Sources/A/Base.swift", Self.sources["Base.swift"] ?? "")
      let removed = try compare()
      #expect(removed.contains("Sources/A/Child.swift"))
      #expect(!removed.contains("Sources/B/Child.swift"))
    }
  }

  @Test func `A change in one folder changes a finding about layers in another`() throws {
    var sources = [
      "App/High/Screen.swift": "struct Screen {\n  var row = Row()\n  var item: Item?\n}\n",
      "App/High/Row.swift": "struct Row {\n  var item: Item?\n}\n",
      "App/Low/Item.swift": "struct Item {\n  var id = 1\n}\n",
      "App/Low/Name.swift": "struct Name {\n  var id = 1\n}\n",
      "App/Low/Price.swift": "struct Price {\n  var value = 1\n}\n",
      "App/Low/Place.swift": "struct Place {\n  var x = 1\n}\n",
    ]
    for number in 1...6 { sources["App/Low/Other\(number).swift"] = "struct Other\(number) {}\n" }
    let check = Check(rules: [FolderLayers.self], jobs: 1, progress: { _, _ in })
    let module = SourceFinder.Module(
      name: "App", settings: Self.settings, paths: sources.keys.sorted())
    func found(_ record: ModuleRecord) -> [String] {
      record.report.files.filter { !$0.findings.isEmpty }.map(\.path)
    }
    let contents = Self.contents(sources)
    var record = try #require(
      check.records(of: check.load([module], contents).modules, contents).first)
    #expect(found(record) == [])
    func change(_ path: String, _ text: String) throws {
      sources[path] = text
      let contents = Self.contents(sources)
      var parsed: [String: SourceFile] = [:]
      let partial = IncrementalCheck(
        check: check, module: module, contents: contents, record: try ModuleRecord(record.data)
      ).run(&parsed)
      record = try #require(partial)
      let fresh = check.records(of: check.load([module], contents).modules, contents)
      let whole = try #require(fresh.first)
      #expect(found(record) == found(whole))
    }
    try change("App/Low/Item.swift", "struct Item {\n  var row: Row?\n}\n")
    #expect(found(record) == ["App/Low/Item.swift"])
    // The folder with the fewest uses of the other has the findings.
    try change("App/Low/Name.swift", "struct Name {\n  var row: Row?\n}\n")
    try change("App/Low/Price.swift", "struct Price {\n  var row: Row?\n}\n")
    #expect(found(record) == ["App/High/Row.swift", "App/High/Screen.swift"])
    try change("App/Low/Item.swift", "struct Item {\n  var id = 1\n}\n")
    try change("App/Low/Name.swift", "struct Name {\n  var id = 1\n}\n")
    try change("App/Low/Price.swift", "struct Price {\n  var id = 1\n}\n")
    #expect(found(record) == [])
  }

  @Test(arguments: [0, 1, 7, 40, 400])
  func `A damaged record is not read`(cut: Int) throws {
    let data = try Self.full(Self.sources).data
    #expect(throws: (any Error).self) { _ = try ModuleRecord(data.prefix(cut)) }
  }

  @Test func `Many changes need a whole check`() throws {
    let before = try Self.full(Self.sources)
    let changed = Self.sources.mapValues { $0 + "\n" }
    let many = try Self.incremental(changed, after: before)
    #expect(many?.files.count == nil)
  }
}
