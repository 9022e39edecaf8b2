import CausewayData
import CausewayHTTP
import CausewaySQLite
import Foundation
import HarborDomain
import HarborFeatures

extension Device {
  /// What differs between a device and a preview.
  struct Environment: Sendable {
    var openDatabase: @Sendable ([Migration]) async throws -> any PersistenceService
    var tokens: any TokenStore
    /// The files of the pictures; `nil` to keep them in memory only.
    var pictures: DiskStore?
    /// The address of the server, for the addresses of links and calendars.
    var server: URL
    /// Makes the network service for a session, or for signing in without a session.
    var network: @Sendable ((any AuthSessionServiceProtocol)?) -> any NetworkService
    /// The part of the app that the first screens show.
    var section = HarborInteractor.Section.board
    /// Whether the first start shows the sample board instead of the sign-in.
    var beginsLocally = false
    /// Returns an id that no group has had before.
    var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// Receives the errors that no screen shows, on any thread.
    var report: @Sendable (any Error) -> Void = { error in
      FileHandle.standardError.write(Data("Harbor: \(error)\n".utf8))
    }
  }

  /// The services of the screens.
  func makeEnvironment(_ group: GroupRecord?) -> HarborEnvironment {
    let name = BrowserName(names, browser: Self.browser, fallback: accountName)
    let account = account
    let board = group.flatMap { account?.board(of: $0.id) }
    return HarborEnvironment(
      feed: FeedEnvironment(
        activities: board?.activities ?? NoBoard() as any ActivityRepositoryProtocol,
        names: DeviceName(device: self, browser: Self.browser, stored: name),
        beginning: { .init(person: name.latest) }),
      search: board.map { GroupSearch(activities: $0.activities) } ?? NoServices(),
      people: board.map {
        GroupPeople(
          group: group?.id ?? "",
          board: { [activities = $0.activities] in activities.activities() },
          engine: $0.people, pictures: pictures)
      } ?? NoServices(),
      links: account.map { AccountLinks(engine: $0.links, server: environment.server) }
        ?? NoServices(),
      feedback: ServerFeedback(network: network),
      groups: account.map { DeviceGroups(device: self, engine: $0.groups) } ?? NoServices(),
      connection: AwaitedConnection(
        device: DeviceConnection(outbox: outbox, published: connection) { [weak account] in
          Task { await account?.retryNow() }
        }, groups: account?.groups),
      account: DeviceAccount(device: self), beginning: accountStates.value)
  }

  /// The people of all groups of the account.
  var people: [SyncEngine<CollectionSource<PersonMutation>>] {
    account.map { account in account.list.map { account.board(of: $0.id).people } } ?? []
  }

  /// The key of the device's name in the store, where the device counts as one browser.
  static let browser = "this device"
}

extension Device.Environment {
  /// A device with its files in a directory.
  ///
  /// - Parameter server: The address of `harbor serve`; without an address, there is no network.
  static func onDisk(_ directory: String, server: String) -> Self {
    let server = URL(string: server).flatMap { $0.host() == nil ? nil : $0 }
    return Self(
      openDatabase: { migrations in
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        return try await SQLiteService(path: "\(directory)/board.sqlite", migrations: migrations)
      },
      tokens: FileTokenStore(path: "\(directory)/token"),
      pictures: DiskStore(directory: "\(directory)/pictures", bytes: 50_000_000),
      server: server ?? noServer,
      network: { session in
        guard let server else { return NoNetwork() }
        return HTTPNetworkService(.init(address: server), session: session)
      })
  }

  private static var noServer: URL { URL(filePath: "/") }

  /// A device without files and without a server, which shows the sample board.
  static func preview(at section: HarborInteractor.Section = .board) -> Self {
    Self(
      openDatabase: { try InMemoryPersistenceService(migrations: $0) },
      tokens: MemoryTokenStore(),
      server: noServer, network: { _ in NoNetwork() }, section: section, beginsLocally: true)
  }
}

/// A connection whose retry ends when the server has answered, or is out of reach.
struct AwaitedConnection: ConnectionServiceProtocol {
  let device: DeviceConnection
  let groups: SyncEngine<CollectionSource<GroupMutation>>?

  func states() -> AsyncStream<ConnectionState> { device.states() }

  func retry() async {
    await device.retry()
    // A failure is ignored here, because the state of the connection shows it.
    try? await groups?.refresh()
  }

  func resend(_ key: String) async throws { try await device.resend(key) }
  func discard(_ key: String) async throws { try await device.discard(key) }
}

/// The network of an account without a server: its changes stay in the outbox.
struct NoNetwork: NetworkService {
  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    throw NetworkError(.notConnected, message: "This account has no server.")
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await response(for: request, progress: progress)
  }

  func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    NetworkEventStream { $0.finish() }
  }
}
