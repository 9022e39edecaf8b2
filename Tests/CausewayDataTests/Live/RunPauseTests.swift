import CausewayData
import CausewayDataTesting
import TestSupport
import Testing

@testable import CausewayDatabase

/// The pause of a live query after each run.
@Suite(.timeLimit(.minutes(5))) struct RunPauseTests {
  private let clock = ManualClock()
  private let live: LiveQueries
  private let runs = Log<Int>()

  init() { live = LiveQueries(clock: clock) }

  /// A live query whose only row is the number of the run.
  private func observe() -> LiveQuery<Int> {
    live.observe("SELECT run", as: Int.self, pause: .milliseconds(10)) { [runs] in
      let run = runs.all.count + 1
      runs.append(run)
      return LiveQueryFetch(rows: [run], tables: ["boat"])
    }
  }

  /// Starts to wait for the next version of a query that is stale and pauses.
  private func waitInPause(_ query: LiveQuery<Int>) async -> Task<[Int]?, any Error> {
    live.invalidate(.everything)
    let next = Task { () -> [Int]? in
      for try await rows in query where rows != [1] { return rows }
      return nil
    }
    await clock.sleepers(1)
    return next
  }

  @Test func `The commits during the pause share the next run`() async throws {
    var versions = observe().makeAsyncIterator()
    #expect(try await versions.next() == [1])
    let next = await waitInPause(observe())
    for _ in 1...3 { live.invalidate(.everything) }
    #expect(runs.all == [1])
    clock.advance(by: .milliseconds(10))
    #expect(try await next.value == [2])
    #expect(runs.all == [1, 2])
  }

  @Test(arguments: [(1, 10), (3, 12), (50, 20)])
  func `The pause after a slow query is longer, up to a limit`(
    _ duration: Int, _ expected: Int
  ) async throws {
    let slow = slowQuery("SELECT slow", duration)
    var versions = slow.makeAsyncIterator()
    #expect(try await versions.next() == [1])
    let next = await waitInPause(slow)
    clock.advance(by: .milliseconds(expected - 1))
    #expect(runs.all == [1])
    clock.advance(by: .milliseconds(1))
    #expect(try await next.value == [2])
  }

  @Test func `The runs of other queries make the pause longer`() async throws {
    let texts: [SQL] = ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"]
    let queries = texts.map { slowQuery($0, 1) }
    for query in queries {
      var versions = query.makeAsyncIterator()
      _ = try await versions.next()
    }
    // All four queries have run since the last query was made.
    let next = await waitInPause(queries[3])
    clock.advance(by: .milliseconds(15))
    #expect(runs.all.count == 4)
    clock.advance(by: .milliseconds(1))
    #expect(try await next.value == [5])
  }

  /// A live query whose run takes some milliseconds.
  private func slowQuery(_ query: SQL, _ duration: Int) -> LiveQuery<Int> {
    live.observe(query, as: Int.self, pause: .milliseconds(10)) { [runs, clock] in
      clock.advance(by: .milliseconds(duration))
      runs.append(runs.all.count + 1)
      return LiveQueryFetch(rows: [runs.all.count], tables: ["boat"])
    }
  }

  @Test func `Another consumer runs the query when the first is cancelled in the pause`()
    async throws
  {
    var versions = observe().makeAsyncIterator()
    #expect(try await versions.next() == [1])
    let first = await waitInPause(observe())
    let second = Task { try await versions.next() }
    first.cancel()
    _ = await first.result
    // Only the second consumer is now in the pause.
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(10))
    #expect(try await second.value == [2])
    #expect(runs.all == [1, 2])
  }

  @Test func `A query that ends in the pause does not run`() async throws {
    var versions = observe().makeAsyncIterator()
    #expect(try await versions.next() == [1])
    let next = await waitInPause(observe())
    live.close()
    clock.advance(by: .milliseconds(10))
    #expect(try await next.value == nil)
    #expect(runs.all == [1])
  }
}
