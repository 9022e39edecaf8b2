public import Foundation

/// An activity as databases store it and as servers and devices exchange it.
///
/// Dates are seconds since 1970, so JSON and SQLite keep them exactly.
public struct ActivityRecord: Codable, Equatable, Sendable, Identifiable {
  /// The id, chosen by the device that creates the activity.
  public var id: String
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
  /// The name of the host.
  public var host: String
  /// The names of the participants, in the order in which they joined.
  public var participants: [String]
  /// The date of its creation, in seconds since 1970.
  public var created: TimeInterval
  /// The date of the last change of its details, in seconds since 1970.
  public var updated: TimeInterval
  /// The number of changes of its details.
  public var revision: Int

  /// Makes the record of an activity.
  public init(_ activity: Activity) {
    id = activity.id
    let text = ActivityText(activity.details)
    (title, place, notes) = (text.title, text.place, text.notes)
    (start, finish) = (text.start, text.finish)
    host = activity.host.text
    participants = activity.participants.map(\.text)
    created = activity.created.timeIntervalSince1970
    updated = activity.updated.timeIntervalSince1970
    revision = activity.revision
  }

  /// The texts and the start.
  public var details: ActivityDetails {
    get {
      ActivityDetails(
        title: title, place: place, notes: notes, start: Date(stored: start),
        end: finish.map(Date.init(stored:)))
    }
    set {
      let text = ActivityText(newValue)
      (title, place, notes) = (text.title, text.place, text.notes)
      (start, finish) = (text.start, text.finish)
    }
  }

  /// The activity, with a mark if a change of it is pending.
  public func activity(isPending: Bool = false) -> Activity {
    Activity(
      id: id, details: details, host: PersonName(stored: host),
      participants: participants.map(PersonName.init(stored:)),
      created: Date(stored: created), updated: Date(stored: updated),
      revision: revision, isPending: isPending)
  }

  /// The host and the participants.
  package var people: [PersonName] { ([host] + participants).map(PersonName.init(stored:)) }

  /// Whether a person with this name takes part.
  ///
  /// Complexity: O(*n*) in the number of participants.
  package func includes(_ person: PersonName) -> Bool {
    participants.contains { PersonName(stored: $0) == person }
  }

  /// The record after a person has got another name.
  ///
  /// Complexity: O(*n*) in the number of participants.
  package func renaming(_ old: PersonName, to new: PersonName) -> ActivityRecord {
    var record = self
    if PersonName(stored: host) == old { record.host = new.text }
    var known: Set<PersonName> = []
    record.participants = participants.map { PersonName(stored: $0) == old ? new.text : $0 }
      .filter { known.insert(PersonName(stored: $0)).inserted }
    return record
  }

  /// The revisions that the server accepts in a new record.
  package static let revisions = 1...Int(Int32.max)

  /// The revision after a change of the details.
  ///
  /// Revisions are only compared for equality. So they may begin again after the largest number,
  /// and after a number outside of the range.
  static func revision(after revision: Int) -> Int {
    revisions.contains(revision) && revision < revisions.upperBound
      ? revision + 1 : revisions.lowerBound
  }
}
