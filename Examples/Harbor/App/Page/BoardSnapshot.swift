import CausewayStreams
import HarborDomain
import HarborFeatures
import Synchronization

/// The last known board of a group, which all pages of the device share.
///
/// It follows the board once, and reads each list once. A page is informed only about the changes
/// that it shows itself, so a change costs no work for the other pages.
final class BoardSnapshot: Sendable {
  private let followers: Followers

  /// Follows a board.
  ///
  /// - Parameter clock: The clock of ``PendingMarks``; `nil` for a board without pending changes.
  init(_ board: any ActivityRepositoryProtocol, clock: (any Clock<Duration>)? = ContinuousClock()) {
    followers = Followers(board, clock)
    followers.read()
  }

  deinit { followers.stop() }

  /// Waits for the end of the first read, whether it succeeded or failed.
  func firstRead() async {
    for await _ in followers.isSeen.stream {}
  }

  /// The board; `nil` while it cannot be read.
  ///
  /// Reads under a lock, from any isolation.
  var activities: [Activity]? { followers.activities }

  /// Follows the board: yields all activities, at once and after the changes that matter.
  ///
  /// A failure of the board ends all streams with the error. The next new stream makes the snapshot
  /// read the board again, for all pages. After ``stop()``, a new stream ends at once.
  ///
  /// - Parameters:
  ///   - page: The page that follows the board, for ``yieldAgain(to:)``.
  ///   - matters: Returns whether changes matter that belong to these people; `nil` if all matter.
  ///     An activity belongs to its host and its participants, before and after the change. If only
  ///     the participants change, the change belongs to those who join or leave. Called for each
  ///     change.
  func stream(
    for page: ObjectIdentifier? = nil,
    where matters: (@Sendable (Set<PersonName>) -> Bool)? = nil
  ) -> AsyncThrowingStream<[Activity], any Error> {
    followers.stream(page, matters)
  }

  /// Yields the newest board to the streams of a page, because other people matter now.
  func yieldAgain(to page: ObjectIdentifier) { followers.yieldAgain(to: page) }

  /// Stops following the board.
  func stop() { followers.stop() }
}

/// The streams of a snapshot, and the task that reads the board for them.
///
/// The task retains them instead of the snapshot.
private final class Followers: Sendable {
  private struct Follower {
    let page: ObjectIdentifier?
    let matters: (@Sendable (Set<PersonName>) -> Bool)?
    let buffer: StreamBuffer<[Activity]>
  }

  private struct State {
    var activities: [Activity]?
    /// The task that follows the board; `nil` after a failure.
    var reading: Task<Void, Never>?
    var isStopped = false
    var followers: [Int: Follower] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let board: any ActivityRepositoryProtocol
  private let clock: (any Clock<Duration>)?
  /// A stream that ends after the first read.
  let isSeen = AsyncStream.makeStream(of: Never.self)

  init(_ board: any ActivityRepositoryProtocol, _ clock: (any Clock<Duration>)?) {
    self.board = board
    self.clock = clock
  }

  var activities: [Activity]? { state.withLock(\.activities) }

  /// Starts to follow the board, unless it is followed already.
  func read() {
    state.withLock { state in
      guard state.reading == nil, !state.isStopped else { return }
      state.reading = Task { await follow() }
    }
  }

  func stop() {
    let reading = state.withLock { state in
      state.isStopped = true
      return state.reading
    }
    reading?.cancel()
  }

  private func follow() async {
    do {
      let boards =
        clock.map { PendingMarks.stream(of: board, clock: $0) } ?? board.activities()
      for try await activities in boards {
        publish(activities)
        isSeen.continuation.finish()
      }
      end(nil)
    } catch {
      // Each page also gets the error and shows the problem.
      end(error)
    }
    isSeen.continuation.finish()
  }

  /// Complexity: O(*n*) in the number of activities and of streams.
  private func publish(_ activities: [Activity]) {
    // New streams begin with the new board, and pages whose people change from now on get it from
    // `yieldAgain`. The calls of this function do not overlap, so no stream gets an older board.
    let (old, followers) = state.withLock { state in
      defer { state.activities = activities }
      return (state.activities, state.followers.values)
    }
    let changed = old.map { Self.people(inChangesFrom: $0, to: activities) }
    // The shared boards come first: all pages show them.
    for isShared in [true, false] {
      var wakeups = Wakeups<[Activity]>()
      for follower in followers where (follower.matters == nil) == isShared {
        if let changed, follower.matters?(changed) == false { continue }
        follower.buffer.add(activities, &wakeups)
      }
      wakeups.resume()
    }
  }

