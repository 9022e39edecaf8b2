import CausewayBasics
import CausewayData
import Synchronization
import TestSupport
import Testing

@testable import CausewayDatabase

/// Rows that a test changes, with a gate before each fetch.
private final class Source: Sendable {
  private struct State {
    var rows: [Int] = []
    var fetches = 0
    var gate: Gate?
  }

  private let state = Mutex(State())
  let fetches = Log<Int>()

  func set(_ rows: [Int]) { state.withLock { $0.rows = rows } }
  func hold(_ gate: Gate?) { state.withLock { $0.gate = gate } }

  func observe(_ live: LiveQueries) -> LiveQuery<Int> {
    live.observe("SELECT id FROM boat", as: Int.self) { [self] in
      let (rows, gate) = state.withLock { state in
        state.fetches += 1
        fetches.append(state.fetches)
        return (state.rows, state.gate)
      }
      await gate?.wait()
      try Task.checkCancellation()
      return LiveQueryFetch(rows: rows, tables: ["boat"])
    }
  }
}

@Suite("LiveQueries", .timeLimit(.minutes(10))) struct LiveQueriesTests {
  private let live = LiveQueries()
  private let source = Source()

  @Test func `When the consumer that runs the query is cancelled, another consumer runs it`()
    async throws
  {
    let gate = Gate()
    source.hold(gate)
    let query = source.observe(live)
    let first = Task {
      var versions = query.makeAsyncIterator()
      return try await versions.next()
    }
    await source.fetches.wait(for: 1)
    let others = (0..<3).map { _ in
      Task {
        var versions = query.makeAsyncIterator()
        return try await versions.next()
      }
    }
    source.hold(nil)
    first.cancel()
    #expect(try await first.value == nil)
    for other in others { #expect(try await other.value == []) }
    #expect(source.fetches.all == [1, 2])
  }

  @Test func `A commit while the query runs makes it run again`() async throws {
    let gate = Gate()
    source.hold(gate)
    var versions = source.observe(live).makeAsyncIterator()
    let first = Task {
      let rows = try await versions.next()
      return (rows, try await versions.next())
    }
    await source.fetches.wait(for: 1)
    source.set([1])
    live.invalidate(.tables(["boat"]))
    source.hold(nil)
    gate.open()
    let (before, after) = try await first.value
    #expect(before == [])
    #expect(after == [1])
  }

  @Test func `A query without a waiting consumer does not run after a commit`() async throws {
    var versions = source.observe(live).makeAsyncIterator()
    #expect(try await versions.next() == [])
    for id in 1...100 {
      source.set([id])
      live.invalidate(.tables(["boat"]))
    }
    #expect(source.fetches.all == [1])
    #expect(try await versions.next() == [100])
    #expect(source.fetches.all == [1, 2])
  }

  @Test func `A slow consumer gets the newest rows, not rows that others have read in between`()
    async throws
  {
    var slow = source.observe(live).makeAsyncIterator()
    var quick = source.observe(live).makeAsyncIterator()
    #expect(try await slow.next() == [])
    #expect(try await quick.next() == [])
    source.set([1])
    live.invalidate(.everything)
    #expect(try await quick.next() == [1])
    source.set([2])
    live.invalidate(.everything)
    #expect(try await slow.next() == [2])
    #expect(try await quick.next() == [2])
    #expect(source.fetches.all == [1, 2, 3])
  }

  @Test func `The reason of a run is kept when the consumer that runs it is cancelled`()
    async throws
  {
    let reasons = Log<String>()
    let observation = DataSignals.observe { signal in
      if case .query("SELECT id FROM boat", 41, _, let reason) = signal { reasons.append(reason) }
    }
    // Other tests have other numbers of rows.
    source.set(Array(0..<41))
    let query = source.observe(live)
    var versions = query.makeAsyncIterator()
    _ = try await versions.next()
    source.hold(Gate())
    live.invalidate(.tables(["boat", "crew"]))
    let first = Task {
      var versions = query.makeAsyncIterator()
      return try await versions.next()
    }
    await source.fetches.wait(for: 2)
    source.hold(nil)
    live.invalidate(.tables(["boat", "pier"]))
    first.cancel()
    #expect(try await first.value == nil)
    var others = query.makeAsyncIterator()
    _ = try await others.next()
    _ = consume observation
    #expect(reasons.all == ["first run", "after changes of boat, crew, pier"])
  }

  @Test func `Commits without a pause do not keep a consumer waiting`() async throws {
    var versions = source.observe(live).makeAsyncIterator()
    #expect(try await versions.next() == [])
    source.set([1])
    // The rows are stale again before they arrive.
    let eager = live.observe("SELECT id FROM boat ", as: Int.self) { [live, source] in
      live.invalidate(.tables(["boat"]))
      source.fetches.append(0)
      return LiveQueryFetch(rows: [source.fetches.all.count], tables: ["boat"])
    }
    var always = eager.makeAsyncIterator()
    let first = try #require(try await always.next()?.first)
    let second = try #require(try await always.next()?.first)
    #expect(second > first)
    #expect(try await versions.next() == [1])
  }

  @Test func `An error of a fetch ends the live query as a typed error`() async {
    struct Broken: Error {}
    let query = live.observe("SELECT 1", as: Int.self) { () -> LiveQueryFetch<Int> in throw Broken()
    }
    var versions = query.makeAsyncIterator()
    let error = await #expect(throws: PersistenceError.self) { try await versions.next() }
    #expect(error?.kind == .other)
    #expect(error?.message.contains("Broken") == true)
  }

  @Test(arguments: [
    (TableChanges.tables(["crew"]), false), (.tables(["crew", "boat"]), true), (.everything, true),
    (.none, false),
  ])
  func `Only changes of tables that a query reads make it run`(
    _ changes: TableChanges, _ runs: Bool
  ) async throws {
    var versions = source.observe(live).makeAsyncIterator()
    _ = try await versions.next()
    live.invalidate(changes)
    #expect(live.fetchCount == (runs ? 2 : 1))
  }
}

/// The queries that are visited after a change of tables, and the order of the visits.
@Suite struct TableReadersTests {
  private final class Node: LiveQueries.Node {
    let hasEnded = false
    let fetchCount = 0
    func invalidate(_ changes: TableChanges) {}
    func end() {}
  }

  private let nodes = (0..<4).map { _ in Node() }

  private func numbers(_ readers: TableReaders, _ changes: TableChanges) -> [Int?] {
    readers.nodes(reading: changes).map { found in nodes.firstIndex { $0 === found } }
  }

  @Test func `Only queries of the changed tables are visited, in the order of registration`() {
    var readers = TableReaders()
    for number in [2, 0, 3, 1] { readers.add(nodes[number], number) }
    // A query that has not run may read any table.
    #expect(numbers(readers, .tables(["boat"])) == [0, 1, 2, 3])
    readers.set(["boat"], of: 0)
    readers.set(["crew"], of: 1)
    readers.set(["boat", "crew"], of: 2)
    #expect(numbers(readers, .tables(["boat"])) == [0, 2, 3])
    #expect(numbers(readers, .tables(["harbour"])) == [3])
    readers.set([], of: 3)
    #expect(numbers(readers, .tables(["harbour"])) == [])
    #expect(numbers(readers, .tables(["crew", "boat"])) == [0, 1, 2])
    #expect(numbers(readers, .everything) == [0, 1, 2, 3])
    readers.set(["harbour"], of: 0)
    readers.remove(2)
    readers.set(["boat"], of: 2)
    #expect(numbers(readers, .tables(["boat"])) == [])
    #expect(numbers(readers, .tables(["harbour", "crew"])) == [0, 1])
  }
}
