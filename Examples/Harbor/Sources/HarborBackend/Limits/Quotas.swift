import CausewayData
import CausewayWeb

/// A limit of what an account or a group may send in a minute or store in all.
///
/// The raw value is the name of the limit on the command line.
public enum Quota: String, CaseIterable, Sendable {
  /// Changes that an account may send in a minute.
  case changes = "changes-per-minute"
  /// Changes that all members of a group together may send in a minute.
  case groupChanges = "group-changes-per-minute"
  /// Feedbacks, pictures or invitations that an account may send in a minute, each.
  case uploads = "uploads-per-minute"
  /// Activities of a group.
  case activities
  /// People of a group with a picture.
  case people
  /// Members of a group.
  case members
  /// Invitations of a group that have not expired.
  case invitations
  /// Names of an account on the board of a group.
  case names
  /// Groups of an account.
  case groups
  /// Short links of an account.
  case links
  /// Stored pictures of an account.
  case pictures
  /// Feedbacks of an account.
  case feedback
  /// Devices of an account that are signed in; the oldest is signed out for a new one.
  case devices
  /// Stored receipts of an account's requests; the oldest are removed.
  case receipts
  /// Accounts of the backend.
  case accounts
}

/// The limits of a backend.
///
/// The process counts the limits by the minute. The transaction of a change counts the stored rows.
/// `harbor import` is not limited.
public struct Quotas: Sendable, Equatable {
  private var changed: [Quota: Int] = [:]

  /// Limits that a club of hundreds of people does not reach.
  public init() {}

  /// The value of a limit.
  public subscript(quota: Quota) -> Int {
    get { changed[quota] ?? Self.standard(quota) }
    set { changed[quota] = newValue }
  }

  /// The default of a limit.
  private static func standard(_ quota: Quota) -> Int {
    switch quota {
    case .changes: 600
    case .groupChanges: 6_000
    case .uploads, .names: 20
    case .activities, .people: 2_000
    case .members: 1_000
    case .invitations, .devices: 100
    case .groups, .pictures: 50
    case .links: 500
    case .feedback: 200
    case .receipts: 20_000
    case .accounts: 10_000
    }
  }

  /// Throws if there is no room for another record.
  ///
  /// Call it in the transaction that adds the record, so that no other change comes in between.
  ///
  /// - Parameters:
  ///   - count: The number of stored records.
  ///   - what: The records and their owner, such as "activities of this group".
  func check(_ quota: Quota, count: Int, _ what: String) throws(Refusal) {
    guard count >= self[quota] else { return }
    throw Refusal(
      "There is no room for more \(what): the limit is \(self[quota]). Remove some, or ask the "
        + "people who run the server.")
  }

  /// The same check for a request that is not a synchronised change.
  ///
  /// - Throws: A `Problem` with status 403, because a repeated request would fail too.
  func check(
    _ quota: Quota, rows query: SQL, _ what: String, in transaction: any ReadTransaction
  ) throws {
    do {
      try check(quota, count: try transaction.row(query, as: Int.self) ?? 0, what)
    } catch let refusal as Refusal {
      throw Problem(.forbidden, code: "limit-reached", detail: refusal.description)
    }
  }
}
