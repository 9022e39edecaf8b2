package import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
package import HarborDomain

/// Who belongs to a group, and who organises it.
///
/// The founder organises a group. Organisers change all activities, remove members, make others
/// organisers and end invitations. When the last organiser leaves, the member who has belonged to
/// the group for the longest time organises it.
enum Members {
  /// The step that stores the roles.
  ///
  /// All members of existing groups organise them, because they could change everything before.
  static func migration(integer: SQL) -> Migration {
    Migration(
      "keep the roles of members",
      "ALTER TABLE member ADD COLUMN organiser \(integer) NOT NULL DEFAULT 1",
      "ALTER TABLE member ADD COLUMN joined \(integer) NOT NULL DEFAULT 0",
      "ALTER TABLE invitation ADD COLUMN account TEXT")
  }

  /// Makes an account a member of a group; the first one organises it.
  static func add(
    _ account: String, to group: GroupRecord, in transaction: any WriteTransaction
  ) throws {
    let place = Place.group(group.id)
    try transaction.execute(
      """
      INSERT INTO member (scope, account, name, organiser, joined)
      SELECT \(place.scope), \(account), \(group.name), CASE WHEN count(*) = 0 THEN 1 ELSE 0 END,
        coalesce(max(joined), 0) + 1 FROM member WHERE scope = \(place.scope)
      ON CONFLICT DO NOTHING
      """)
    try Names.claimOwn(of: account, at: place, in: transaction)
  }

  /// Ends the membership of an account, its calendar of the group, and its waiting mails.
  ///
  /// The account's names in the group then belong to nobody.
  static func remove(
    _ account: String, from group: String, in transaction: any WriteTransaction
  ) throws {
    let place = Place.group(group)
    let own: SQL = "WHERE scope = \(place.scope) AND account = \(account)"
    try transaction.execute("DELETE FROM person_name \(own)")
    try transaction.execute("DELETE FROM member \(own)")
    try SecretLinks.remove("calendar \(group)", of: account, in: transaction)
    try AccountNotices.removeNotices(
      ofTopicsWithPrefix: "\(place.scope.rawValue) ", of: account, in: transaction)
    try transaction.execute(
      """
      UPDATE member SET organiser = 1 WHERE scope = \(place.scope) AND account = (
        SELECT account FROM member WHERE scope = \(place.scope) ORDER BY joined, account LIMIT 1)
      AND NOT EXISTS (SELECT 1 FROM member WHERE scope = \(place.scope) AND organiser = 1)
      """)
  }

  /// The groups of an account by name.
  static func groups(
    of account: String, in transaction: any ReadTransaction
  ) throws -> [GroupRecord] {
    try transaction.rows(groups(of: account), as: GroupRecord.self)
  }

  fileprivate static func groups(of account: String) -> SQL {
    """
    SELECT substr(scope, 8) AS id, name FROM member WHERE account = \(account)
    ORDER BY name, scope
    """
  }

  static func isOrganiser(
    _ account: String, of place: Place, in transaction: any ReadTransaction
  ) throws -> Bool {
    try transaction.row(
      """
      SELECT 1 FROM member WHERE scope = \(place.scope) AND account = \(account) AND organiser = 1
      """, as: Int.self) != nil
  }

  /// Checks that an account may change an activity.
  ///
  /// - Throws: ``Refusal``.
  static func check(
    _ account: String, mayChange record: ActivityRecord, at place: Place,
    in transaction: any ReadTransaction
  ) throws {
    if try Names.owner(of: record.host, at: place, in: transaction) == account { return }
    guard try isOrganiser(account, of: place, in: transaction) else {
      throw Refusal(
        "Only \(record.host) and the organisers of the group can change this activity.")
    }
  }

  /// Makes the people of an account leave the activities of a group.
  ///
  /// - Parameter removesOwn: Whether to remove the account's own activities to which nobody comes then.
  ///
  /// Complexity: O(*n*) in the number of activities.
  static func leave(
    _ group: String, as account: String, removesOwn: Bool = false,
    in transaction: any WriteTransaction
  ) throws {
    let place = Place.group(group)
    let names = try Names.keys(of: account, at: place, in: transaction)
    let records = Records(place: place, collection: Rules.activities.name)
    for (id, record) in try records.decoded(as: ActivityRecord.self, in: transaction) {
      var left = record
      left.participants.removeAll { names.contains(PersonName(stored: $0).key) }
      let isOwn = names.contains(PersonName(stored: record.host).key)
      if removesOwn, isOwn, left.participants.isEmpty {
        try records.put(nil, id: id, in: transaction)
      } else if left != record {
        try records.put(Records.encoded(left), id: id, in: transaction)
      }
    }
    try ActivityTables.follow(place, in: transaction)
  }
}

