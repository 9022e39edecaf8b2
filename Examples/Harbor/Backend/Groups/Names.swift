import CausewayAccounts
import CausewayData
import HarborDomain

/// The names that accounts use on the boards of groups.
///
/// A name belongs to the account that has used it first in a group. Other accounts can neither join
/// nor leave for it. A name that no account has used, such as that of an imported participant, belongs
/// to nobody.
enum Names {
  /// The steps that store the names.
  ///
  /// The names of existing members and of their browsers belong to their accounts.
  static func migrations(options: SQL) -> [Migration] {
    [
      Migration(
        "keep the names of accounts",
        """
        CREATE TABLE person_name (
          scope TEXT NOT NULL,
          key TEXT NOT NULL,
          account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
          PRIMARY KEY (scope, key)
        )\(options)
        """,
        "CREATE INDEX person_name_account ON person_name (account, scope)",
        """
        INSERT INTO person_name (scope, key, account)
        SELECT member.scope, account.key, account.id
        FROM member JOIN account ON account.id = member.account WHERE account.key <> ''
        """),
      Migration("keep the names of browsers with their accounts", version: 1) { transaction in
        let named: SQL = """
          SELECT browser_account.account AS account, browser.name AS name
          FROM browser JOIN browser_account ON browser_account.browser = browser.browser
          JOIN account ON account.id = browser_account.account AND account.key <> ''
          ORDER BY browser_account.seen
          """
        for row in try transaction.rows(named, as: Named.self) {
          try NameRepository.store(row.name, in: Backend.nameKey(of: row.account), in: transaction)
          let key = PersonName(stored: row.name).key
          try transaction.execute(
            """
            INSERT INTO person_name (scope, key, account)
            SELECT scope, \(key), account FROM member WHERE account = \(row.account)
            ON CONFLICT DO NOTHING
            """)
        }
      },
    ]
  }

  private struct Named: Decodable { var account, name: String }

  /// The comparable forms of the names of an account.
  static func keys(
    of account: String, at place: Place, in transaction: any ReadTransaction
  ) throws -> Set<String> {
    let own: SQL = """
      SELECT key FROM person_name WHERE scope = \(place.scope) AND account = \(account)
      """
    return Set(try transaction.rows(own, as: String.self))
  }

  /// The account to which a name belongs; `nil` for none.
  static func owner(
    of name: String, at place: Place, in transaction: any ReadTransaction
  ) throws -> String? {
    try transaction.row(
      """
      SELECT account FROM person_name
      WHERE scope = \(place.scope) AND key = \(PersonName(stored: name).key)
      """, as: String.self)
  }

  /// Checks that a name does not belong to another account.
  ///
  /// - Returns: Whether it belongs to this account.
  /// - Throws: ``Refusal``.
  @discardableResult
  static func check(
    _ name: String, of account: String, at place: Place, in transaction: any ReadTransaction
  ) throws -> Bool {
    guard let owner = try owner(of: name, at: place, in: transaction) else { return false }
    guard owner == account else {
      throw Refusal(
        "“\(name)” is another person of this group. Change your name if it is yours too.")
    }
    return true
  }

  /// Checks that an account does not take over the activities of a name that belongs to nobody.
  ///
  /// Such names are those of imported boards and of former members. Organisers may take them, and the
  /// account that has the name.
  ///
  /// Complexity: O(*n*) in the number of activities.
  private static func check(
    hosts keys: Set<String>, of account: String, at place: Place,
    in transaction: any ReadTransaction
  ) throws {
    if try Members.isOrganiser(account, of: place, in: transaction) { return }
    let key: SQL = "SELECT key FROM account WHERE id = \(account)"
    let others = keys.subtracting(try transaction.rows(key, as: String.self))
    let activities = Records(place: place, collection: Rules.activities.name)
    for (_, record) in try activities.decoded(as: ActivityRecord.self, in: transaction)
    where others.contains(PersonName(stored: record.host).key) {
      throw Refusal("“\(record.host)” has activities. Only organisers can use the name.")
    }
  }

