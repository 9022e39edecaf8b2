import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain

/// Membership in groups.
enum Groups {
  /// An account founds groups and leaves them.
  static let collection = Collection<GroupMutation>(
    name: "groups", quota: .groups, owner: "this account",
    removes: { if case .leave = $0 { true } else { false } }
  ) { change, transaction in
    guard case .found(let group) = change.mutation else { return }
    let name = try NameRule.ofGroup(group.name)
    let place = Place.group(group.id)
    let known: SQL = "SELECT 1 FROM member WHERE scope = \(place.scope)"
    guard name == group.name, try transaction.row(known, as: Int.self) == nil,
      UUID(uuidString: group.id) != nil
    else { throw Refusal("A group with this id or name cannot be founded.") }
  } permission: { change, transaction in
    guard case .found(let group) = change.mutation else { return [] }
    // Everybody has left the group, but its activities remain. A stranger who knows the id must not
    // get the activities by founding the group again.
    let used: SQL = "SELECT 1 FROM feed WHERE scope = \(Place.group(group.id).scope) LIMIT 1"
    if try transaction.row(used, as: Int.self) != nil {
      throw Refusal("This group has ended. Start a new one.")
    }
    return []
  } effect: { change, _, transaction in
    switch change.mutation {
    case .found(let group): try Members.add(change.account, to: group, in: transaction)
    case .leave(let id): try Members.remove(change.account, from: id, in: transaction)
    }
  }

  /// Founds the first group of an account.
  static func foundSample(
    _ sample: SampleBoard?, by account: String, at now: Date, _ random: Secret.Source,
    in transaction: any WriteTransaction
  ) throws {
    let group = GroupRecord(id: Secret.makeID(random), name: "Our group")
    try Members.add(account, to: group, in: transaction)
    try Records(place: .account(account), collection: collection.name)
      .put(Records.encoded(group), id: group.id, in: transaction)
    let records = Records(place: .group(group.id), collection: Rules.activities.name)
    for entry in sample?.entries ?? [] {
      let activity = Activity(
        id: Secret.makeID(random), details: entry.details, host: entry.host,
        participants: [entry.host] + entry.guests, created: now, updated: now, revision: 1)
      try records.put(Records.encoded(ActivityRecord(activity)), id: activity.id, in: transaction)
    }
  }
}
