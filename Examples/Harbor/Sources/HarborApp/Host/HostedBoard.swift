import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures
import Synchronization

/// The board of a group, which the pages of all accounts share.
///
/// The pages retain it. It has only the part of a large board that the pages show.
@MainActor final class HostedBoard {
  let snapshot: BoardSnapshot
  let shared: SharedBoards
  let people: SharedPeople
  private let reach = BoardReach()

  init(_ group: String, in backend: Backend, _ now: @escaping @Sendable () -> Date) {
    let activities = backend.activities(of: group, as: "")
    let board = HostedActivities(records: activities, now: now)
    snapshot = BoardSnapshot(
      reading: { [reach] receive in try await activities.readBoard(within: reach, receive) },
      change: BoardSnapshot.people)
    shared = SharedBoards(SharedActivities(board: board, snapshot: snapshot), snapshot)
    people = SharedPeople { backend.peopleCounts(of: group) }
  }

  /// Reads what a page shows, unless it was read before.
  ///
  /// - Returns: A reference that keeps the part of the board as long as the page retains it.
  /// - Throws: A `Problem` if the open pages begin at too many days.
  func show(_ window: BoardWindow) async throws -> BoardReach.Hold {
    guard let hold = reach.hold(window.reach) else {
      throw Problem(
        .serviceUnavailable, code: "too-many-days",
        detail: "Pages of many days of this board are open. Open this day again in a minute.",
        headers: ["Retry-After": "60"])
    }
    do {
      for try await activities in snapshot.stream() where activities.covers(window.reach) { break }
    } catch {
      // The page shows the problem.
    }
    return hold
  }
}

/// The numbers of activities of a group's people, which are read while a page follows them.
final class SharedPeople: Sendable {
  private typealias Reading = SharedReading<[PersonName: Int], Void>

  private struct State {
    weak var reading: Reading?
  }

  private let read: @Sendable () -> AsyncThrowingStream<[PersonName: Int], any Error>
  private let state = Mutex(State())

  init(_ read: @escaping @Sendable () -> AsyncThrowingStream<[PersonName: Int], any Error>) {
    self.read = read
  }

  /// Follows the numbers; all pages share one reading.
  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error> {
    .newest { [self] listener in
      let reading = reading()
      // The reading stops when it is released.
      defer { withExtendedLifetime(reading) {} }
      for try await counts in reading.stream() { listener.yield(counts) }
    }
  }

  private func reading() -> Reading {
    state.withLock { state in
      if let reading = state.reading { return reading }
      let reading = Reading(read) { _, _ in }
      state.reading = reading
      return reading
    }
  }
}
