import CausewayData
import CausewaySyncServer
import HarborAccounts
import HarborDomain

/// The names that accounts use on the boards of groups.
///
/// A name belongs to the account that has used it first in a group. Other accounts cannot join or
/// leave under this name, or use a name that looks like it; see ``NameRule``. A name that no
/// account has used, such as that of an imported participant, belongs to nobody.
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

  /// The steps that store the looks of the names, and that give each account the name that its
  /// person has on the boards.
  static func lookMigrations(options: SQL) -> [Migration] {
    [
      Migration(
        "keep the looks of names on boards", "ALTER TABLE person_name ADD COLUMN name TEXT",
        "ALTER TABLE person_name ADD COLUMN looks TEXT",
        """
        CREATE TABLE person_look (
          scope TEXT NOT NULL,
          form TEXT NOT NULL,
          key TEXT NOT NULL,
          PRIMARY KEY (scope, form, key),
          FOREIGN KEY (scope, key) REFERENCES person_name (scope, key) ON DELETE CASCADE
        )\(options)
        """,
        "CREATE INDEX person_look_name ON person_look (scope, key)"),
      Migration("rename accounts with their people", version: 1) { transaction in
        let chosen: SQL = """
          SELECT account.id AS account, browser.name AS name FROM account
          JOIN browser ON browser.browser = 'account ' || account.id
          WHERE account.key <> '' AND account.name <> browser.name ORDER BY account.id
          """
        for row in try transaction.rows(chosen, as: Named.self) {
          let key = PersonName(stored: row.name).key
          // The forms of its look are made when the backend starts.
          try transaction.execute(
            """
            UPDATE account SET name = \(row.name), key = \(key), looks = NULL
            WHERE id = \(row.account)
            AND NOT EXISTS (SELECT 1 FROM account WHERE key = \(key) AND id <> \(row.account))
            """)
        }
      },
    ]
  }

  /// Makes the looks of all names without looks, and of names with looks of another version of
  /// Unicode.
  ///
  /// Complexity: O(*n*) in the number of these names.
  static func updateLooks(in transaction: any WriteTransaction) throws {
    let old: SQL = """
      SELECT scope, key, coalesce(name, key) AS name FROM person_name
      WHERE looks IS NULL OR looks <> \(NameLooks.version)
      """
    for row in try transaction.rows(old, as: Stored.self) {
      try store(
        NameLooks.forms(ofStored: row.name), of: row.key, in: row.scope, in: transaction)
    }
  }

  private struct Stored: Decodable { var scope, key, name: String }

  private static func store(
    _ looks: [String], of key: String, in scope: String, in transaction: any WriteTransaction
  ) throws {
    let own: SQL = "scope = \(scope) AND key = \(key)"
    try transaction.execute("DELETE FROM person_look WHERE \(own)")
    for form in looks {
      try transaction.execute(
        """
        INSERT INTO person_look (scope, form, key) VALUES (\(scope), \(form), \(key))
        ON CONFLICT DO NOTHING
        """)
    }
    try transaction.execute(
      "UPDATE person_name SET looks = \(NameLooks.version) WHERE \(own)")
  }

  /// The comparable forms of the names of an account.
  ///
  /// If `keys` is not nil, the result has only forms from this set.
  static func keys(
    of account: String, among keys: Set<String>? = nil, at place: Place,
    in transaction: any ReadTransaction
  ) throws -> Set<String> {
    if keys?.isEmpty == true { return [] }
    let wanted: SQL = keys.map { "AND key IN \(list: Array($0))" } ?? ""
    let own: SQL = """
      SELECT key FROM person_name
      WHERE scope = \(place.scope) AND account = \(account) \(wanted)
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

  /// Checks that a name that is on the board already does not belong to another account.
  ///
  /// - Throws: ``Refusal``.
  static func check(
    _ name: String, of account: String, at place: Place, in transaction: any ReadTransaction
  ) throws {
    guard try owner(of: name, at: place, in: transaction) ?? account == account else {
      throw Refusal(
        "“\(name)” is another person of this group. Change your name if it is yours too.")
    }
  }

  /// Checks that an account does not take over the activities of a name that belongs to nobody.
  ///
  /// Such names come from imported boards and from former members. Organisers may take them, and so
  /// may the account that has the name.
  ///
  /// Complexity: O(*n*) in the number of activities.
  private static func check(
    hosts names: [NameRule], of account: String, at place: Place,
    in transaction: any ReadTransaction
  ) throws {
    if try Members.isOrganiser(account, of: place, in: transaction) { return }
    let key: SQL = "SELECT key FROM account WHERE id = \(account)"
    let own = try transaction.row(key, as: String.self)
    let looks = Set(names.filter { $0.name.key != own }.flatMap(\.looks))
    guard !looks.isEmpty else { return }
    var known = try keys(of: account, at: place, in: transaction)
    let activities = Records(place: place, collection: Rules.activities.name)
    for (_, record) in try activities.decoded(as: ActivityRecord.self, in: transaction)
    where known.insert(PersonName(stored: record.host).key).inserted {
      guard try looks.isDisjoint(with: NameLooks.forms(ofStored: record.host)) else {
        throw Refusal("“\(record.host)” has activities. Only organisers can use the name.")
      }
    }
  }

  /// Makes all names belong to an account, or none if one of them belongs to another account.
  ///
  /// - Throws: ``Refusal``.
  static func claim(
    _ names: [String], for account: String, at place: Place, within quotas: Quotas,
    in transaction: any WriteTransaction
  ) throws {
    // The account of a device has the names of all its browsers.
    var known = try keys(
      of: account, among: Set(names.map { PersonName(stored: $0).key }), at: place,
      in: transaction)
    let new = try names.filter { known.insert(PersonName(stored: $0).key).inserted }.map { name in
      let rule = try NameRule(name)
      try rule.check(for: account, at: place, in: transaction)
      return rule
    }
    guard !new.isEmpty else { return }
    try check(hosts: new, of: account, at: place, in: transaction)
    // All browsers can use the account of this machine, so its names are not limited.
    if account != Backend.localAccount {
      let count: SQL = """
        SELECT count(*) FROM person_name WHERE account = \(account) AND scope = \(place.scope)
        """
      let others = new.count - 1
      let stored = try transaction.row(count, as: Int.self) ?? 0
      try quotas.check(.names, count: stored + others, "names of this account")
    }
    for rule in new { try add(rule, to: account, at: place, in: transaction) }
  }

  /// Makes a name belong to an account, unless it belongs to one.
  private static func add(
    _ rule: NameRule, to account: String, at place: Place, in transaction: any WriteTransaction
  ) throws {
    let count = try transaction.executeAndCount(
      """
      INSERT INTO person_name (scope, key, account, name)
      VALUES (\(place.scope), \(rule.name.key), \(account), \(rule.name.text))
      ON CONFLICT DO NOTHING
      """)
    guard count > 0 else { return }
    try store(rule.looks, of: rule.name.key, in: place.scope.rawValue, in: transaction)
  }

  /// Gives a new member the account's name, unless another member has it.
  static func claimOwn(
    of account: String, at place: Place, in transaction: any WriteTransaction
  ) throws {
    let count = try transaction.executeAndCount(
      """
      INSERT INTO person_name (scope, key, account, name)
      SELECT \(place.scope), key, id, name FROM account WHERE id = \(account) AND key <> ''
      ON CONFLICT DO NOTHING
      """)
    let own: SQL = "SELECT name FROM account WHERE id = \(account)"
    guard count > 0, let name = try transaction.row(own, as: String.self) else { return }
    try store(
      NameLooks.forms(ofStored: name), of: PersonName(stored: name).key,
      in: place.scope.rawValue, in: transaction)
  }

  /// Gives an account another name, with which its person signs in from now on.
  ///
  /// A device has one account, but another person can use another browser of it. The new name of
  /// such a browser is not the account's name.
  ///
  /// - Throws: ``Refusal``.
  static func renameAccount(
    _ account: String, from old: String, to new: String, in transaction: any WriteTransaction
  ) throws {
    let own: SQL = "SELECT name FROM account WHERE id = \(account) AND key <> ''"
    guard let name = try transaction.row(own, as: String.self),
      PersonName(stored: name) == PersonName(stored: old)
    else { return }
    let rule = try NameRule(new)
    try rule.check(for: account, in: transaction)
    try transaction.execute(
      """
      UPDATE account SET name = \(rule.name.text), key = \(rule.name.key) WHERE id = \(account)
      """)
    try NameLooks.store(rule.looks, of: account, in: transaction)
    try NameRepository.store(
      rule.name.text, in: Backend.nameKey(of: account), in: transaction)
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
    try renameAccount(account, from: old, to: new, in: transaction)
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
    try ActivityTables.follow(place, in: transaction)
    guard case .group(let group) = place else { return true }
    let own: SQL = "SELECT id FROM picture WHERE group_id = \(group) AND person = \(from.key)"
    guard let picture = try transaction.row(own, as: String.self) else { return true }
    try Pictures.use(picture, of: to.key, in: group, transaction)
    // The collection stores the change of the old name's record.
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
        else {
          try Names.claim([new], for: account, at: place, within: quotas, in: transaction)
          continue
        }
        let records = Records(place: place, collection: Rules.people.name)
        let mutation = PersonMutation.rename(from: old, to: new)
        _ = try Rules.people.change(
          mutation.recordID, of: records, at: place, as: account, on: now, within: quotas,
          in: transaction
        ) { _ in mutation }
      }
      // An account need not have a group.
      do {
        try Names.renameAccount(account, from: old, to: new, in: transaction)
      } catch let problem as PersonNameProblem {
        throw Refusal("\(problem)")
      }
    }
  }
}
