public import CausewayData
import CausewaySyncServer
public import Foundation
import HarborAccounts
import HarborDomain

/// The accounts of a backend's database, for the people who run it.
///
/// A running backend notices each change: the devices and browsers of a removed account are signed
/// out.
public struct AccountDirectory: Sendable {
  private let store: any PersistenceService
  private let now: Date

  /// Makes the directory of a store whose schema is ``BackendMigrations``.
  public init(_ store: any PersistenceService, at now: Date) {
    (self.store, self.now) = (store, now)
  }

  /// An account, and what it uses.
  public struct Entry: Sendable, Equatable {
    /// The name; empty for the account of this machine.
    public let name: String
    /// The date of the sign-up.
    public let created: Date
    /// The date of the last use of a browser or a device, to the hour; `nil` if none is signed in.
    public let used: Date?
    /// What the account has.
    public let groups, browsers, devices: Int
  }

  /// The accounts by name.
  public func entries() async throws -> [Entry] {
    let rows = try await store.read { transaction in
      try transaction.rows(
        """
        SELECT name, created,
          (SELECT max(seen) FROM browser_account WHERE account = known.id) AS seen,
          (SELECT max(expiry) FROM token WHERE account = known.id AND kind = 'refresh') AS expiry,
          (SELECT count(*) FROM member WHERE account = known.id) AS groups,
          (SELECT count(*) FROM browser_account WHERE account = known.id) AS browsers,
          (SELECT count(*) FROM device WHERE account = known.id) AS devices
        FROM account AS known ORDER BY key
        """, as: Row.self)
    }
    return rows.map { row in
      let used = [row.seen.map(Double.init), row.expiry.map { $0 - DeviceTokens.refreshTime }]
      return Entry(
        name: row.name, created: row.created,
        used: used.compactMap(\.self).max().map(Date.init(timeIntervalSince1970:)),
        groups: row.groups, browsers: row.browsers, devices: row.devices)
    }
  }

  private struct Row: Decodable, Sendable {
    var name: String
    @TimeColumn var created: Date
    var seen: Int64?
    var expiry: Double?
    var groups, browsers, devices: Int
  }

  /// Makes a code with which a person sets a new passphrase, once and within 24 hours.
  ///
  /// It replaces earlier codes. It also removes the mail address, because the address may belong to
  /// a person who has taken over the account. The account keeps its passphrase until the code is
  /// used.
  public func reset(_ name: String) async throws -> (code: String, expiry: Date) {
    let expiry = now.addingTimeInterval(86_400)
    let code = try await store.write { transaction in
      let account = try Self.account(name, in: transaction).id
      try AccountMail.hold(account, until: expiry, in: transaction)
      return try PassphraseResets.makeCode(for: account, until: expiry, in: transaction)
    }
    return (code, expiry)
  }

  /// Removes an account and everything that is only its own.
  ///
  /// Its people leave the activities that they have joined. Their own activities stay if others come.
  /// The feedback stays too, without a name.
  ///
  /// Complexity: O(*n*) in the number of activities of its groups.
  ///
  /// - Returns: Why the remains of the rows stay in the file until it is opened again; `nil` if they
  ///   do not.
  @discardableResult
  public func delete(_ name: String) async throws -> (any Error)? {
    try await store.write { try Self.delete(Self.account(name, in: $0).id, in: $0) }
    do { try await store.eraseMarked() } catch { return error }
    return nil
  }

  /// Removes an account in the caller's transaction, which marks the remains of its rows.
  ///
  /// Call `eraseMarked()` afterwards. Unlike `eraseDeleted()`, it keeps damaged files for a repair.
  static func delete(_ id: String, in transaction: any WriteTransaction) throws {
    let own = Place.account(id).scope
    let groups = try Members.groups(of: id, in: transaction).map(\.id)
    for group in groups {
      try Members.leave(group, as: id, removesOwn: true, in: transaction)
      try Members.remove(id, from: group, in: transaction)
    }
    try NameRepository.remove(Backend.nameKey(of: id), in: transaction)
    try Self.removePictures(of: id, in: transaction)
    try Backend.endSessions(of: id, in: transaction)
    try transaction.execute("DELETE FROM receipt WHERE account = \(id)")
    try transaction.execute("DELETE FROM invitation WHERE account = \(id)")
    for group in groups {
      try transaction.execute(
        """
        DELETE FROM invitation WHERE group_id = \(group)
        AND NOT EXISTS (SELECT 1 FROM member WHERE scope = \(Place.group(group).scope))
        """)
    }
    for table in ["record", "feed"] {
      try transaction.execute("DELETE FROM \(identifier: table) WHERE scope = \(own)")
    }
    try transaction.execute("DELETE FROM account WHERE id = \(id)")
    try transaction.markForErasing()
  }

  private static func account(
    _ name: String, in transaction: any ReadTransaction
  ) throws -> NamedAccount {
    guard let account = try known(name, in: transaction) else {
      throw Refusal("There is no account “\(name)”. `harbor account list` shows all.")
    }
    return account
  }

  /// The account with a name as a person types it.
  static func known(_ name: String, in transaction: any ReadTransaction) throws -> NamedAccount? {
    // The account of this machine has no name and no passphrase.
    let key = PersonName(existing: name)?.key ?? ""
    let known: SQL = "SELECT id, name FROM account WHERE key = \(key) AND key <> ''"
    return try transaction.row(known, as: NamedAccount.self)
  }

  private static func removePictures(
    of account: String, in transaction: any WriteTransaction
  ) throws {
    let shown = try transaction.rows(
      """
      SELECT group_id AS "group", person FROM picture WHERE account = \(account)
      AND person IS NOT NULL
      """, as: Shown.self)
    for picture in shown {
      try Records(place: .group(picture.group), collection: Rules.people.name)
        .put(nil, id: picture.person, in: transaction)
    }
    try transaction.execute("DELETE FROM picture WHERE account = \(account)")
  }

  private struct Shown: Decodable { var group, person: String }
}
