import CausewayWeb
import HarborDomain
import HarborFeatures
import Synchronization

/// The last known board of a group, which all pages share.
///
/// A page is informed only about the changes that it shows itself. A change belongs to the host and
/// the participants of its activity, before and after the change. If only the participants change,
/// the change belongs to those who join or leave.
typealias BoardSnapshot = SharedReading<Activities, Set<PersonName>>

extension SharedReading<Activities, Set<PersonName>> {
  /// Follows a board with pending changes.
  ///
  /// - Parameter clock: The clock of ``PendingMarks``.
  convenience init(
    _ board: any ActivityRepositoryProtocol, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init({ PendingMarks.stream(of: board, clock: clock) }, change: Self.people)
  }

  /// The people for whom a page shows other content after the change.
  static func people(
    inChangesFrom old: Activities, to new: Activities
  ) -> Set<PersonName> {
    new.changes(since: old).reduce(into: []) { people, change in
      switch (change.before, change.after) {
      case (let before?, let after?): people.formUnion(after.people(affectedSince: before))
      case (let before, let after): people.formUnion((after ?? before)?.people ?? [])
      }
    }
  }
}

extension Activity {
  /// The people who join or leave; all people if the details or the host have changed.
  ///
  /// The shared board shows all participants. The rest of a page only shows whether the page's own
  /// person takes part.
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

  func activities() -> AsyncThrowingStream<Activities, any Error> { snapshot.stream() }

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
