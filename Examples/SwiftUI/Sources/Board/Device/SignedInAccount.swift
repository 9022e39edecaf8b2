import CausewayData
import HarborDomain

/// The parts of the app that exist while an account is signed in.
@MainActor final class SignedInAccount {
  /// The board of one group.
  struct GroupBoard {
    let activities: ActivityRepository
    let people: SyncEngine<CollectionSource<PersonMutation>>

    /// Ends the waits of the group's reads.
    func retryNow() {
      activities.retryNow()
      people.retryNow()
    }
  }

  let id: AccountID
  let network: any NetworkService
  let groups: SyncEngine<CollectionSource<GroupMutation>>
  let links: SyncEngine<CollectionSource<LinkMutation>>
  private let outbox: Outbox
  private let report: @Sendable (any Error) -> Void
  /// The groups of the account, by name.
  private(set) var list: [GroupRecord] = []
  /// The groups that the server may not have yet.
  private var pending: Set<String> = []
  private var boards: [String: GroupBoard] = [:]
  private var work: [Task<Void, Never>] = []
  private var following: Task<Void, Never>?

  init(_ id: AccountID, _ device: Device) {
    self.id = id
    network = id == .local ? NoNetwork() : device.environment.network(device.auth)
    (outbox, report) = (device.outbox, device.environment.report)
    let scope = Place.account(id.rawValue).scope
    groups = SyncEngine(
      source: CollectionSource("groups", on: network, report: report),
      table: HarborTables.groups, scope: scope, outbox: outbox)
    links = SyncEngine(
      source: CollectionSource("links", on: network, report: report),
      table: HarborTables.links, scope: scope, outbox: outbox)
    work = [
      Task { [groups] in await groups.run() },
      Task { [links] in await links.run() },
      Task { [weak self, groups] in
        // After a failure, the list no longer changes. The screens show the database's failure.
        do {
          for try await rows in groups.observe(orderedBy: "name, id") { self?.note(rows) }
        } catch {}
      },
    ]
  }

  /// The board of a group: one repository and one engine, which all screens share.
  func board(of group: String) -> GroupBoard {
    if let board = boards[group] { return board }
    let board = GroupBoard(
      activities: ActivityRepository(
        group: group, network: network, outbox: outbox, report: report),
      people: SyncEngine(
        source: CollectionSource("people", on: network, report: report),
        table: HarborTables.people, scope: Place.group(group).scope, outbox: outbox))
    boards[group] = board
    work += [
      Task { await board.activities.run() },
      Task { await board.people.run() },
    ]
    return board
  }

  /// Reads the groups; only the first start of an account waits for the server.
  func prepare() async {
    // After a failure, the screens show the connection's state, and the engines retry.
    _ = try? await groups.rows(id == .local ? .cacheOnly : .cacheFirst, limit: 1)
    await readList()
  }

  /// Reads the stored groups, without waiting for the server.
  func readList() async {
    do {
      note(try await groups.rows(.cacheOnly, orderedBy: "name, id"))
    } catch {
      // The screens show the database's failure, and the list stays.
    }
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

  /// Returns the group with an id, or the first group.
  func group(_ id: String?) -> GroupRecord? { list.first { $0.id == id } ?? list.first }

  /// Publishes the state of the connection.
  func follow(_ group: GroupRecord?, into states: CurrentValue<ConnectionState>) {
    following?.cancel()
    let statuses = group.map { board(of: $0.id).activities.statuses() } ?? groups.statuses()
    following = Task { [outbox] in
      await DeviceConnection.follow(statuses, outbox, ContinuousClock(), into: states)
    }
  }

  func retryNow() {
    groups.retryNow()
    links.retryNow()
    for board in boards.values { board.retryNow() }
  }

  /// Cancels all work and waits until it has ended.
  func stop() async {
    let ending = work + [following].compactMap { $0 }
    for task in ending { task.cancel() }
    for task in ending { await task.value }
  }
}