  /// Makes names belong to an account: all, or none if one belongs to another account.
  ///
  /// - Throws: ``Refusal``.
  static func claim(
    _ names: [String], for account: String, at place: Place, within quotas: Quotas,
    in transaction: any WriteTransaction
  ) throws {
    let new = try names.filter { try !check($0, of: account, at: place, in: transaction) }
    let keys = Set(new.map { PersonName(stored: $0).key })
    guard !keys.isEmpty else { return }
    try check(hosts: keys, of: account, at: place, in: transaction)
    // All browsers of a device use one account. A person who is a member needs few names.
    if account != Backend.localAccount {
      let count: SQL = """
        SELECT count(*) FROM person_name WHERE account = \(account) AND scope = \(place.scope)
        """
      let others = keys.count - 1
      let known = try transaction.row(count, as: Int.self) ?? 0
      try quotas.check(.names, count: known + others, "names of this account")
    }
    for key in keys.sorted() {
      try transaction.execute(
        """
        INSERT INTO person_name (scope, key, account)
        VALUES (\(place.scope), \(key), \(account)) ON CONFLICT DO NOTHING
        """)
    }
  }

  /// Gives a new member the account's name, unless another member has it.
  static func claimOwn(
    of account: String, at place: Place, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO person_name (scope, key, account)
      SELECT \(place.scope), key, id FROM account WHERE id = \(account) AND key <> ''
      ON CONFLICT DO NOTHING
      """)
  }

  /// Replaces a name of an account everywhere in a group: on activities, and for its picture.
  ///
  /// Complexity: O(*n*) in the number of activities.
  ///
  /// - Returns: Whether the old name was the account's.
  static func replace(
    _ old: String, by new: String, of account: String, at place: Place,
    in transaction: any WriteTransaction
  ) throws -> Bool {
    let (from, to) = (PersonName(stored: old), PersonName(stored: new))
    // Another browser of a device can be another person than the account.
    let key = Backend.nameKey(of: account)
    let name: SQL = """
      SELECT coalesce((SELECT name FROM browser WHERE browser = \(key)), name) FROM account
      WHERE id = \(account) AND key <> ''
      """
    if let name = try transaction.row(name, as: String.self), PersonName(stored: name) == from {
      try NameRepository.store(new, in: key, in: transaction)
    }
    guard try owner(of: old, at: place, in: transaction) == account else { return false }
    if from != to {
      try transaction.execute(
        "DELETE FROM person_name WHERE scope = \(place.scope) AND key = \(from.key)")
    }
    let activities = Records(place: place, collection: Rules.activities.name)
    for (id, record) in try activities.decoded(as: ActivityRecord.self, in: transaction) {
      let renamed = record.renaming(from, to: to)
      if renamed != record {
        try activities.put(Records.encoded(renamed), id: id, in: transaction)
      }
    }
    guard case .group(let group) = place else { return true }
    let own: SQL = "SELECT id FROM picture WHERE group_id = \(group) AND person = \(from.key)"
    guard let picture = try transaction.row(own, as: String.self) else { return true }
    try Pictures.use(picture, of: to.key, in: group, transaction)
    // The change of the old name's record is stored by the collection.
    guard from != to else { return true }
    try Records(place: place, collection: Rules.people.name).put(
      Records.encoded(PersonRecord(id: to.key, name: new, picture: picture)), id: to.key,
      in: transaction)
    return true
  }
}

/// The name of an account in all its groups.
extension Backend {
  /// The key of the name of an account among the names of browsers.
  package static func nameKey(of account: String) -> String { "account \(account)" }

  /// Replaces a name of the account everywhere, or nowhere if a group has another person of the new
  /// name.
  package func rename(_ old: String, to new: String, as account: String) async throws {
    try rates.count(changes: Rules.renameCost, by: account, at: .account(account))
    let now = now()
    try await store.write { [quotas] transaction in
      for group in try Members.groups(of: account, in: transaction) {
        let place = Place.group(group.id)
        // There, the old name is another person.
        guard try Names.owner(of: old, at: place, in: transaction) ?? account == account
        else { continue }
        let records = Records(place: place, collection: Rules.people.name)
        let mutation = PersonMutation.rename(from: old, to: new)
        _ = try Rules.people.change(
          mutation.recordID, of: records, at: place, as: account, on: now, within: quotas,
          in: transaction
        ) { _ in mutation }
      }
    }
  }
}