/// Members and invitations of a group, for its members.
extension Backend {
  func serveMembers() {
    server.delete("/groups/:place/members/:id") { [self] request in
      try await remove(
        member: request.parameters["id"] ?? "", from: request.parameters["place"] ?? "",
        as: try await identity(of: request).account,
        removesOwn: request.query("activities") == "remove")
      return .empty()
    }
    server.post("/groups/:place/organisers/:id", answer(makeOrganiser(_:of:as:)))
    server.delete("/groups/:place/invitations/:id", answer(end(invitation:to:as:)))
  }

  /// The answer to a request that changes something of a group.
  private func answer(
    _ change: @escaping @Sendable (String, String, String) async throws -> Void
  ) -> WebServer.Responder {
    { [self] request in
      let account = try await identity(of: request).account
      try await change(request.parameters["id"] ?? "", request.parameters["place"] ?? "", account)
      return .empty()
    }
  }

  /// The members of a group, those who have belonged to it for the longest time first.
  package func members(of group: String) -> LiveQuery<GroupMember> {
    store.observe(
      """
      SELECT account AS id, coalesce(account.name, '') AS name, organiser FROM member
      LEFT JOIN account ON account.id = member.account
      WHERE scope = \(Place.group(group).scope) ORDER BY joined, account
      """, as: GroupMember.self)
  }

  /// The groups of an account by name, now and after each change of its memberships.
  package func memberships(of account: String) -> LiveQuery<GroupRecord> {
    store.observe(Members.groups(of: account), as: GroupRecord.self)
  }

  /// The invitations to a group, also some that have expired.
  package func invitations(to group: String) -> LiveQuery<GroupInvitation> {
    store.observe(
      """
      SELECT hash AS id, invitation.account AS account, account.name AS author,
        expiry AS "end"
      FROM invitation LEFT JOIN account ON account.id = invitation.account
      WHERE group_id = \(group) ORDER BY expiry, hash
      """, as: GroupInvitation.self)
  }

  /// Lets a member organise the group too.
  package func makeOrganiser(_ id: String, of group: String, as account: String) async throws {
    let place = Place.group(group)
    try await organise(group, as: account) { transaction in
      try transaction.execute(
        "UPDATE member SET organiser = 1 WHERE scope = \(place.scope) AND account = \(id)")
    }
  }

  /// Ends the membership of another account, whose people then leave all activities.
  ///
  /// All invitations to the group end too, because the account may know any of them.
  ///
  /// - Parameter removesOwn: Whether to remove the account's own activities to which nobody comes then.
  package func remove(
    member id: String, from group: String, as account: String, removesOwn: Bool
  ) async throws {
    try await organise(group, as: account) { transaction in
      try Identity(account: id).check(.group(group), in: transaction)
      try Members.leave(group, as: id, removesOwn: removesOwn, in: transaction)
      try Members.remove(id, from: group, in: transaction)
      try transaction.execute("DELETE FROM invitation WHERE group_id = \(group)")
      try Records(place: .account(id), collection: Groups.collection.name)
        .put(nil, id: group, in: transaction)
    }
  }

  /// Ends an invitation; organisers end all, and members their own.
  package func end(invitation id: String, to group: String, as account: String) async throws {
    let own: SQL = "DELETE FROM invitation WHERE hash = \(id) AND account = \(account)"
    if try await store.write({ try $0.executeAndCount(own) }) > 0 { return }
    try await organise(group, as: account) { transaction in
      try transaction.execute("DELETE FROM invitation WHERE hash = \(id) AND group_id = \(group)")
    }
  }

  /// Runs a change that only organisers may make.
  private func organise(
    _ group: String, as account: String,
    _ change: @escaping @Sendable (any WriteTransaction) throws -> Void
  ) async throws {
    try rates.count(changes: 1, by: account, at: .group(group))
    try await store.write { transaction in
      try Identity(account: account).check(.group(group), in: transaction)
      guard try Members.isOrganiser(account, of: .group(group), in: transaction) else {
        throw Problem(
          .forbidden, code: "organisers-only", detail: "Only organisers of the group can do this.")
      }
      try change(transaction)
    }
  }
}
