import Causeway
public import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain

/// The composition root: the only place that connects the concrete parts of the app.
///
/// A device has one database, one outbox, and at most one account at a time. Everything that belongs
/// to the account is in ``AccountParts``.
@MainActor final class Device {
  let session: SessionService
  let auth: AuthSessionService
  let network: any NetworkService
  let outbox: Outbox
  let names: NameRepository
  let pictures: ResourceCache<PictureKey, [UInt8]>
  /// The pictures that were chosen and that the server does not have yet.
  let uploads: FileUploads
  /// Choices that stay on this device after a sign-out, such as whether the device was used before.
  private let preferences: ObservableStore<String, String>
  /// Choices of the account, such as the shown group.
  private let choices: ObservableStore<String, String>
  private(set) var account: AccountParts?
  /// The state of the account, for the pages.
  let accountStates = CurrentValue(AccountState())
  /// The state of the connection to the server.
  let connection = CurrentValue(ConnectionState())
  let environment: Environment
  /// The new activities of each browser.
  let creations: RateLimiter
  private let changes = ChangeQueue()
  /// The running read of an account's first data, which belongs to the last begun change.
  private var preparing: Task<Void, Never>?
  /// The number of running and waiting sign-outs, which do not wait for the server.
  private var signOuts = 0
  /// The running requests of sign-ins and sign-outs.
  private var requests: Set<Task<Void, any Error>> = []
  private var isClosing = false
  /// Ends the sessions of all pages, which then begin again with the current account and group.
  var restartPages: @MainActor () -> Void = {}

  /// The parts of the system that tests and simulations replace.
  struct Environment: Sendable {
    var storage: DeviceStorage
    /// The address of the backend.
    var server: URL
    /// Makes the network service for a session, or for signing in without a session.
    var network: @Sendable ((any AuthSessionServiceProtocol)?) -> any NetworkService
    /// Makes tokens of this machine's own account, if the backend is in this process.
    var localTokens: (@Sendable () async throws -> Data)?
    var report: @Sendable (any Error) -> Void
    /// The activities that a browser may add in a minute.
    var creationsPerMinute = 1_200
    var clock: any Clock<Duration> = ContinuousClock()
    var sync = Surroundings()
    var now: @Sendable () -> Date = { Date() }
    /// Returns an id that no activity, group or picture has had before.
    var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
  }

  /// Opens all parts from the lowest layer up.
  ///
  /// The shutdown sequence closes them in reverse order.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, also while the first read of an account
  ///   waits for the server.
  static func open(
    _ environment: Environment, _ shutdown: ShutdownSequence
  ) async throws -> Device {
    let device = try await Device(environment, shutdown)
    try await withTaskCancellationHandler {
      try await device.names.load()
      try await device.preferences.waitUntilLoaded()
      try await device.choices.waitUntilLoaded()
      try await device.begin()
    } onCancel: {
      Task { await device.stopWaiting() }
    }
    try Task.checkCancellation()
    return device
  }

  private init(_ environment: Environment, _ shutdown: ShutdownSequence) async throws {
    let (storage, report) = (environment.storage, environment.report)
    self.environment = environment
    creations = RateLimiter(
      environment.creationsPerMinute, per: .seconds(60), date: environment.now)

    // 1. The session of the last run.
    let login = environment.network(nil)
    let auth = AuthSessionService(
      store: storage.tokens,
      onStoreFailure: report, refresh: { try await Tokens.refreshed($0, by: login) })
    var account: AccountID?
    do { account = try await auth.token()?.account } catch { report(error) }
    session = SessionService(account: account, report: report)
    self.auth = auth
    network = environment.network(auth)

    // 2. The rows exist nowhere else, so a failure to open them ends the start.
    let store = try await storage.openDatabase(DeviceSchema.migrations)
    shutdown.add("database") { try await store.close() }
    names = NameRepository(store: store)
    session.add(names.participant)

    let outbox = Outbox(
      persistence: store, session: session, surroundings: environment.sync, report: report)
    self.outbox = outbox
    let uploads = storage.makeUploads(outbox, PictureServer(network: network))
    self.uploads = uploads

    // 3. Pictures, which can be loaded again.
    let files = storage.pictures
    shutdown.add("pictures") { await files.close() }
    pictures = ResourceCache(
      disk: .bytes(files) { "\($0.group)/\($0.id)" }, size: { $0.count }, clock: environment.clock
    ) { [network, weak uploads] key in
      // Weak, because the session holds the cache, and the uploads hold the session.
      if let chosen = try await uploads?.waitingBytes(named: key.id) { return chosen }
      return try await network.response(
        for: NetworkRequest(.get, "/groups/\(key.group)/pictures/\(key.id)")
      ).body
    }
    session.add(pictures.participant)

    // 4. What the device knows, and what the account has chosen.
    let preferences = ObservableStore(
      backing: DatabaseBacking<String, String>(
        store, table: DeviceSchema.preferences, report: report),
      clock: environment.clock)
    self.preferences = preferences
    shutdown.add("preferences") { try await preferences.close() }
    let choices = ObservableStore(
      backing: DatabaseBacking<String, String>(store, table: DeviceSchema.choices, report: report),
      clock: environment.clock)
    self.choices = choices
    session.add(choices.participant)
    shutdown.add("choices") { try await choices.close() }

    // 5. The parts that follow the server. They end before the database is closed.
    // The token is removed last. If a sign-out is interrupted, the device is still signed in at the
    // next start. The server then refuses the token.
    session.follow(auth)
    let sending = Task { await outbox.run() }
    shutdown.add("outbox") {
      sending.cancel()
      await sending.value
    }
    shutdown.add("account") { [weak self] in
      try await self?.changes.add { [weak self] in await self?.endAccount() }.value
    }
    let following = Task { [weak self, changes = session.changes()] in
      for await change in changes {
        // The server can also end a session, for example after another device has changed it.
        if case .signedOut = change { await self?.sessionEnded() }
      }
    }
    shutdown.add("session") { [weak self] in
      await self?.stopWaiting()
      following.cancel()
      await following.value
    }
  }

