import CausewayData
import Foundation
import HarborDomain

/// The rules for the changes that devices send.
///
/// A device checks typed texts by the same rules before it stores a change. The server checks them
/// again, because any program can send a request. Only the server can check rules about the data of
/// other devices, for example that the name of a link is unique.
enum Rules {
  /// Members may change their own activities, and organisers all.
  ///
  /// Everybody joins and leaves under a name of the own account.
  static let activities = Collection<ActivityMutation>(
    name: "activities", quota: .activities, owner: "this group",
    removes: { if case .delete = $0 { true } else { false } }
  ) { change, _ in
    switch change.mutation {
    case .create(let record):
      guard change.record == nil else { throw Refusal("There is an activity with this id.") }
      guard record.participants.count <= 1_000 else { throw Refusal("Too many people come.") }
      guard ActivityRecord.revisions.contains(record.revision) else {
        throw Refusal("The revision of the activity is not possible.")
      }
      try check(record.details, at: change.date)
      try check([record.start, record.created, record.updated], at: change.date)
      for name in record.participants + [record.host] { try check(name) }
    case .edit(_, let old, let text, let date):
      guard change.record != nil else { throw gone }
      // An edit of the texts is possible even if the stored start is not.
      let keepsStart = old.start == text.start
      try check(text.details, keeping: keepsStart ? text.details.start : nil, at: change.date)
      try check(keepsStart ? [date] : [text.start, date], at: change.date)
    case .join(_, let person):
      guard let record = change.record else { throw gone }
      guard record.participants.count < 1_000 else { throw Refusal("Too many people come.") }
      try check(person)
    case .leave, .delete:
      break
    }
  } permission: { change, transaction in
    let (account, place) = (change.account, change.place)
    switch change.mutation {
    case .create(let record): return [record.host] + record.participants
    case .join(_, let name): return [name]
    case .leave(_, let name): try Names.check(name, of: account, at: place, in: transaction)
    case .edit, .delete:
      guard let record = change.record else { return [] }
      try Members.check(account, mayChange: record, at: place, in: transaction)
    }
    return []
  } effect: { change, record, transaction in
    try ActivityNotices.note(change, record, in: transaction)
  }

  private static let gone = Refusal("This activity was taken off the board.")

  private static func check(_ dates: [TimeInterval], at now: Date) throws {
    guard dates.allSatisfy(StoredDate.accepted(at: now).contains) else {
      throw Refusal("A date is not possible. Check the year, and the clock of the device.")
    }
  }

  /// Checks typed texts, and that the start is not too far in the future.
  ///
  /// A start in the past is accepted, because a change can arrive long after it was made.
  private static func check(
    _ details: ActivityDetails, keeping kept: Date? = nil, at now: Date
  ) throws {
    let draft = ActivityDraft(
      title: details.title, place: details.place ?? "", notes: details.notes ?? "",
      start: details.start, end: details.end)
    let checked = try draft.validated(at: min(now, details.start), keeping: kept)
    guard checked == details else { throw Refusal("The text has surplus white space.") }
  }

  private static func check(_ name: String) throws {
    guard try NameRule(name).name.text == name else {
      throw Refusal("The name has surplus white space.")
    }
  }

  /// Members may set the pictures of their own names, and of names that belong to nobody.
  ///
  /// Each picture belongs to one person.
  static let people = Collection<PersonMutation>(
    name: "people", quota: .people, owner: "this group",
    // The comparable form of a name can need more bytes than the name.
    longestID: 2_000,
    removes: { if case .setPicture(_, nil) = $0 { true } else { false } },
    cost: { if case .rename = $0 { renameCost } else { 1 } }
  ) { change, transaction in
    let (name, picture) =
      switch change.mutation {
      case .setPicture(let name, let picture): (name, picture)
      case .rename(_, let name): (name, nil)
      }
    try check(name)
    guard let picture, case .group(let group) = change.place else { return }
    guard try Pictures.mayUse(picture, of: change.mutation.recordID, in: group, transaction) else {
      throw Refusal("The server does not have this picture. Choose it again.")
    }
  } permission: { change, transaction in
    let (account, place) = (change.account, change.place)
    switch change.mutation {
    case .setPicture(let name, let picture):
      try Names.check(name, of: account, at: place, in: transaction)
      if picture != nil {
        try NameRule(name).check(for: account, at: place, in: transaction)
      }
      return []
    case .rename(let old, let new):
      try Names.check(old, of: account, at: place, in: transaction)
      return [new]
    }
  } effect: { change, record, transaction in
    guard case .group(let group) = change.place else { return }
    switch change.mutation {
    case .setPicture(_, let picture):
      try Pictures.use(picture, of: change.mutation.recordID, in: group, transaction)
    case .rename(let old, let new):
      // A name that belongs to nobody keeps its record.
      guard try Names.replace(old, by: new, of: change.account, at: change.place, in: transaction)
      else { return record = change.record }
    }
  }

  /// A rename reads all activities of a group.
  ///
  /// A request of a hundred renames stays within the standard limit, so no device waits forever.
  static let renameCost = 6

  /// The name of a link is unique on the server.
  static let links = Collection<LinkMutation>(
    name: "links", quota: .links, owner: "this account",
    removes: { if case .remove = $0 { true } else { false } }
  ) { change, transaction in
    guard case .add(let link) = change.mutation else { return }
    try check([link.created], at: change.date)
    let checked = try LinkDraft(name: link.id, target: link.target).validated(at: .distantPast)
    guard checked.id == link.id else { throw LinkProblem.name }
    guard checked.target == link.target else { throw LinkProblem.target }
    let taken: SQL = """
      SELECT 1 FROM record WHERE collection = 'links' AND id = \(link.id) AND body IS NOT NULL
      """
    guard try transaction.row(taken, as: Int.self) == nil else {
      throw Refusal("The name “\(link.id)” is taken. Choose another name.")
    }
  }
}
