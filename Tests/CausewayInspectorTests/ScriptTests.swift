import Causeway
import CausewayInspector
import Foundation
import TestSupport
import Testing

@testable import CausewayInspector

@Suite("The test of a recording") struct ScriptTests {
  /// A session that ends with the rows of a page.
  @MainActor static func session() async throws -> Recording {
    let inspector = try Inspector()
    let search = Search(find: { [Search.Row(id: 1, title: "\"\($0)\"")] })
    let model = ViewModel(search, observer: .inspected(by: inspector))
    await model.send(.updateQuery("boats")).finish()
    model.send(.signIn(.init(name: "ana", passphrase: "open-sesame")))
    model.send(.show(page: 1))
    model.send(.show(page: 2))
    return await inspector.recording()
  }

  private static var written: String {
    get throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Snippets/RecordedSearch.swift")
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  @Test func `is the file that these tests compile and run`() async throws {
    let text = try await TestScript(Self.session(), .init()).text
    #expect(text == (try Self.written))
    #expect(!text.contains("sesame"))
  }

  @Test func `ends at the wanted step`() async throws {
    var options = TestScript.Options()
    options.step = 2
    options.feature = "Search(find: { _ in [] })"
    options.modules = ["App"]
    let text = try await TestScript(Self.session(), options).text
    #expect(text.contains("`Search goes on as recorded until step 2`"))
    #expect(text.contains("@testable import App"))
    #expect(text.contains("ScriptedRun(Search(find: { _ in [] }))"))
    #expect(text.contains(##"#expect(run.state.rows == [Search.Row(id: 1, title: "\"boats\"")])"##))
    #expect(!text.contains("show(page"))
  }

  @Test func `can be about other orders of the effects`() async throws {
    let recording = try await Self.session()
    var options = TestScript.Options()
    options.triesOrders = true
    options.feature = "Search(find: { _ in [] })"
    options.modules = ["App", "Domain"]
    let text = try TestScript(recording, options).text
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Snippets/OtherOrders.swift")
    let written = try String(contentsOf: file, encoding: .utf8)
    let imports = "@testable import App\n@testable import Domain\n\n"
    #expect(text.replacing(imports, with: "") == written)
  }

  @Test func `repeats the action in whose handler the program ended`() async throws {
    var recording = try await Self.session()
    recording.events.append(
      RecordedEvent(
        n: 99, at: 0, kind: .handling, lane: .actions, model: "Search", title: "fail",
        value: ".fail"))
    let text = try TestScript(recording, .init()).text
    #expect(
      text.hasSuffix(
        "  // The file ends in the handler of this action.\n  run.send(.fail)\n}\n"))
  }

  @Test func `needs a model with all its steps`() async throws {
    var recording = try await Self.session()
    var options = TestScript.Options()
    options.model = "Other"
    #expect(throws: ScriptError.noModel("Other", known: ["Search"])) {
      try TestScript(recording, options)
    }
    options.model = nil
    options.step = 9
    #expect(throws: ScriptError.noStep(9, model: "Search")) { try TestScript(recording, options) }
    recording.events.removeAll { $0.step == 1 }
    #expect(throws: ScriptError.gap(before: 2, model: "Search")) {
      try TestScript(recording, .init())
    }
    recording.events = []
    #expect(throws: ScriptError.noModel(nil, known: [])) { try TestScript(recording, .init()) }
  }

  @Test(arguments: [
    ".show(page: 1)", #".a("x(", [1, -2.5], nil, Search.Row(id: 1))"#, "[:]", "[\"a\": .b]",
    #"UUID(uuidString: "A")!"#, "-1", "true", #""\"\\""#,
  ])
  func `accepts values`(text: String) {
    #expect(ValueSyntax.accepts(text))
  }

  @Test(arguments: [
    "", ".a); exit(1", "exit(1)", ".a(exit(1))", #""\(exit(1))""#, ".a; b", "{ 1 }()", "\"a",
    "\"a\nb\"", ".a(", "Process.run()", #""x".write()"#, ".a /* … */", "1.description()", "x",
    "a: 1", "#file", "`a`",
  ])
  func `refuses other code in the place of a value`(text: String) {
    #expect(!ValueSyntax.accepts(text))
  }

  @Test func `contains no code of the file's texts`() async throws {
    let evil = "x\n} ; exit(1) //"
    var recording = try await Self.session()
    for index in recording.events.indices where recording.events[index].isStep {
      recording.events[index].value = evil
      recording.events[index].effect = evil
      recording.events[index].title = evil
      recording.events[index].changes = [
        .init(path: "query", before: nil, after: evil), .init(path: evil, before: nil, after: "1"),
      ]
    }
    let text = try TestScript(recording, .init()).text
    for line in text.split(separator: "\n") where line.contains("exit") {
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      let isText = line.hasPrefix("  run.update(from: \"x\\n}")
      #expect(isComment || isText)
    }
    recording.events[0].title = "Search() } ; exit(1"
    #expect(throws: ScriptError.self) { try TestScript(recording, .init()) }
  }

  @Test(arguments: ["a..b", "[x]", "(.a", "a[", "…", "(a)", "a b", "1a"])
  func `refuses paths of another form`(path: String) {
    #expect(PathStep.steps(of: path) == nil)
  }
}
