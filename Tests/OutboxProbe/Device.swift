import CausewayData
import CausewaySQLite
import Foundation
import Synchronization

/// An app of two accounts, whose sessions the server ends at random, and which may be killed at any
/// moment.
struct Device {
  static let accounts = ["ada", "bob"]

  let folder: String
  /// Whether the server must not end the sessions.
  let isLasting: Bool
  let store: SQLiteService
  let auth: AuthSessionService
  let session: SessionService
  let outbox: Outbox
  let engines: [SyncEngine<DeviceSource>]

  init(_ folder: String, isLasting: Bool) async throws {
    endAfterMinutes()
    (self.folder, self.isLasting) = (folder, isLasting)
    store = try await SQLiteService(path: folder + "/device.sqlite", migrations: Client.migrations)
    auth = AuthSessionService(store: FileTokenStore(path: folder + "/token")) { token in
      switch try Server.ask(.refresh(token: token.refresh ?? ""), in: folder) {
      case .token(let access, let refresh): return AuthToken(access: access, refresh: refresh)
      case .refused: throw AuthSessionError.refused("revoked")
      case .applied, .changes: throw RemoteFailure(.garbled)
      }
    }
    session = SessionService(account: try await auth.token()?.account)
    session.follow(auth)
    let table = RetryTable(
      backoff: Backoff(initial: .milliseconds(5), cap: .milliseconds(50)),
      rules: [.rejected: .reject, .unsendable: .reject])
    outbox = Outbox(persistence: store, session: session, table: table, limit: 1_000_000)
    engines = scopes.map { [outbox, auth] scope in
      SyncEngine(
        source: DeviceSource(folder: folder, auth: auth), table: steps, scope: scope,
        outbox: outbox, retries: table, pollInterval: nil)
    }
    outbox.start()
    for engine in engines { engine.start() }
  }

  /// Performs steps for the account that is signed in, signs in again whenever its session has
  /// ended, with the same account or another one, and waits to be killed.
  func work(run: Int, count: Int) async throws {
    for number in 1...count {
      for engine in engines {
        while true {
          let account = try await signedIn()
          let step = Step(id: "\(account)-\(run)-\(number)", run: run, number: number)
          do {
            try await engine.perform(.take(step))
            say("take \(account) \(engine.scope) \(step.id)")
            break
          } catch is SessionError {}
        }
      }
    }
    while true {
      _ = try await signedIn()
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Sends the remaining mutations of each account.
  func drain() async throws {
    for account in Self.accounts {
      try await signIn(account)
      try await lookAround(account)
      let left = store.observe(
        "SELECT count(*) FROM sync_outbox WHERE account = \(account)", as: Int.self)
      for try await rows in left where rows.first == 0 { break }
      try await lookAround(account)
    }
    try await store.close()
  }

  /// The account that is signed in; signs in first if no account is.
  private func signedIn() async throws -> String {
    while true {
      if let account = session.current?.account { return account.rawValue }
      let account = Self.accounts.randomElement() ?? "ada"
      do {
        try await signIn(account)
        say("sign-in \(account)")
      } catch is RemoteFailure {
        // The server is being started again.
        try await Task.sleep(for: .milliseconds(5))
      }
      if session.current != nil { try await lookAround(account) }
    }
  }

  private func signIn(_ account: String) async throws {
    let question = Question.signIn(account: account, isLasting: isLasting)
    guard case .token(let access, let refresh) = try Server.ask(question, in: folder) else {
      throw RemoteFailure(.garbled)
    }
    let id = AccountID(account)
    try await auth.signIn(AuthToken(access: access, refresh: refresh), as: id)
    do {
      try await session.signIn(id)
    } catch SessionError.superseded {}
  }

  /// Reports all data of another account that this account can see.
  private func lookAround(_ account: String) async throws {
    let entries = try await outbox.entries().map { String(decoding: $0.payload, as: UTF8.self) }
    // This query has no condition on the account, like a query of an app with only one account.
    let rows = try await store.read { try $0.rows("SELECT id FROM step", as: String.self) }
    guard session.current?.account.rawValue == account else { return }
    for other in Self.accounts where other != account {
      for sight in entries + rows where sight.contains("\(other)-") {
        say("seen \(sight) by \(account)")
      }
    }
  }
}

/// The server as a device sees it, with the token of its session.
struct DeviceSource: RemoteSource {
  typealias Mutation = StepMutation

  let folder: String
  let auth: AuthSessionService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Step> {
    guard
      case .changes(let found, let version) = try await ask(
        .changes(scope: request.scope, since: 0), request.account)
    else { throw RemoteFailure(.garbled) }
    return RemoteSnapshot(found, version: version)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Step> {
    guard
      case .changes(let found, let next) = try await ask(
        .changes(scope: request.scope, since: version), request.account)
    else { throw RemoteFailure(.garbled) }
    return .changes(found, deleted: [], version: next, hasMore: false)
  }

  func apply(_ mutation: StepMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let question = Question.apply([mutation], scope: request.scope, keys: [request.key])
    guard case .applied(let versions) = try await ask(question, request.account),
      let version = versions.first.flatMap(\.self)
    else { throw RemoteFailure(.garbled) }
    return .covered(by: version)
  }

  /// Asks with the token of the account, and once more with a new token, as a network service does.
  private func ask(_ question: Question, _ account: AccountID) async throws -> Answer {
    var token = try await auth.token()
    for _ in 0..<2 {
      guard let sent = token, sent.account == account else { throw RemoteFailure(.unauthorized) }
      let answer = try Server.ask(.authorized(access: sent.access, question), in: folder)
      if case .refused = answer {
        token = try await auth.token(replacing: sent)
      } else {
        return answer
      }
    }
    throw RemoteFailure(.unauthorized)
  }
}
