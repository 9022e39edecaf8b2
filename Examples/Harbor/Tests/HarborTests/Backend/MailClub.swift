import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain
import HarborMail
import TestSupport

@testable import HarborBackend

/// A group whose members want all mails about activities, on a given clock.
struct MailClub: Sendable {
  let store: any PersistenceService
  let backend: Backend
  let group = UUID().uuidString.lowercased()
  /// The ids of the accounts; the first one has founded the group.
  let accounts: [String]
  let sent = Log<NoticeMail>()
  private let date: Mutexed<Date>

  var now: Date { date.value }

  func wait(_ time: TimeInterval) { date.value += time }

  /// - Parameter names: The names of the accounts.
  static func make(_ names: String...) async throws -> MailClub { try await make(names) }

  static func make(_ names: [String]) async throws -> MailClub {
    let store = try await TestStore.make()
    let date = Mutexed(Board.now)
    let backend = Backend(
      store: store, configuration: .init(port: 0), now: { date.value },
      random: { .random(in: .min ... .max) }, passphraseCost: 1)
    var accounts: [String] = []
    for (index, name) in names.enumerated() {
      let account = try await backend.makeAccount(
        Credentials(name: name, passphrase: "correct horse battery"), from: "10.\(index).0.1")
      accounts.append(account.id)
    }
    return try await MailClub(backend, date, accounts, names)
  }

  private init(
    _ backend: Backend, _ date: Mutexed<Date>, _ accounts: [String], _ names: [String]
  ) async throws {
    (store, self.backend, self.date, self.accounts) = (backend.store, backend, date, accounts)
    try await backend.groups(of: accounts[0]).apply(
      .found(GroupRecord(id: group, name: "Rowers")))
    let code = try await backend.invite(to: group, as: accounts[0])
    for account in accounts.dropFirst() { _ = try await backend.accept(code, as: account) }
    try await store.write { transaction in
      for (account, name) in zip(accounts, names) {
        try transaction.execute(
          "INSERT INTO account_mail (account, address) VALUES (\(account), \("\(name)@a.example"))")
        for kind in MailKind.allCases {
          try transaction.execute(
            "INSERT INTO notice_choice VALUES (\(account), \(kind), 'Europe/Lisbon')")
        }
      }
    }
  }

  /// The mails of a process.
  ///
  /// The texts of each mail list the values that it was made from.
  func notices(
    _ send: (@Sendable (NoticeMail) async throws -> Void)? = nil
  ) -> AccountNotices {
    backend.makeNotices(
      at: URL(string: "https://board.example") ?? URL(filePath: "/"),
      wording: { kind, details, old, address, zone in
        (
          "\(kind) \(details.title)",
          "\(old.title), \(details.place ?? "nowhere"), \(address), \(zone.identifier)"
        )
      }, isTemporary: { ($0 as? MailError)?.isTemporary == true }
    ) { [sent] mail in
      try await send?(mail)
      sent.append(mail)
    }
  }

  /// An activity that the first account hosts, and others join.
  func create(
    _ title: String = "Row", days: Double = 3, guests: String...
  ) async throws -> String {
    let id = UUID().uuidString.lowercased()
    var new = record(title, id: id, host: try await name(accounts[0]))
    (new.start, new.participants) = (now.timeIntervalSince1970 + days * 86_400, [new.host])
    try await change(.create(new))
    for guest in guests { try await change(.join(id: id, person: guest), by: guest) }
    return id
  }

  func change(_ mutation: ActivityMutation, by name: String? = nil) async throws {
    var account = accounts[0]
    if let name { account = try await self.account(name) }
    try await backend.activities(of: group, as: account).apply(mutation)
  }

  /// Changes an activity.
  func edit(
    _ id: String, by name: String? = nil, _ body: (inout ActivityText) -> Void
  ) async throws {
    let old = ActivityText(try await stored(id).details)
    var new = old
    body(&new)
    try await change(.edit(id: id, from: old, to: new, at: now.timeIntervalSince1970), by: name)
  }

  func stored(_ id: String) async throws -> ActivityRecord {
    let records = Records(place: .group(group), collection: "activities")
    let body = try await store.read { try records.body(of: id, in: $0) }
    return try JSONDecoder().decode(ActivityRecord.self, from: Data((body ?? "").utf8))
  }

  func account(_ name: String) async throws -> String {
    let query: SQL = "SELECT id FROM account WHERE name = \(name)"
    return try await store.read { try $0.row(query, as: String.self) } ?? ""
  }

  private func name(_ account: String) async throws -> String {
    try await store.read {
      try $0.row("SELECT name FROM account WHERE id = \(account)", as: String.self)
    } ?? ""
  }

  /// Who got which mails, since the beginning, sorted.
  var mails: [String] {
    sent.all.map { "\($0.address.prefix { $0 != "@" }): \($0.subject)" }.sorted()
  }
}
