import Causeway
import CausewayWeb
import CausewayWebTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayInspector

@Suite struct `The page of an inspector` {
  /// A started inspector with a model that has handled some actions.
  private func open(
    _ count: Int = 3,
    _ body: (Inspector, PageTestClient, ViewModel<Search.State, Search.Action>) async throws -> Void
  ) async throws {
    let inspector = try Inspector()
    let address = try await inspector.start()
    let model = await MainActor.run {
      let model = ViewModel(
        Search(),
        observer: .inspected(by: inspector) { state, observer in
          ViewModel(Search(), initialState: state, observer: observer)
        })
      for number in 0..<count { model.send(.show(page: number)) }
      return model
    }
    await inspector.settle()
    let server = try #require(inspector.page.withLock { $0?.web })
    let path = "/" + (address.split(separator: "/").last ?? "")
    let page = try await PageTestClient(server, path: path)
    try await body(inspector, page, model)
    await inspector.stop()
  }

  private func send(_ page: PageTestClient, _ action: Timeline.PageAction) async throws {
    try await page.send(action)
  }

  @Test func `has bindings that work`() async throws {
    try await open { inspector, page, _ in
      _ = try await page.value("total", as: Int.self) { $0 == 4 }
      try await send(page, .select(2))
      _ = try await page.value("detail.heading", as: String.self)
      #expect(try await page.problems == [])
    }
  }

  @Test func `shows a step as a tree with its differences`() async throws {
    struct Line: Decodable { var name: String, before: String, after: String?, look: String }
    try await open { _, page, _ in
      try await send(page, .select(3))
      let lines = try await page.value("detail.lines", as: [Line].self) { !$0.isEmpty }
      let changed = lines.filter { $0.look.contains("changed") }
      #expect(changed.map(\.name) == ["stage", "[0]", "number"])
      #expect(changed.last?.before == "0" && changed.last?.after == "1")
      #expect(lines.contains { $0.name == "query" && $0.look.contains("same") })
    }
  }

  @Test func `filters by lane, model and text`() async throws {
    try await open { inspector, page, _ in
      inspector.note(.network, "GET /Rows")
      _ = try await page.value("total", as: Int.self) { $0 == 5 }
      try await send(page, .search(" GET /rows "))
      _ = try await page.value("total", as: Int.self) { $0 == 1 }
      try await send(page, .toggleLane("network"))
      _ = try await page.value("total", as: Int.self) { $0 == 0 }
      try await send(page, .search(""))
      _ = try await page.value("total", as: Int.self) { $0 == 4 }
      try await send(page, .toggleLane("network"))
      try await send(page, .show(model: "Search"))
      _ = try await page.value("total", as: Int.self) { $0 == 4 }
    }
  }

  @Test func `stays at its events while it is paused`() async throws {
    try await open { inspector, page, model in
      _ = try await page.value("total", as: Int.self) { $0 == 4 }
      try await send(page, .pause)
      await model.send(.show(page: 9))
      await inspector.settle()
      try await send(page, .first)
      #expect(try await page.value("total", as: Int.self) == 4)
      try await send(page, .present)
      _ = try await page.value("total", as: Int.self) { $0 == 5 }
    }
  }

  @Test func `travels, and shows the present without a step`() async throws {
    struct Line: Decodable { var name: String, before: String, after: String? }
    try await open(40) { _, page, _ in
      try await send(page, .select(3))
      _ = try await page.value("detail.step", as: Int.self) { $0 == 2 }
      try await send(page, .travel(to: 37))
      _ = try await page.value("detail.step", as: Int.self) { $0 == 37 }
      let lines = try await page.value("detail.lines", as: [Line].self)
      #expect(lines.last { $0.name == "number" }?.after == "36")
      try await send(page, .without)
      _ = try await page.value("detail.isWithout", as: Bool.self) { $0 }
      let text = try await page.value("detail.explanation", as: String.self)
      #expect(text.contains("would be the same"))
    }
  }

  @Test func `forks a second model from a step`() async throws {
    try await open { inspector, page, _ in
      try await send(page, .select(3))
      _ = try await page.value("detail.canFork", as: Bool.self) { $0 }
      try await send(page, .fork)
      _ = try await page.value("notice", as: String.self) { $0.contains("goes on from step 2") }
      let stage = await MainActor.run {
        (inspector.models.forks.last as? ViewModel<Search.State, Search.Action>)?.viewState.stage
      }
      #expect(stage == .shown(.init(number: 1)))
      #expect(await inspector.recording().events.last?.model == "Search, from step 2")
    }
  }

