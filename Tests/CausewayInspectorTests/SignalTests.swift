import CausewayBasics
import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayInspector

@Suite("Signals of the data layer", .timeLimit(.minutes(10)))
struct SignalTests {
  /// The events of an inspector that follows the signals about one thing.
  ///
  /// Other tests of the process use the data layer at the same time.
  private func events(
    about mark: String, hidingAfter names: Set<String> = [], _ body: () async throws -> Void
  ) async throws -> [RecordedEvent] {
    let inspector = try Inspector()
    inspector.followData(hidingAfter: names) { "\($0)".contains(mark) }
    do {
      try await body()
    } catch {
      await inspector.stop()
      throw error
    }
    await inspector.stop()
    return await inspector.recording().events
  }

  @Test func `an inspector follows until it stops, even without a reference`() async throws {
    let mark = "signal \(UUID())"
    func follow() throws -> (EventQueue, EventStore) {
      let inspector = try Inspector()
      inspector.followData(hidingAfter: []) { "\($0)".contains(mark) }
      return (inspector.queue, inspector.store)
    }
    let (queue, store) = try follow()
    DataSignals.send(.query(sql: mark, rows: 0, took: .zero, reason: ""))
    await queue.settle()
    #expect(store.all.joined().count == 1)
    queue.follow(nil)
    DataSignals.send(.query(sql: mark, rows: 0, took: .zero, reason: ""))
    await queue.settle()
    #expect(store.all.joined().count == 1)

    let inspector = try Inspector()
    inspector.followData(hidingAfter: []) { "\($0)".contains(mark) }
    await inspector.stop()
    DataSignals.send(.query(sql: mark, rows: 0, took: .zero, reason: ""))
    #expect(await inspector.recording().events.isEmpty)
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
      // The inspector's observer was added earlier. So it has already received each signal that
      // this stream yields.
      let (signals, continuation) = AsyncStream.makeStream(of: String.self)
      let observation = DataSignals.observe { signal in
        if case .mutation(let stage, "buoys", let kind, _, _) = signal {
          continuation.yield("\(kind) \(stage)")
        }
      }
      var keys: [IdempotencyKey] = []
      for kind in ["paint", "sink"] {
        let entry = try await outbox.enqueue(
          OutboxDraft(collection: "buoys", kind: kind, payload: Data("hidden-payload".utf8)))
        keys.append(entry.key)
      }
      outbox.start()
      var missing: Set = ["paint acknowledged", "sink refused"]
      for await signal in signals {
        missing.remove(signal)
        if missing.isEmpty { break }
      }
      _ = consume observation
      try await outbox.discard(keys[1])
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
    #expect(
      titles("sink") == [
        "stored #2 buoys", "sent #2 buoys", "refused #2 buoys", "removed #2 buoys",
      ])
    #expect(events.contains { $0.value == "sink, rejected" })
    #expect(events.contains { $0.value == "sink, discarded" })
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

  @Test func `a cache shows that it cools down after an error`() async throws {
    let events = try await events(about: "trawler") {
      var policy = ResourcePolicy()
      policy.retries = 0
      let cache = ResourceCache<String, Int>(policy: policy, clock: ManualClock()) { _ in
        throw RemoteFailure(.rejected, "hidden-message")
      }
      for _ in 0..<2 { _ = try? await cache.value(for: "trawler") }
    }
    #expect(events.map(\.title) == ["cache miss: Int", "cache cooling down: Int"])
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

  @Test func `a flood of signals leaves room for steps`() async throws {
    try await withDirectory { directory in
      let file = directory.appending(path: "ring")
      let inspector = try Inspector(ringFile: file.path)
      let signal = DataSignal.query(sql: "SELECT 1", rows: 1, took: .zero, reason: "first run")
      func flood(_ count: Int) {
        for _ in 0..<count {
          inspector.queue.addSignal { RecordedEvent(signal, n: $0, at: $1, hiding: []) }
        }
      }
      for number in 0..<100 { inspector.note(.network, "before \(number)") }
      flood(10_000)
      for number in 0..<100 { inspector.note(.network, "after \(number)") }
      await inspector.settle()
      for _ in 0..<10 {
        flood(1_000)
        await inspector.settle()
      }
      let events = await inspector.recording().events
      #expect(events.count { $0.kind == .note } == 200)
      #expect(events.allSatisfy { $0.kind != .lost || $0.lane == .queries })
      #expect(zip(events, events.dropFirst()).allSatisfy { $0.n < $1.n })
      let kept = try Recording(ring: Data(contentsOf: file)).events
      #expect(kept.count { $0.kind == .note } == 200 && kept.last?.kind == .query)
    }
  }

  @Test func `an observer gets no signals after its observation has ended`() {
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
