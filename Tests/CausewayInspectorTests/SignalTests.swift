import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewaySystem
import CausewayWeb
import Foundation
import Synchronization
import Testing

@testable import CausewayInspector

@Suite("Signals of the data layer", .timeLimit(.minutes(2)))
struct SignalTests {
  /// The events of an inspector that follows the signals about one thing.
  ///
  /// Other tests of the process use the data layer at the same time.
  private func events(
    about mark: String, hidingAfter names: Set<String> = [], _ body: () async throws -> Void
  ) async throws -> [RecordedEvent] {
    let inspector = try Inspector()
    inspector.followData(hidingAfter: names) { "\($0)".contains(mark) }
    try await body()
    return await inspector.recording().events
  }

  @Test func `a live query shows its text without values, its rows and its reason`() async throws {
    let events = try await events(about: "shoal") {
      let store = try InMemoryPersistenceService(
        migrations: [Migration("first", "CREATE TABLE shoal (name TEXT)")])
      let name = "hidden-reef"
      let query: SQL = "SELECT name\n  FROM shoal WHERE name <> \(name)"
      var rows = store.observe(query, as: String.self).makeAsyncIterator()
      _ = try await rows.next()
      try await store.write { try $0.execute("INSERT INTO shoal VALUES ('sandbank')") }
      let next = try await rows.next()
      #expect(next == ["sandbank"])
      try await store.close()
    }
    #expect(events.map(\.kind) == [.query, .query])
    #expect(events.map(\.lane) == [.queries, .queries])
    #expect(
      events.map(\.title) == Array(repeating: "SELECT name FROM shoal WHERE name <> ?", count: 2))
    #expect(events.map(\.value) == ["0 rows, first run", "1 row, after changes of shoal"])
    #expect(events.allSatisfy { ($0.took ?? -1) >= 0 })
    #expect(!"\(events)".contains("hidden-reef") && !"\(events)".contains("sandbank"))
  }

  @Test func `a mutation is stored, sent, and acknowledged or refused`() async throws {
    let events = try await events(about: "buoys") {
      let store = try InMemoryPersistenceService(migrations: Outbox.migrations)
      let outbox = Outbox(persistence: store, session: SessionService(account: .local))
      outbox.register("buoys") { entry in
        if entry.kind == "sink" { throw RemoteFailure(.rejected, "hidden-message") }
        return .final
      }
      let rejections = outbox.rejections()
      for kind in ["paint", "sink"] {
        try await outbox.enqueue(
          OutboxDraft(collection: "buoys", kind: kind, payload: Data("hidden-payload".utf8)))
      }
      outbox.start()
      for await _ in rejections { break }
      let settled = store.observe("SELECT count(*) FROM sync_outbox", as: Int.self)
      for try await count in settled where count == [0] { break }
      try await store.close()
    }
    #expect(events.allSatisfy { $0.kind == .mutation && $0.lane == .outbox })
    func titles(_ kind: String) -> [String] {
      events.filter { $0.value?.hasPrefix(kind) == true }.map(\.title)
    }
    #expect(
      titles("paint").prefix(3) == ["stored #1 buoys", "sent #1 buoys", "acknowledged #1 buoys"])
    #expect(titles("sink") == ["stored #2 buoys", "sent #2 buoys", "refused #2 buoys"])
    #expect(events.contains { $0.value == "sink, rejected" })
    #expect(!"\(events)".contains("hidden-"))
  }

  @Test func `a cache shows its hits and misses`() async throws {
    struct Chart: Hashable, Sendable {
      var name = "fjord"
      var token = "hidden-token"
    }
    let events = try await events(about: "fjord") {
      let cache = ResourceCache<Chart, Int> { _ in 7 }
      for _ in 0..<2 { _ = try await cache.value(for: Chart()) }
    }
    #expect(events.map(\.title) == ["cache miss: Int", "cache hit: Int"])
    #expect(events.allSatisfy { $0.kind == .cache && $0.value?.contains("fjord") == true })
    #expect(!"\(events)".contains("hidden-token"))
  }

  @Test func `the keys of a cache show addresses without their secrets`() async throws {
    struct Chart: Hashable, Sendable { var address: String }
    let text = "https://hidden-user:pw@skerry.example/resets/hidden-part/4?sig=hidden-1#hidden-2"
    let url = try #require(URL(string: text))
    let events = try await events(about: "skerry", hidingAfter: ["resets"]) {
      _ = try await ResourceCache<String, Int> { _ in 7 }.value(for: text)
      _ = try await ResourceCache<URL, Int> { _ in 7 }.value(for: url)
      _ = try await ResourceCache<Chart, Int> { _ in 7 }.value(for: Chart(address: text))
    }
    let shown = #""https://skerry.example/resets/…/4?sig=…""#
    #expect(events.count == 3)
    #expect(events.first?.value == shown)
    #expect(events.allSatisfy { $0.value?.contains(shown) == true })
    #expect(!"\(events)".contains("hidden-"))
  }

  @Test func `a request shows its begin and its end without values of its query`() async throws {
    let server = WebServer(configuration: .init(port: 0))
    server.get("/lighthouses/:code/:id") { _ in try .json([1]) }
    let url = try #require(URL(string: try await server.start().url))
    let network = HTTPNetworkService(.init(address: url))
    let events = try await events(about: "lighthouses", hidingAfter: ["lighthouses"]) {
      _ = try await network.response(
        for: NetworkRequest(
          .get, "/lighthouses/\("hidden-code")/\(4)", query: [.init("key", "hidden-key")]))
      _ = try? await network.response(for: NetworkRequest(.get, "/lighthouses/token/4711/none"))
    }
    network.close()
    await server.stop(deadline: .zero)
    #expect(events.map(\.kind) == [.request, .response, .request, .response])
    #expect(events.allSatisfy { $0.lane == .network })
    #expect(events.first?.title == "GET \(url.absoluteString)/lighthouses/…/4?key=…")
    #expect(events[1].title == "200 GET \(url.absoluteString)/lighthouses/…/4?key=…")
    #expect(events[1].value == events[0].value && (events[1].took ?? -1) >= 0)
    #expect(events[3].title.hasPrefix("status 404 GET "))
    #expect(!"\(events)".contains("hidden-") && !"\(events)".contains("4711"))
  }

  @Test func `nobody gets signals after an observation has ended`() {
    let mark = "signal \(UUID())"
    let seen = Atomic(0)
    func send() {
      DataSignals.send(.query(sql: mark, rows: 0, took: .zero, reason: ""))
    }
    let observation = DataSignals.observe { signal in
      if case .query(mark, _, _, _) = signal { seen.add(1, ordering: .relaxed) }
    }
    send()
    withExtendedLifetime(observation) { #expect(DataSignals.areObserved) }
    _ = consume observation
    send()
    #expect(seen.load(ordering: .relaxed) == 1)
  }
}