  @Test func `shows a window of many events`() async throws {
    struct Row: Decodable { var id: Int }
    try await open(1_000) { _, page, _ in
      _ = try await page.value("total", as: Int.self) { $0 == 1_001 }
      try await send(page, .scroll(to: 500))
      let rows = try await page.value("rows", as: [Row].self) { $0.first?.id == 501 }
      #expect(rows.map(\.id) == Array(501...620))
      try await send(page, .select(10))
      // A selected event that is not in the window moves the window.
      _ = try await page.value("rows", as: [Row].self) { $0.contains { $0.id == 10 } }
      try await send(page, .move(by: 5))
      _ = try await page.value("selectedIndex", as: Int.self) { $0 == 14 }
      for action in [
        Timeline.PageAction.scroll(to: -5), .scroll(to: .max), .move(by: .max - 20),
        .travel(to: -1),
      ] {
        try await send(page, action)
      }
      try await send(page, .move(by: -100_000))
      _ = try await page.value("selectedIndex", as: Int.self) { $0 == 0 }
    }
  }

  @Test func `is hidden without its token`() async throws {
    try await open { inspector, _, _ in
      let server = try #require(inspector.page.withLock { $0?.web })
      for path in ["/", "/x", "/" + String(repeating: "0", count: 32), "/a/b"] {
        let answer = await server.respond(
          to: Request(.get, path, headers: ["Accept": "text/html"]))
        #expect(answer.status == .notFound)
        let text = String(decoding: try await answer.bytes, as: UTF8.self)
        #expect(!text.contains("Search"))
      }
    }
  }

  @Test func `refuses other origins and hosts`() async throws {
    try await open { inspector, page, _ in
      let address = try #require(inspector.page.withLock { $0?.address })
      let path = "/" + (address.split(separator: "/").last ?? "")
      let server = try #require(inspector.page.withLock { $0?.web })
      let other = await server.respond(
        to: Request(.get, path, headers: ["Accept": "text/html"], host: "evil.example"))
      #expect(other.status.code == 421)
      let frame = await server.respond(
        to: Request(
          .get, path, headers: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"]))
      #expect(frame.status == .forbidden)
      let action = await server.respond(
        to: Request(
          .post, "/_causeway/action",
          headers: ["Origin": "https://evil.example", "Content-Type": "application/json"]))
      #expect(action.status == .forbidden)
    }
  }

  @Test func `has another token each time`() async throws {
    let inspector = try Inspector()
    let first = try await inspector.start()
    let second = try await inspector.start()
    #expect(first != second && first.hasPrefix("http://127.0.0.1:"))
    await inspector.stop()
  }

  @Test func `shows the recording of another program`() async throws {
    struct Line: Decodable { var name: String, after: String? }
    try await withDirectory { directory in
      let session = try await ScriptTests.session()
      let file = directory.appending(path: "session.jsonl").path
      try session.jsonLines().write(to: URL(filePath: file))
      var (output, errors) = ("", "")
      let inspector = try #require(
        await RecordingCommand.open(
          file, say: { output += String(decoding: $0, as: UTF8.self) }, complain: { errors += $0 }))
      #expect(output.contains("http://127.0.0.1:") && errors.isEmpty)
      let page = try await client(of: inspector)
      _ = try await page.value("total", as: Int.self) { $0 == session.events.count }
      try await send(page, .select(2))
      let lines = try await page.value("detail.lines", as: [Line].self) { !$0.isEmpty }
      #expect(lines.first?.name == "query" && lines.first?.after == "\"boats\"")
      await inspector.stop()
    }
  }

  @Test func `shows a recording with any numbers`() async throws {
    var session = try await ScriptTests.session()
    let numbers = [Int.max, Int.min, 0, -1, 7, Int.max]
    for index in session.events.indices {
      session.events[index].n = numbers[index % numbers.count]
      session.events[index].at = numbers[(index + 1) % numbers.count]
      session.events[index].step = numbers[(index + 2) % numbers.count]
    }
    let inspector = Inspector(showing: session)
    _ = try await inspector.start()
    let page = try await client(of: inspector)
    for action in [Timeline.PageAction.pause, .first, .move(by: 1), .without, .fork, .present] {
      try await send(page, action)
    }
    for number in 1...session.events.count {
      try await send(page, .select(number))
      _ = try await page.value("detail.event", as: Int.self) { $0 == number }
    }
    await inspector.stop()
  }

  private func client(of inspector: Inspector) async throws -> PageTestClient {
    let server = try #require(inspector.page.withLock { $0 })
    return try await PageTestClient(
      server.web, path: "/" + (server.address.split(separator: "/").last ?? ""))
  }
}
