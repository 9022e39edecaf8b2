import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborAccounts
import Synchronization
import TestSupport
import Testing

/// A database of accounts with confirmed addresses, and the mails that a mail server has taken.
struct NoticeWorld: Sendable {
  struct Later: Error {}
  struct Refused: Error {}

  let store: any PersistenceService
  let sent = Log<NoticeMail>()
  let reported = Log<String>()
  let date = Mutexed(Date(timeIntervalSince1970: 1_800_000_000))
  /// The error of the next attempts, by address.
  let failures = Mutexed<[String: any Error]>([:])

  init(_ names: [String] = ["zoe", "eve", "ana"]) throws {
    store = try InMemoryPersistenceService(migrations: [
      Migration("accounts", "CREATE TABLE account (id TEXT PRIMARY KEY)"),
      PassphraseResets.migration(), AccountMail.migration(), AccountNotices.migration(),
      Migration("people", version: 1) { transaction in
        for name in names {
          try transaction.execute("INSERT INTO account VALUES (\(name))")
          try transaction.execute(
            "INSERT INTO account_mail (account, address) VALUES (\(name), \(name + "@a.example"))")
          try transaction.execute("INSERT INTO notice_choice VALUES (\(name), 'change', 'GMT')")
        }
      },
    ])
  }

  /// Every account gets a notice of a change, except the one that made it.
  struct Source: NoticeSource {
    func notices(
      of event: NoticeEvent, in transaction: any ReadTransaction
    ) throws -> [NoticeDraft] {
      if event.content == "bad event" { throw Refused() }
      return try transaction.rows("SELECT id FROM account ORDER BY id", as: String.self)
        .filter { $0 != event.actor }.map {
          NoticeDraft(for: $0, kind: event.kind, content: "\(event.content)-\(event.latest)")
        }
    }

    func mail(
      for notice: AccountNotice, in transaction: any ReadTransaction
    ) throws -> (subject: String, text: String)? {
      if notice.content.hasPrefix("bad") { throw Refused() }
      return notice.content.hasPrefix("secret")
        ? nil : (notice.topic, "\(notice.content) in \(notice.timeZone.identifier)")
    }
  }

  /// The notices of a process.
  ///
  /// - Parameter store: The connection of the process to the database.
  func notices(on store: (any PersistenceService)? = nil) -> AccountNotices {
    AccountNotices(
      store: store ?? self.store, source: Source(), title: "Board",
      address: URL(string: "https://board.example") ?? URL(filePath: "/"),
      kinds: ["change": "changes <b>", "reminder": "soon"], now: { [date] in date.value },
      report: { [reported] in reported.append("\($0)") }, isTemporary: { $0 is Later },
      send: { [sent, failures] mail in
        if let error = failures.value[mail.address] { throw error }
        sent.append(mail)
      })
  }

  /// Notes a change, and lets it settle.
  func settle(_ topic: String = "row", _ content: String = "old", by actor: String? = nil)
    async throws
  {
    try await note(topic, content, by: actor)
    date.value += 120
  }

  func note(_ topic: String = "row", _ content: String = "old", by actor: String? = nil)
    async throws
  {
    let now = date.value
    try await store.write {
      try AccountNotices.note(
        "change", of: topic, content: content, by: actor, at: now, until: now + 500_000, in: $0)
    }
  }

  /// The kinds that an account has chosen, from a new live query; nil without an address.
  func choices(of account: String) async throws -> [String]? {
    let rows = try await AccountNotices.choices(of: account, in: store).first { _ in true }
    guard let rows, let address = rows.first?.address else { return nil }
    #expect(rows.allSatisfy { $0.address == address })
    return rows.compactMap(\.kind)
  }

  /// The number of rows of a table.
  func count(_ table: String) async throws -> Int? {
    try await store.read {
      try $0.row("SELECT count(*) FROM \(identifier: table)", as: Int.self)
    }
  }

  /// The names of the accounts that got mails, sorted.
  var names: [String] { sent.all.map { String($0.address.prefix { $0 != "@" }) }.sorted() }
}

/// A store that fails from a given transaction on, as if the process had ended.
final class EndingStore: PersistenceService {
  struct Ended: Error {}

  private let store: any PersistenceService
  private let last: Int
  private let commits: Bool
  private let writes = Mutex(0)

  /// - Parameters:
  ///   - last: The number of complete transactions.
  ///   - commits: Whether the next transaction is stored before the process ends.
  init(_ store: any PersistenceService, after last: Int, commits: Bool) {
    (self.store, self.last, self.commits) = (store, last, commits)
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    if writes.withLock({ $0 > last }) { throw Ended() }
    return try await store.read(body)
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let number = writes.withLock { writes in
      defer { writes += 1 }
      return writes
    }
    if number < last || (number == last && commits) {
      let value = try await store.write(body)
      if number < last { return value }
    }
    throw Ended()
  }

  func observe<T: Decodable & Equatable & Sendable>(_ query: SQL, as type: T.Type) -> LiveQuery<T> {
    store.observe(query, as: type)
  }

  func close() async throws(PersistenceError) {}
}
