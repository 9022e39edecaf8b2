import CausewayAccounts
import CausewayData
import CausewayWeb
import Foundation
import HarborDomain

/// Membership in groups.
enum Groups {
  /// An account founds groups and leaves them.
  static let collection = Collection<GroupMutation>(
    name: "groups", quota: .groups, owner: "this account",
    removes: { if case .leave = $0 { true } else { false } }
  ) { change, transaction in
    switch change.mutation {
    case .found(let group):
      let name: String
      do {
        name = try PersonName(group.name).text
      } catch {
        throw Refusal("Give the group a name of 1 to 40 characters.")
      }
      let place = Place.group(group.id)
      let known: SQL = "SELECT 1 FROM member WHERE scope = \(place.scope)"
      guard name == group.name, try transaction.row(known, as: Int.self) == nil,
        UUID(uuidString: group.id) != nil
      else { throw Refusal("A group with this id or name cannot be founded.") }
      try add(change.account, to: group, in: transaction)
    case .leave(let id):
      let place = Place.group(id)
      try transaction.execute(
        "DELETE FROM member WHERE scope = \(place.scope) AND account = \(change.account)")
    }
  }

  /// Makes an account a member of a group.
  static func add(
    _ account: String, to group: GroupRecord, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO member (scope, account, name)
      VALUES (\(Place.group(group.id).scope), \(account), \(group.name)) ON CONFLICT DO NOTHING
      """)
  }

  /// Founds the first group of an account.
  static func foundSample(
    _ sample: SampleBoard?, by account: String, at now: Date, _ random: Secret.Source,
    in transaction: any WriteTransaction
  ) throws {
    let group = GroupRecord(id: Secret.makeID(random), name: "Our group")
    try add(account, to: group, in: transaction)
    try Records(place: .account(account), collection: collection.name)
      .put(Records.encoded(group), id: group.id, in: transaction)
    let records = Records(place: .group(group.id), collection: Rules.activities.name)
    for entry in sample?.entries ?? [] {
      let activity = Activity(
        id: Secret.makeID(random), details: entry.details, host: entry.host,
        participants: [entry.host] + entry.guests, created: now, updated: now, revision: 1)
      try records.put(
        Records.encoded(ActivityRecord(activity)), id: activity.id, in: transaction)
    }
  }
}

/// Invitations to groups.
extension Backend {
  private static let invitationTime: TimeInterval = 14 * 86_400

  private static var expired: Problem {
    .notFound("This invitation has expired. Ask for a new one.")
  }

  struct Invitation: Codable, Sendable {
    var code: String
  }

  func serveInvitations() {
    server.post("/groups/:place/invitations") { [self] request in
      let code = try await invite(
        to: request.parameters["place"] ?? "", as: try await identity(of: request))
      return try .json(Invitation(code: code), status: .created)
    }
    // A second acceptance has the same result, so this needs no idempotency key.
    server.post("/invitations/accept", body: Invitation.self) { [self] request, invitation in
      try await accept(invitation.code, as: try await identity(of: request))
    }
  }

  /// Makes an invitation to a group, and returns its code.
  func invite(to id: String, as identity: Identity) async throws -> String {
    try rates.count(upload: "invitation", by: identity.account)
    let now = now().timeIntervalSince1970
    let expiry = now + Self.invitationTime
    let code = Secret.make(random)
    try await store.write { [quotas] transaction in
      try identity.check(.group(id), in: transaction)
      try transaction.execute(
        "DELETE FROM invitation WHERE group_id = \(id) AND expiry <= \(now)")
      try quotas.check(
        .invitations, rows: "SELECT count(*) FROM invitation WHERE group_id = \(id)",
        "invitations to this group", in: transaction)
      try transaction.execute(
        """
        INSERT INTO invitation (hash, group_id, expiry)
        VALUES (\(Secret.hash(code)), \(id), \(expiry))
        """)
    }
    return code
  }

  /// Makes the account a member of the group of an invitation.
  func accept(_ code: String, as identity: Identity) async throws -> GroupRecord {
    try rates.countAcceptance(by: identity.account)
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length else { throw Self.expired }
    let now = now().timeIntervalSince1970
    return try await store.write { [quotas] transaction in
      let query: SQL = try """
      SELECT group_id AS id, member.name FROM invitation
      JOIN member ON member.scope = 'groups/' || group_id
      WHERE hash = \(Secret.hash(code)) AND expiry > \(now) LIMIT 1
      """
      guard let group = try transaction.row(query, as: GroupRecord.self) else {
        throw Self.expired
      }
      let records = Records(
        place: .account(identity.account), collection: Groups.collection.name)
      let body = try Records.encoded(group)
      let known = try records.body(of: group.id, in: transaction)
      if known == nil {
        let scope = Place.group(group.id).scope
        try quotas.check(
          .members, rows: "SELECT count(*) FROM member WHERE scope = \(scope)",
          "members of this group", in: transaction)
        try quotas.check(
          .groups, rows: "SELECT count(*) FROM member WHERE account = \(identity.account)",
          "groups of this account", in: transaction)
      }
      try Groups.add(identity.account, to: group, in: transaction)
      if known != body {
        try records.put(body, id: group.id, in: transaction)
      }
      return group
    }
  }
}