  /// Complexity: O(*n*) in the number of streams.
  func yieldAgain(to page: ObjectIdentifier) {
    let wakeups = state.withLock { state in
      var wakeups = Wakeups<[Activity]>()
      guard let activities = state.activities else { return wakeups }
      // Added under the lock, so no stream gets an older board after a newer one.
      for follower in state.followers.values where follower.page == page {
        follower.buffer.add(activities, &wakeups)
      }
      return wakeups
    }
    wakeups.resume()
  }

  private func end(_ error: (any Error)?) {
    let followers = state.withLock { state in
      state.activities = nil
      state.reading = nil
      defer { state.followers = [:] }
      return state.followers.values
    }
    var wakeups = Wakeups<[Activity]>()
    for follower in followers { follower.buffer.end(throwing: error, &wakeups) }
    wakeups.resume()
  }

  /// A stream that is registered when this returns.
  func stream(
    _ page: ObjectIdentifier?, _ matters: (@Sendable (Set<PersonName>) -> Bool)?
  ) -> AsyncThrowingStream<[Activity], any Error> {
    let follower: (number: Int, buffer: StreamBuffer<[Activity]>)? = state.withLock { state in
      if state.isStopped { return nil }
      let buffer = StreamBuffer(state.activities, buffering: .latest)
      state.last += 1
      state.followers[state.last] = Follower(page: page, matters: matters, buffer: buffer)
      return (state.last, buffer)
    }
    guard let (number, buffer) = follower else { return AsyncThrowingStream { nil } }
    read()
    return buffer.throwingStream { [weak self] in
      // The follower is released after the unlock.
      _ = self?.state.withLock { $0.followers.removeValue(forKey: number) }
    }
  }

  /// The people whose own parts of the board differ.
  private static func people(
    inChangesFrom old: [Activity], to new: [Activity]
  ) -> Set<PersonName> {
    // Usually one activity has changed, and the others are in their places.
    let shorter = min(old.count, new.count)
    let start = (0..<shorter).first { !old[$0].isIdentical(to: new[$0]) } ?? shorter
    let rest = (0..<(shorter - start)).first {
      !old[old.count - 1 - $0].isIdentical(to: new[new.count - 1 - $0])
    }
    let end = rest ?? shorter - start
    var missing = Dictionary(old[start..<(old.count - end)].map { ($0.id, $0) }) { first, _ in
      first
    }
    var people: Set<PersonName> = []
    for activity in new[start..<(new.count - end)] {
      let before = missing.removeValue(forKey: activity.id)
      if let before, before.isIdentical(to: activity) { continue }
      people.formUnion(before.map { activity.people(affectedSince: $0) } ?? activity.people)
    }
    for activity in missing.values { people.formUnion(activity.people) }
    return people
  }
}

extension Activity {
  fileprivate var people: Set<PersonName> { Set(participants).union([host]) }

  /// The people who join or leave; all people if the details or the host have changed.
  ///
  /// The shared board shows who takes part, and a page itself only whether its own person does.
  fileprivate func people(affectedSince old: Activity) -> Set<PersonName> {
    if details == old.details, host == old.host {
      return Set(participants).symmetricDifference(old.participants)
    }
    return people.union(old.people)
  }
}

/// The activities of a board for the pages of this device, which share one reading of it.
struct SharedActivities: ActivityRepositoryProtocol {
  let board: any ActivityRepositoryProtocol
  let snapshot: BoardSnapshot
  /// Counts a new activity, and returns whether the page may add it.
  var admit: @Sendable () -> Bool = { true }

  func activities() -> AsyncThrowingStream<[Activity], any Error> { snapshot.stream() }

  func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    guard admit() else {
      throw .notStored(
        reason: "You have added many activities in the last minute. Try again in a minute.")
    }
    return try await board.create(details, host: host)
  }

  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    try await board.update(id, to: details, basedOn: revision)
  }

  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await board.join(id, as: person)
  }

  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await board.leave(id, as: person)
  }

  func delete(_ id: Activity.ID) async throws(ActivityError) { try await board.delete(id) }
}

/// The part of the board that one page shows itself.
final class PagePart: Sendable {
  private let part = Mutex(PersonalBoard.Part.whole)
  private let snapshot: BoardSnapshot
  private let name: BrowserName

  init(_ snapshot: BoardSnapshot, _ name: BrowserName) {
    self.snapshot = snapshot
    self.name = name
  }

  /// The board for the page's feature.
  var board: PersonalBoard {
    PersonalBoard(
      activities: {
        self.snapshot.stream(for: ObjectIdentifier(self), where: { self.shows(changesOf: $0) })
      },
      show: { part in
        self.part.withLock { $0 = part }
        self.snapshot.yieldAgain(to: ObjectIdentifier(self))
      })
  }

  private func shows(changesOf people: Set<PersonName>) -> Bool {
    switch part.withLock({ $0 }) {
    case .whole: true
    case .person(let person?) where people.contains(person): true
    // Another page of the browser may have stored another name.
    case .person: name.latest.map(people.contains) ?? false
    }
  }
}
