import CausewayData
import CausewayStreams
import HarborDomain

/// The parts of the app that exist while an account is signed in.
@MainActor final class SignedInAccount {
  /// The board of one group.
  struct GroupBoard {
    let activities: ActivityRepository
    let people: SyncEngine<CollectionSource<PersonMutation>>
  }

  let id: AccountID
  let network: any NetworkService
  let groups: SyncEngine<CollectionSource<GroupMutation>>
  let links: SyncEngine<CollectionSource<LinkMutation>>
  private let outbox: Outbox
  private(set) var list: [GroupRecord] = []
  private var boards: [String: GroupBoard] = [:]
  private var work: [Task<Void, Never>] = []
  private var following: Task<Void, Never>?

  init(_ id: AccountID, _ phone: Phone) {
    self.id = id
    network = id == .local ? NoNetwork() : phone.environment.network(phone.auth)
    outbox = phone.outbox
    let scope = Place.account(id.rawValue).scope
    groups = SyncEngine(
      source: CollectionSource("groups", on: network), table: HarborTables.groups, scope: scope,
      outbox: outbox)
    links = SyncEngine(
      source: CollectionSource("links", on: network), table: HarborTables.links, scope: scope,
      outbox: outbox)
    work = [
      Task { [groups] in await groups.run() },
      Task { [links] in await links.run() },
    ]
  }

  /// The board of a group: one repository and one engine, which all screens share.
  func board(of group: String) -> GroupBoard {
    if let board = boards[group] { return board }
    let board = GroupBoard(
      activities: ActivityRepository(group: group, network: network, outbox: outbox),
      people: SyncEngine(
        source: CollectionSource("people", on: network), table: HarborTables.people,
        scope: Place.group(group).scope, outbox: outbox))
    boards[group] = board
    work += [
      Task { await board.activities.run() },
      Task { await board.people.run() },
    ]
    return board
  }

  /// Reads the stored groups; only the first start of an account waits for the server.
  func prepare() async {
    // After a failure, the connection's state is shown, and the engines try again.
    _ = try? await groups.rows(id == .local ? .cacheOnly : .cacheFirst, limit: 1)
    let rows = try? await groups.rows(.cacheOnly, orderedBy: "name, id")
    list = rows?.map(\.record) ?? list
  }

  /// Returns the group with an id, or the first group.
  func group(_ id: String?) -> GroupRecord? { list.first { $0.id == id } ?? list.first }

  /// Publishes the state of the connection.
  func follow(_ group: GroupRecord?, into states: Published<ConnectionState>) {
    following?.cancel()
    let statuses = group.map { board(of: $0.id).activities.statuses() } ?? groups.statuses()
    following = Task { [outbox] in
      await DeviceConnection.follow(statuses, outbox, ContinuousClock(), into: states)
    }
  }

  func retryNow() {
    groups.retryNow()
    links.retryNow()
    for board in boards.values {
      board.activities.retryNow()
      board.people.retryNow()
    }
  }

  /// Cancels all work and waits until it has ended.
  func stop() async {
    let ending = work + [following].compactMap { $0 }
    for task in ending { task.cancel() }
    for task in ending { await task.value }
  }
}
