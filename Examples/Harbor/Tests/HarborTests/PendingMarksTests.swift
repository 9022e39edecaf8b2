import CausewayTesting
import HarborDomain
import TestSupport
import Testing

@testable import HarborApp

@MainActor
@Suite(.timeLimit(.minutes(10))) struct `The marks of pending changes` {
  private static func joined(isPending: Bool, by people: PersonName...) -> Activity {
    var activity = FeedWorld.row
    activity.participants = people
    activity.isPending = isPending
    return activity
  }

  @Test func `do not appear when the server answers in time, and pages get one version`()
    async throws
  {
    let (board, clock) = (BoardDouble([FeedWorld.row]), TestClock())
    var boards = PendingMarks.stream(of: board, clock: clock).makeAsyncIterator()
    #expect(try await boards.next(isolation: #isolation) == [FeedWorld.row])
    board.change { $0 = [Self.joined(isPending: true, by: FeedWorld.ben)] }
    let sent = [Self.joined(isPending: false, by: FeedWorld.ben)]
    #expect(try await boards.next(isolation: #isolation) == Activities(sent))
    board.change { $0 = sent }
    // When the next change is shown, the answer has been received.
    board.change { $0 = sent + [FeedWorld.sail] }
    #expect(try await boards.next(isolation: #isolation) == Activities(sent + [FeedWorld.sail]))
    await clock.advance(by: .milliseconds(500))
    board.change { $0 = [FeedWorld.row, FeedWorld.sail] }
    #expect(try await boards.next(isolation: #isolation) == [FeedWorld.row, FeedWorld.sail])
  }

  @Test func `appear after half a second without an answer`() async throws {
    let (board, clock) = (BoardDouble([FeedWorld.row]), TestClock())
    var boards = PendingMarks.stream(of: board, clock: clock).makeAsyncIterator()
    #expect(try await boards.next(isolation: #isolation) == [FeedWorld.row])
    let pending = Self.joined(isPending: true, by: FeedWorld.ben)
    board.change { $0 = [pending] }
    #expect(try await boards.next(isolation: #isolation)?.map(\.isPending) == [false])
    // The sleep begins a moment after the board is shown.
    while await clock.run(upTo: .milliseconds(499)) { await Task.yield() }
    await clock.advance(by: .milliseconds(500))
    #expect(try await boards.next(isolation: #isolation) == [pending])
    // A later change of the same activity keeps the mark.
    let next = Self.joined(isPending: true, by: FeedWorld.ben, FeedWorld.ana)
    board.change { $0 = [next] }
    #expect(try await boards.next(isolation: #isolation) == [next])
  }

  @Test func `appear at once for changes of the last start`() async throws {
    let pending = Self.joined(isPending: true, by: FeedWorld.ben)
    let board = BoardDouble([pending])
    var boards = PendingMarks.stream(of: board, clock: TestClock()).makeAsyncIterator()
    #expect(try await boards.next(isolation: #isolation) == [pending])
  }

  @Test func `end with the failure of the board`() async throws {
    let board = BoardDouble([FeedWorld.row])
    var boards = PendingMarks.stream(of: board, clock: TestClock()).makeAsyncIterator()
    #expect(try await boards.next(isolation: #isolation) == [FeedWorld.row])
    board.fail(.notRead(reason: "Disk broken."))
    await #expect(throws: ActivityError.self) { try await boards.next(isolation: #isolation) }
  }
}
