public import CausewayData
public import Foundation

/// A change of an activity.
///
/// A device applies it at once, and the server applies it when it arrives, with the same code. The
/// order of arrival at the server decides between concurrent changes. An edit changes only the
/// fields that its user has changed. If two people changed the same field, the later arrival wins.
/// Changes of different fields are both kept, and joins and leaves never conflict.
public enum ActivityMutation: Mutation, Equatable {
  /// Puts an activity on the board.
  case create(ActivityRecord)
  /// Changes the fields that differ between the two texts.
  case edit(id: String, from: ActivityText, to: ActivityText, at: TimeInterval)
  /// Adds a participant.
  case join(id: String, person: String)
  /// Removes a participant.
  case leave(id: String, person: String)
  /// Takes an activity off the board.
  case delete(id: String)

  /// The activity's id.
  public var recordID: String {
    switch self {
    case .create(let record): record.id
    case .edit(let id, _, _, _), .join(let id, _), .leave(let id, _), .delete(let id): id
    }
  }

  /// A noun for lists of changes, with the title if the change contains it.
  public var kind: String {
    switch self {
    case .create(let record): "New activity “\(record.title)”"
    case .edit(_, let old, _, _): "Edit of “\(old.title)”"
    case .join: "Join"
    case .leave: "Leave"
    case .delete: "Delete"
    }
  }

  /// Applies the change.
  ///
  /// A deleted activity stays deleted.
  public func apply(to record: inout ActivityRecord?) {
    switch self {
    case .create(let created):
      record = created
    case .edit(_, let old, let new, let date):
      guard var edited = record else { return }
      if new.title != old.title { edited.title = new.title }
      if new.place != old.place { edited.place = new.place }
      if new.notes != old.notes { edited.notes = new.notes }
      if new.start != old.start { edited.start = new.start }
      if new.finish != old.finish { edited.finish = new.finish }
      // The end may not fit the start: another person, or a device without ends, can have moved the
      // start. An edit can also name a start that is not the stored one.
      if let end = edited.finish, !ActivityDraft.lengths.contains(end - edited.start) {
        edited.finish = nil
      }
      edited.updated = date
      edited.revision = ActivityRecord.revision(after: edited.revision)
      record = edited
    case .join(_, let person):
      let name = PersonName(stored: person)
      if record?.participants.contains(where: { PersonName(stored: $0) == name }) == false {
        record?.participants.append(person)
      }
    case .leave(_, let person):
      let name = PersonName(stored: person)
      record?.participants.removeAll { PersonName(stored: $0) == name }
    case .delete:
      record = nil
    }
  }
}

/// The fields of an activity that an edit can change.
public struct ActivityText: Codable, Equatable, Sendable {
  /// The title.
  public var title: String
  /// The place, or `nil`.
  public var place: String?
  /// The notes, or `nil`.
  public var notes: String?
  /// The start, in seconds since 1970.
  public var start: TimeInterval
  /// The end, in seconds since 1970, or `nil`; earlier versions do not send it.
  public var finish: TimeInterval?

  /// Makes the fields of these details.
  public init(_ details: ActivityDetails) {
    title = details.title
    place = details.place
    notes = details.notes
    start = details.start.timeIntervalSince1970
    finish = details.end?.timeIntervalSince1970
  }

  /// The same text as details, which are not validated.
  package var details: ActivityDetails {
    ActivityDetails(
      title: title, place: place, notes: notes, start: Date(stored: start),
      end: finish.map(Date.init(stored:)))
  }
}
