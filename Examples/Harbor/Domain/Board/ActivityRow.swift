import Foundation

/// An activity as a row of the store.
///
/// Its participants are in another table.
struct ActivityRow: Codable, Equatable, Sendable {
  var id: String
  var title: String
  var place: String?
  var notes: String?
  var start: Date
  var host: String
  var created: Date
  var updated: Date
  var revision: Int

  init(_ activity: Activity) {
    id = activity.id
    title = activity.details.title
    place = activity.details.place
    notes = activity.details.notes
    start = activity.details.start
    host = activity.host.text
    created = activity.created
    updated = activity.updated
    revision = activity.revision
  }

  func activity(participants: [String]) -> Activity {
    Activity(
      id: id,
      details: ActivityDetails(title: title, place: place, notes: notes, start: start),
      host: PersonName(stored: host), participants: participants.map(PersonName.init(stored:)),
      created: created, updated: updated, revision: revision)
  }
}

/// A participant of an activity as a row of the store.
struct ParticipationRow: Codable, Equatable, Sendable {
  var activityID: String
  /// The comparable form of the name; unique within an activity.
  var key: String
  var name: String
  var joined: Date

  private enum CodingKeys: String, CodingKey {
    case activityID = "activity_id"
    case key, name, joined
  }
}

/// A row of the list: an activity and its participants' names, in one consistent read.
struct BoardRow: Decodable, Equatable, Sendable {
  var row: ActivityRow
  /// The names, which the query collects into a JSON array.
  var participants: [String]

  private enum CodingKeys: CodingKey { case participants }

  init(from decoder: any Decoder) throws {
    row = try ActivityRow(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    participants = try columns.decode([String].self, forKey: .participants)
  }

  var activity: Activity { row.activity(participants: participants) }
}
