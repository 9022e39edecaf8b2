import CausewayData
import CausewayWeb
import HarborDomain

/// The parts of the app that exist while an account is signed in.
@MainActor final class AccountParts {
  let id: AccountID
  let groups: SyncEngine<CollectionSource<GroupMutation>>
  let links: SyncEngine<CollectionSource<LinkMutation>>
  private let network: any NetworkService
  private let outbox: Outbox
  private let environment: Device.Environment
  /// The groups of the account, by name.
  private(set) var list: [GroupRecord] = []
  /// The groups that the server may not have yet.
  private var pending: Set<String> = []
  private var boards: [String: GroupBoard] = [:]
  private var work: [Task<Void, Never>] = []
  private var following: Task<Void, Never>?

  init(_ id: AccountID, _ device: Device) {
    self.id = id
    (network, outbox, environment) = (device.network, device.outbox, device.environment)
    let scope = Place.account(id.rawValue).scope
    groups = SyncEngine(
      source: CollectionSource("groups", on: network, report: environment.report),
      table: HarborTables.groups, scope: scope, outbox: outbox)
    links = SyncEngine(
      source: CollectionSource("links", on: network, report: environment.report),
      table: HarborTables.links, scope: scope, outbox: outbox)
    work = [
      Task { [groups] in await groups.run() },
      Task { [links] in await links.run() },
      Task { [weak self, groups] in
        // After a failure, the list no longer changes. The pages show the database's failure.
        do {
          for try await rows in groups.observe(orderedBy: "name, id") {
            self?.note(rows)
          }
        } catch {}
      },
    ]
  }

  /// The board of a group, which follows the server from the first call on.
  func board(of group: String) -> GroupBoard {
    if let board = boards[group] { return board }
    let board = GroupBoard(group, network, outbox, environment)
    boards[group] = board
    work += [
      Task { [activities = board.activities] in await activities.run() },
      Task { [people = board.people] in await people.run() },
    ]
    return board
  }

  /// Publishes the state of the connection, from the statuses of an engine and from the outbox.
  func follow(_ statuses: AsyncStream<SyncStatus>, into states: CurrentValue<ConnectionState>) {
    following?.cancel()
    let following = Task { [outbox, environment] in
      await DeviceConnection.follow(statuses, outbox, environment.clock, into: states)
    }
    work.append(following)
    self.following = following
  }

  /// Retries all waiting and failed reads, and all waiting changes.
  func retryNow() {
    groups.retryNow()
    links.retryNow()
    for board in boards.values {
      board.retryNow()
      board.shared.retry()
    }
  }

  private func readList() async throws {
    note(try await groups.rows(.cacheOnly, orderedBy: "name, id"))
  }

  /// Notes the groups of the account.
  ///
  /// The server refuses the reads of a group before the group has arrived. When the group has
  /// arrived, the waits after these reads end.
  private func note(_ rows: [Synced<GroupRecord>]) {
    list = rows.map(\.record)
    let waiting = Set(rows.filter(\.isPending).map(\.record.id))
    for id in pending.subtracting(waiting) { boards[id]?.retryNow() }
    pending = waiting
  }

  /// Reads the first page's data before the page is shown.
  ///
  /// Only the first start waits for the server. Later starts show what is stored.
  func prepare() async {
    // After a failure, the page shows the connection's state, and the engines try again.
    do {
      try await readList()
      _ = try await groups.rows(.cacheFirst, limit: 1)
      try await readList()
    } catch {}
    for group in list {
      let board = board(of: group.id)
      try? await board.activities.prepare()
      await board.snapshot.firstRead()
    }
  }

  /// Cancels all work and waits until it has ended.
  func stop() async {
    for board in boards.values { board.snapshot.stop() }
    for task in work { task.cancel() }
    for task in work { await task.value }
  }
}

/// The board of one group, and the parts that its pages share.
@MainActor final class GroupBoard {
  let activities: ActivityRepository
  let people: SyncEngine<CollectionSource<PersonMutation>>
  let snapshot: BoardSnapshot
  /// The activities for pages.
  let pages: SharedActivities
  let shared: SharedBoards

  init(
    _ group: String, _ network: any NetworkService, _ outbox: Outbox,
    _ environment: Device.Environment
  ) {
    activities = ActivityRepository(
      group: group, network: network, outbox: outbox, now: environment.now,
      makeID: environment.makeID, report: environment.report)
    people = SyncEngine(
      source: CollectionSource("people", on: network, report: environment.report),
      table: HarborTables.people, scope: Place.group(group).scope, outbox: outbox)
    snapshot = BoardSnapshot(activities, clock: environment.clock)
    pages = SharedActivities(board: activities, snapshot: snapshot)
    shared = SharedBoards(pages, snapshot)
  }

  /// Ends the waits of the group's reads.
  func retryNow() {
    activities.retryNow()
    people.retryNow()
  }
}
