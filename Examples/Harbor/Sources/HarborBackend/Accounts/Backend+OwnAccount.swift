import CausewayData
import CausewaySyncServer
import CausewayWeb
package import Foundation
import HarborAccounts
import HarborDomain

/// What people do with their own accounts on the pages.
extension Backend {
  /// Replaces the passphrase, and signs all other browsers and all devices out.
  ///
  /// - Parameters:
  ///   - browser: The browser that stays signed in.
  ///   - network: The network of the browser, for the limit of attempts.
  /// - Throws: A `Problem`, whose sentence does not contain a passphrase.
  package func changePassphrase(
    from old: String, to new: String, of account: String, in browser: String, from network: String
  ) async throws {
    try Credentials(name: "", passphrase: new).checkNewPassphrase()
    let known = try await check(old, of: account, from: network)
    let secret = try await passphrases.hash(new)
    try await store.write { transaction in
      try known.checkSecret(in: transaction)
      try transaction.execute("UPDATE account SET secret = \(secret) WHERE id = \(account)")
      try transaction.execute("DELETE FROM passphrase_reset WHERE account = \(account)")
      try Self.endSessions(of: account, except: browser, in: transaction)
    }
  }

  /// Deletes an account with its feedback and everything that is only its own.
  package func deleteAccount(
    _ account: String, passphrase: String, from network: String
  ) async throws {
    let known = try await check(passphrase, of: account, from: network)
    try rates.count(costly: "deletion", by: network)
    try await store.write { transaction in
      try known.checkSecret(in: transaction)
      try transaction.execute("DELETE FROM feedback WHERE account = \(account)")
      try AccountDirectory.delete(account, in: transaction)
    }
    do { try await store.eraseMarked() } catch { report(error) }
  }

  /// Checks the passphrase of an account; a network has few attempts.
  package func check(
    _ passphrase: String, of account: String, from network: String
  ) async throws -> NamedAccount {
    try Credentials(name: "", passphrase: passphrase).checkPassphrase()
    return try await verified(
      passphrase, as: account, from: network, where: "id = \(account) AND key <> ''",
      else: "This is not the passphrase of the account.")
  }

  /// The data of an account as JSON.
  ///
  /// One export is made at a time, because its pictures can need hundreds of megabytes.
  package func export(of account: String) async throws -> Data {
    try rates.count(costly: "export", by: account)
    return try await exporting.withLock {
      let data = try await store.read { try OwnData(account, in: $0) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      return try encoder.encode(data)
    }
  }
}

/// What a backend has stored about an account, for the person.
private struct OwnData: Encodable, Sendable {
  struct Group: Encodable, Sendable {
    var name: String
    var activities: [Activity] = []
    var pictures: [Picture] = []
  }

  /// An activity that the person hosts or joins, without the names of others.
  struct Activity: Encodable, Sendable {
    var title: String
    var place, notes: String?
    var start: Date
    var end: Date?
    var isHost, comes: Bool
  }

  struct Picture: Codable, Sendable {
    var type: String
    /// The file in Base64.
    var bytes: Data
  }

  struct Feedback: Codable, Sendable {
    var text: String
    var created: Double
  }

  var name: String
  var mail: String?
  var groups: [Group]
  var links: [LinkRecord]
  var feedback: [Feedback]

  init(_ account: String, in transaction: any ReadTransaction) throws {
    let own: SQL = "account = \(account)"
    name =
      try transaction.row("SELECT name FROM account WHERE id = \(account)", as: String.self) ?? ""
    mail = try AccountMail.address(of: account, in: transaction)
    feedback = try transaction.rows(
      "SELECT text, created FROM feedback WHERE \(own) ORDER BY id", as: Feedback.self)
    links = try Records(place: .account(account), collection: Rules.links.name)
      .decoded(as: LinkRecord.self, in: transaction).map(\.record)
    groups = try Members.groups(of: account, in: transaction).map { record in
      let place = Place.group(record.id)
      let keys = try Names.keys(of: account, at: place, in: transaction)
      var group = Group(name: record.name)
      group.pictures = try transaction.rows(
        "SELECT type, bytes FROM picture WHERE group_id = \(record.id) AND \(own)", as: Picture.self
      )
      for (_, record) in try Records(place: place, collection: Rules.activities.name)
        .decoded(as: ActivityRecord.self, in: transaction)
      {
        let isHost = keys.contains(PersonName(stored: record.host).key)
        let comes = record.participants.contains { keys.contains(PersonName(stored: $0).key) }
        guard isHost || comes else { continue }
        group.activities.append(
          Activity(
            title: record.title, place: record.place, notes: record.notes,
            start: record.details.start, end: record.details.end, isHost: isHost, comes: comes))
      }
      return group
    }
  }
}
