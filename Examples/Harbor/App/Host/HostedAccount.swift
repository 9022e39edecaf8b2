import CausewayData
import CausewayStreams
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures

/// The account of the pages of a host, and its groups.
@MainActor final class HostedAccount {
  let id: String
  /// The name; `nil` for the account of this machine.
  let person: PersonName?
  /// The id of the group that the pages show; `nil` for the first group.
  var shown: String?
  /// The groups by name, which all pages share.
  let list = Published<[GroupRecord]>([])
  private let collection: HostedCollection<GroupMutation>
  private var following: Task<Void, Never>?

  init(_ id: String, _ session: HostSession, _ collection: HostedCollection<GroupMutation>) {
    self.id = id
    person = session.name.isEmpty ? nil : PersonName(stored: session.name)
    shown = session.shown
    self.collection = collection
  }

  /// The groups by name.
  var groups: [GroupRecord] { list.value }

  /// Reads the newest groups.
  func readGroups() async throws {
    for try await groups in collection.groups() {
      list.set(groups)
      return
    }
  }

  /// Follows the groups, which a device of the account can change, until ``stop()``.
  func follow(_ report: @escaping @MainActor () -> Void) {
    following = Task { [weak self, collection] in
      // After a failure, the list no longer changes. The pages show the database's failure.
      do {
        for try await groups in collection.groups() {
          self?.list.set(groups)
          report()
        }
      } catch {}
    }
  }

  func stop() { following?.cancel() }
}

extension HostedCollection<GroupMutation> {
  /// Yields the groups by name, now and after each change.
  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    values(sortedBy: { ($0.name, $0.id) < ($1.name, $1.id) }) { $0 }
  }
}

/// The board of a group for all pages that show it, whatever their accounts.
@MainActor final class HostedBoard {
  let snapshot: BoardSnapshot
  let shared: SharedBoards
  let search: HostedSearch

  init(_ activities: HostedCollection<ActivityMutation>, _ now: @escaping @Sendable () -> Date) {
    let board = HostedActivities(records: activities, now: now)
    snapshot = BoardSnapshot(board, clock: nil)
    shared = SharedBoards(SharedActivities(board: board, snapshot: snapshot), snapshot)
    search = HostedSearch(snapshot: snapshot)
  }
}