  /// Continues the session of the last run, or begins the first one.
  private func begin() async throws {
    if let ticket = session.current {
      try await inOrder { [self] in await beginAccount(ticket.account) }
    } else if preferences["begun"] == nil, environment.localTokens != nil {
      try await signInLocally()
    }
    preferences["begun"] = "yes"
    try await preferences.flush()
    publishAccount()
    await publishUnsent()
  }

  /// Runs a change of the session after all earlier ones.
  ///
  /// - Throws: The error of the change, or `CancellationError` after the shutdown has begun.
  func inOrder(_ change: @escaping @MainActor () async throws -> Void) async throws {
    if isClosing { throw CancellationError() }
    try await changes.add(change).value
  }

  /// Runs a sign-out after the other changes, and cancels their reads from the server.
  func inOrderWithoutReads(_ change: @escaping @MainActor () async throws -> Void) async throws {
    signOuts += 1
    defer { signOuts -= 1 }
    preparing?.cancel()
    try await inOrder(change)
  }

  /// Runs work that waits for the server.
  ///
  /// It does not wait for changes of the session.
  ///
  /// If the caller is cancelled, the work continues, and the caller waits. Only the shutdown cancels
  /// the work.
  func request(_ work: @escaping @MainActor () async throws -> Void) async throws {
    if isClosing { throw CancellationError() }
    let task = Task { try await work() }
    requests.insert(task)
    defer { requests.remove(task) }
    try await task.value
  }

  /// Cancels all work that waits for the server, and refuses new changes.
  private func stopWaiting() {
    isClosing = true
    preparing?.cancel()
    for request in requests { request.cancel() }
  }

  /// Reads the first data of an account, unless a sign-out or the shutdown waits.
  private func prepare(_ parts: AccountParts) async {
    if signOuts > 0 || isClosing { return }
    let task = Task { await parts.prepare() }
    preparing = task
    await task.value
    preparing = nil
  }

  /// Starts the parts of an account that has signed in.
  func beginAccount(_ id: AccountID) async {
    await endAccount()
    let parts = AccountParts(id, self)
    account = parts
    await prepare(parts)
    publish(parts)
  }

  /// Shows the board of a group on all pages; `nil` shows the first group.
  func show(group: String?) async {
    let parts = account
    try? await inOrder { [self] in
      // The account may have been signed out meanwhile.
      guard let parts, parts === account else { return }
      choices["group"] = group
      await prepare(parts)
      publish(parts)
    }
  }

  /// The group whose board the pages show.
  ///
  /// The pages show the earlier group until the data of a newly chosen group is there.
  var group: GroupRecord? { group(accountStates.value.group) }

  /// Returns the group with an id, or the first group.
  private func group(_ id: String?) -> GroupRecord? {
    account?.list.first { $0.id == id } ?? account?.list.first
  }

  /// Shows the chosen group on all pages.
  private func publish(_ parts: AccountParts) {
    publishAccount()
    let board = group.map { parts.board(of: $0.id) }
    parts.follow(board?.activities.statuses() ?? parts.groups.statuses(), into: connection)
    restartPages()
  }

  private func publishAccount() {
    let group = group(choices["group"])
    var state = AccountState(
      id: account?.id.rawValue, name: account == nil ? "" : accountName?.text ?? "",
      group: group?.id, hasLocalAccount: environment.localTokens != nil)
    state.groupName = group?.name
    accountStates.set(state)
  }

  private func sessionEnded() async {
    try? await inOrder { [self] in
      // A sign-out has already removed the account, and a sign-in may have begun the next session.
      guard session.current == nil, account != nil else { return }
      await endAccount()
    }
  }

  /// Removes the account from the pages, ends all work for it, and waits until the work has ended.
  func endAccount() async {
    let parts = account
    account = nil
    if parts != nil {
      // The pages begin again before the work ends, which can take some time.
      publishAccount()
      restartPages()
    }
    await parts?.stop()
    connection.set(ConnectionState())
    await publishUnsent()
  }
}

extension Device.Environment {
  /// The environment of a device with its files in a directory.
  ///
  /// - Parameters:
  ///   - server: The address of the backend.
  ///   - localTokens: Makes tokens of the account of the backend's machine.
  init(
    directory: DataDirectory, server: URL,
    localTokens: (@Sendable () async throws -> Data)? = nil,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    var configuration = HTTPNetworkService.Configuration(address: server)
    // The account has two event streams, and each group two more. Each occupies a connection.
    configuration.connectionsPerHost = 250
    self.init(
      storage: DeviceStorage(directory, report: report), server: server,
      network: { [configuration] in HTTPNetworkService(configuration, session: $0) },
      localTokens: localTokens, report: report)
  }
}

/// The schema of a device's database.
public enum DeviceSchema {
  /// All steps, oldest first.
  ///
  /// Append new steps. Do not change released steps.
  public static var migrations: [Migration] {
    HarborTables.migrations + [
      SearchIndex.migration, DatabaseBacking<String, String>.migration(table: preferences),
      DatabaseBacking<String, String>.migration(table: choices),
    ]
  }

  /// The table of what the device keeps when its account changes.
  static let preferences = "preference"
  /// The table of the choices of the account.
  static let choices = "choice"
}
