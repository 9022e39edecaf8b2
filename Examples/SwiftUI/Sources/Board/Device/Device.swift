import Causeway
import CausewayData
import Foundation
import HarborDomain
import HarborFeatures
import Observation

/// The composition root: the only place that connects the concrete parts of the app.
///
/// It has the services of `harbor app`, which the folder `Services` links to, and no pages: one
/// database, one outbox, and at most one account at a time.
///
/// A device that has screens exists until the process ends: the services of the screens refer to it.
@MainActor @Observable final class Device {
  /// The screens of the account and the group; another account or group gets a new model.
  private(set) var model: AppModel?
  let environment: Environment
  let session: SessionService
  let auth: AuthSessionService
  let login: any NetworkService
  let outbox: Outbox
  let names: NameRepository
  let pictures: ResourceCache<PictureKey, [UInt8]>
  /// The decoded pictures.
  let images: ImageCache
  let portraits = Portraits()
  /// Choices of the account, such as the shown group.
  let choices: ObservableStore<String, String>
  // Foundation has a type with the same name on Apple's systems.
  let accountStates = CurrentValue(AccountState(hasLocalAccount: true))
  let connection = CurrentValue(ConnectionState())
  @ObservationIgnored private(set) var account: SignedInAccount?
  /// The network of the account, or for signing in.
  var network: any NetworkService { account?.network ?? login }
  private let changes = ChangeQueue()
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Opens all parts from the lowest layer up, and continues the session of the last run.
  static func open(_ environment: Environment) async throws -> Device {
    let device = try await Device(environment)
    try await device.names.load()
    try await device.choices.waitUntilLoaded()
    if device.session.current == nil, environment.beginsLocally {
      try await device.signInLocally()
    } else {
      try await device.inOrder { await device.beginAccount() }
    }
    return device
  }

  private init(_ environment: Environment) async throws {
    self.environment = environment
    let report = environment.report

    // 1. The session of the last run.
    let login = environment.network(nil)
    auth = AuthSessionService(
      store: environment.tokens,
      onStoreFailure: report, refresh: { try await Self.refreshed($0, by: login) })
    self.login = login
    let store = try await environment.openDatabase(
      HarborTables.migrations + [
        SearchIndex.migration, DatabaseBacking<String, String>.migration(table: "choice"),
      ])
    let isLocal = try await store.read { try $0.row(Self.localGroup, as: Int64.self) } != nil
    // A token that cannot be read means a new sign-in. The account's data stays until then.
    var account: AccountID?
    do { account = try await auth.token()?.account } catch { report(error) }
    session = SessionService(account: account ?? (isLocal ? .local : nil), report: report)

    // 2. The names, the pictures and the choices.
    names = NameRepository(store: store)
    session.add(names.participant)
    let network = environment.network(auth)
    let files = environment.pictures.map { store in
      ResourceDisk.bytes(store) { (key: PictureKey) in "\(key.group)/\(key.id)" }
    }
    pictures = ResourceCache(policy: Self.picturePolicy, disk: files, size: { $0.count }) { key in
      try await network.response(
        for: NetworkRequest(.get, "/groups/\(key.group)/pictures/\(key.id)")
      ).body
    }
    session.add(pictures.participant)
    images = Self.images(in: pictures, decodedBy: portraits)
    session.add(images.participant)
    choices = ObservableStore(
      backing: DatabaseBacking<String, String>(store, table: "choice", report: report))
    session.add(choices.participant)

    // 3. The parts that follow the server. The token is removed last.
    outbox = Outbox(persistence: store, session: session, report: report)
    session.follow(auth)
    outbox.start()
    following = Task { [weak self, changes = session.changes()] in
      for await change in changes {
        // The server can also end a session, for example after a new passphrase.
        if case .signedOut = change { await self?.sessionEnded() }
      }
    }
  }

  isolated deinit { following?.cancel() }

  /// Whether the database has the group of an account without a server.
  private nonisolated static let localGroup: SQL =
    "SELECT 1 FROM membership WHERE id = \(Device.localGroupID)"
  /// The group of an account without a server.
  nonisolated static let localGroupID = "this device"

  /// Saves the choices at once.
  func save() async {
    do { try await choices.flush() } catch { environment.report(error) }
  }

  /// Runs a change of the session after all earlier ones.
  ///
  /// The change continues if the caller is cancelled. The caller can be an effect of a screen that
  /// the change removes, and such effects are cancelled.
  func inOrder(_ change: @escaping @MainActor () async throws -> Void) async throws {
    try await changes.add(change).value
  }

  /// Starts the parts of the session's account, and shows screens for it.
  ///
  /// Call it in order.
  func beginAccount() async {
    await endAccount()
    account = session.current.map { SignedInAccount($0.account, self) }
    await account?.prepare()
    show()
  }

  /// Removes the account from the screens, and waits until all work for it has ended.
  ///
  /// Call it in order.
  func endAccount() async {
    guard let ended = account else { return }
    account = nil
    // The screens are replaced before the work ends, which can take some time.
    show()
    await ended.stop()
    connection.set(ConnectionState())
  }

  private func sessionEnded() async {
    try? await inOrder { [self] in
      // A sign-out has already removed the account, and a sign-in may have begun the next session.
      if session.current == nil { await endAccount() }
    }
  }

  /// Shows the board of a group on all screens; `nil` shows the first group.
  func show(group: String?) async {
    let shown = account
    try? await inOrder { [self] in
      // The account may have been signed out meanwhile.
      if let shown, shown === account { await choose(group, of: shown) }
    }
  }

  /// Stores the choice of a group and shows its board.
  ///
  /// Call it in order.
  func choose(_ group: String?, of account: SignedInAccount) async {
    choices["group"] = group
    await account.readList()
    show()
  }

  /// Makes screens for the account and the group.
  private func show() {
    let group = account?.group(choices["group"])
    accountStates.set(
      AccountState(
        id: account?.id.rawValue, name: accountName?.text ?? "", group: group?.id,
        hasLocalAccount: true))
    connection.set(ConnectionState())
    account?.follow(group, into: connection)
    let model = AppModel(
      HarborInteractor(
        environment: makeEnvironment(group),
        address: self.model?.page.address ?? environment.section.address),
      reducer: AppReducer())
    model.send(.appear)
    // The board also shows the pictures of the people.
    if group != nil { model.send(.home(.people(.appear))) }
    self.model = model
  }
}
