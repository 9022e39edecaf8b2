import CausewayData
import CausewaySQLite
import CausewaySimulation

/// The program of a client with everything that belongs to an account: a table, a cache with files,
/// a store and a token.
struct Vault: Sendable {
  enum Bug {
    /// The store is not a participant of the session.
    case forgetsStore
    /// A response is stored although its session may have ended.
    case ignoresEpoch
  }

  static let migrations: [Migration] = [
    Migration("secrets", "CREATE TABLE secret (account TEXT NOT NULL, text TEXT NOT NULL)"),
    DatabaseBacking<String, String>.migration(table: "draft"),
  ]

  let session: SessionService
  private let database: SQLiteService
  private let cache: ResourceCache<String, [UInt8]>
  private let store: ObservableStore<String, String>
  private let tokens: FileTokenStore
  private let network: any NetworkService
  private let bug: Bug?

  /// The text that no file may contain after the account has logged out.
  static func secret(of account: AccountID) -> String { "secret of \(account.rawValue)" }

  init(_ node: NodeContext, server: NodeID, bug: Bug? = nil) async throws {
    self.bug = bug
    database = try await node.database("vault.db", migrations: Self.migrations)
    tokens = node.tokenStore("token")
    network = node.network(to: server)
    let network = network
    cache = ResourceCache(
      disk: .bytes(node.diskStore("cache", bytes: 1 << 20)) { $0 }, clock: node.clock
    ) { key in
      try await network.response(for: Self.request(for: key)).body
    }
    store = await ObservableStore(
      backing: DatabaseBacking<String, String>(database, table: "draft"), clock: node.clock)
    session = SessionService(
      account: try tokens.load().map {
        AccountID($0.access.dropFirst("token of ".count).description)
      })
    session.add(cache.participant)
    if bug != .forgetsStore { session.add(store.participant) }
    session.add(
      SessionParticipant("secrets") { [database] wipe in
        try await database.write { transaction in
          switch wipe {
          case .only(let account):
            try transaction.execute("DELETE FROM secret WHERE account = \(account)")
          case .allExcept(let account):
            try transaction.execute("DELETE FROM secret WHERE account <> \(account)")
          }
        }
        try await database.eraseDeleted()
      })
  }

  private static func request(for account: String) -> NetworkRequest {
    NetworkRequest(.get, "/secret", headers: ["account": account])
  }

  /// Removes the token first: after a crash, the account counts as logged out.
  func logOut() async throws {
    try tokens.remove()
    try await session.logout()
  }

  func signIn(_ account: AccountID) async throws {
    if session.current?.account != account { try tokens.remove() }
    let ticket = try await session.signIn(account)
    try ticket.check()
    try tokens.save(AuthToken(access: "token of \(account.rawValue)"))
    // Another session may have begun while the token was saved.
    if !ticket.isCurrent { try tokens.remove() }
  }

  /// Stores secrets of the account in all places.
  func work() async throws {
    guard let ticket = session.current else { return }
    let account = ticket.account
    _ = try await cache.value(for: account.rawValue)
    let body = try await network.response(for: Self.request(for: account.rawValue)).body
    let text = String(decoding: body, as: UTF8.self)
    if bug == .ignoresEpoch {
      try await database.write {
        try $0.execute("INSERT INTO secret VALUES (\(account), \(text))")
      }
    } else {
      try await database.write(as: ticket) {
        try $0.execute("INSERT INTO secret VALUES (\(account), \(text))")
      }
    }
    try await store.set(text, for: "draft", as: ticket)
    try await store.flush()
  }
}
