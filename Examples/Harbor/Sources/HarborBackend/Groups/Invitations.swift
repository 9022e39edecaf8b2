public import CausewayData
import CausewaySyncServer
import CausewayWeb
public import Foundation
import HarborAccounts
package import HarborDomain

/// Invitations to groups.
///
/// Any number of people can use an invitation for two weeks.
public enum Invitations {
  private static let lifetime: TimeInterval = 14 * 86_400

  private static var expired: Problem {
    .notFound("This invitation has expired. Ask for a new one.")
  }

  /// The step that stores the names of groups without members.
  static let migration = Migration(
    "invite to new groups", "ALTER TABLE invitation ADD COLUMN name TEXT")

  /// Makes an invitation for the people who run the server, and returns its code.
  ///
  /// - Parameter text: The id or the name of a group. A group of a new name is founded by the first
  ///   person who accepts the invitation.
  /// - Throws: An error with a sentence for people.
  public static func make(
    to text: String, in store: any PersistenceService, at now: Date
  ) async throws -> String {
    try await store.write { transaction in
      let known: SQL = """
        SELECT substr(scope, 8) AS id, name FROM member
        UNION SELECT group_id AS id, name FROM invitation
        WHERE name IS NOT NULL AND expiry > \(now.timeIntervalSince1970)
        """
      let groups = try transaction.rows(known, as: GroupRecord.self)
        .filter { $0.id == text || $0.name == text }
      guard groups.count < 2 else {
        throw Refusal(
          "There are several groups of this name. Use the id of one of them: "
            + groups.map(\.id).joined(separator: ", ") + ".")
      }
      let group = try groups.first ?? new(text)
      try removeExpired(to: group.id, at: now, in: transaction)
      return try add(to: group.id, named: group.name, at: now, Secret.system, in: transaction)
    }
  }

  private static func new(_ text: String) throws -> GroupRecord {
    // The text looks like an id with a typing error, and not like the name of a new group.
    guard UUID(uuidString: text) == nil else { throw Refusal("There is no group with this id.") }
    let name = try NameRule.ofGroup(text)
    guard name == text else { throw Refusal("The name of the group has surplus white space.") }
    return GroupRecord(id: Secret.makeID(Secret.system), name: name)
  }

  static func removeExpired(
    to group: String, at now: Date, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM invitation WHERE group_id = \(group) AND expiry <= \(now.timeIntervalSince1970)
      """)
  }

  /// - Parameter name: The name of a group that may have no members.
  static func add(
    to group: String, named name: String? = nil, by account: String? = nil, at now: Date,
    _ random: Secret.Source, in transaction: any WriteTransaction
  ) throws -> String {
    let code = Secret.make(random)
    try transaction.execute(
      """
      INSERT INTO invitation (hash, group_id, expiry, name, account) VALUES (
        \(Secret.hash(code)), \(group), \(now.timeIntervalSince1970 + lifetime), \(name), \(account))
      """)
    return code
  }

  /// The group of an invitation.
  ///
  /// - Throws: A `Problem` with status 404 if the invitation has expired or does not exist.
  static func group(
    of code: String, at now: Date, in transaction: any ReadTransaction
  ) throws -> GroupRecord {
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length else { throw expired }
    let query: SQL = try """
    SELECT group_id AS id, coalesce(member.name, invitation.name) AS name FROM invitation
    LEFT JOIN member ON member.scope = 'groups/' || group_id
    WHERE hash = \(Secret.hash(code)) AND expiry > \(now.timeIntervalSince1970)
    AND coalesce(member.name, invitation.name) IS NOT NULL LIMIT 1
    """
    guard let group = try transaction.row(query, as: GroupRecord.self) else { throw expired }
    return group
  }
}

/// Invitations in requests.
extension Backend {
  struct Invitation: Codable, Sendable {
    var code: String
  }

  func serveInvitations() {
    server.post("/groups/:place/invitations") { [self] request in
      let code = try await invite(
        to: request.parameters["place"] ?? "", as: try await identity(of: request).account)
      return try .json(Invitation(code: code), status: .created)
    }
    // A second acceptance has the same result, so this needs no idempotency key.
    server.post("/invitations/accept", body: Invitation.self) { [self] request, invitation in
      try await accept(invitation.code, as: try await identity(of: request).account)
    }
  }

  /// Makes an invitation to a group, and returns its code.
  package func invite(to id: String, as account: String) async throws -> String {
    try rates.count(upload: "invitation", by: account)
    let now = now()
    return try await store.write { [quotas, random] transaction in
      try Identity(account: account).check(.group(id), in: transaction)
      try Invitations.removeExpired(to: id, at: now, in: transaction)
      try quotas.check(
        .invitations, rows: "SELECT count(*) FROM invitation WHERE group_id = \(id)",
        "invitations to this group", in: transaction)
      return try Invitations.add(to: id, by: account, at: now, random, in: transaction)
    }
  }

  /// Makes the account a member of the group of an invitation.
  package func accept(_ code: String, as account: String) async throws -> GroupRecord {
    try rates.countAcceptance(by: account)
    let now = now()
    return try await store.write { [self] transaction in
      let group = try Invitations.group(of: code, at: now, in: transaction)
      try join(group, as: account, in: transaction)
      return group
    }
  }

  /// Makes an account a member of the group of its invitation, in the caller's transaction.
  func join(
    _ group: GroupRecord, as account: String, in transaction: any WriteTransaction
  ) throws {
    let records = Records(place: .account(account), collection: Groups.collection.name)
    let body = try Records.encoded(group)
    let known = try records.body(of: group.id, in: transaction)
    if known == nil {
      let scope = Place.group(group.id).scope
      try quotas.check(
        .members, rows: "SELECT count(*) FROM member WHERE scope = \(scope)",
        "members of this group", in: transaction)
      try quotas.check(
        .groups, rows: "SELECT count(*) FROM member WHERE account = \(account)",
        "groups of this account", in: transaction)
    }
    try Members.add(account, to: group, in: transaction)
    if known != body { try records.put(body, id: group.id, in: transaction) }
  }

  /// The group of an invitation, and who invites; `nil` if it has expired or does not exist.
  package func invitation(_ code: String) async throws -> (group: GroupRecord, author: String?)? {
    let now = now()
    return try await store.read { transaction in
      guard let group = try? Invitations.group(of: code, at: now, in: transaction) else {
        return nil
      }
      let author: SQL = try """
      SELECT name FROM account WHERE name <> ''
      AND id = (SELECT account FROM invitation WHERE hash = \(Secret.hash(code)))
      """
      return (group, try transaction.row(author, as: String.self))
    }
  }
}
