import CausewayWeb
import HarborDomain
import Synchronization
import TestSupport
import Testing

@testable import HarborApp

/// The board that the pages of a device share, on real threads.
@Suite(.timeLimit(.minutes(10)))
struct BoardSnapshotStressTests {
  /// A board that the test changes without a lock.
  private struct Board: ActivityRepositoryProtocol {
    let stream: AsyncThrowingStream<Activities, any Error>

    func activities() -> AsyncThrowingStream<Activities, any Error> { stream }

    func create(
      _ details: ActivityDetails, host: PersonName
    ) async throws(ActivityError) -> Activity { throw .deleted }

    func update(
      _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
    ) async throws(ActivityError) -> Activity { throw .deleted }

    func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {}

    func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {}

    func delete(_ id: Activity.ID) async throws(ActivityError) {}
  }

  private final class Page: Sendable {}

  @Test func `a board changes while the pages that follow it come, go and are cancelled`()
    async throws
  {
    let (row, ana) = await (FeedWorld.row, FeedWorld.ana)
    let board = { @Sendable (revision: Int) in
      var activity = row
      activity.revision = revision
      return Activities([activity])
    }
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Activities.self, bufferingPolicy: .bufferingNewest(1))
    let snapshot = BoardSnapshot(Board(stream: stream))
    defer { snapshot.stop() }
    try await watched("A board whose pages are cancelled") {
      try await cancelConsumers(rounds: 5000) {
        let page = Page()
        let activities = snapshot.stream(for: ObjectIdentifier(page)) { $0.contains(ana) }
        snapshot.yieldAgain(to: ObjectIdentifier(page))
        var last = -1
        for try await activities in activities {
          #expect(activities[0].revision >= last, "A page never gets an older board.")
          last = activities[0].revision
          snapshot.yieldAgain(to: ObjectIdentifier(page))
          // The stream always has another board now and never waits, so this lets other tasks run.
          await Task.yield()
        }
      } while: {
        continuation.yield(board($0))
      }
    }
    // A page that is not cancelled still gets every newest board.
    continuation.yield(board(.max))
    for try await activities in snapshot.stream() where activities[0].revision == .max { break }
  }
}
