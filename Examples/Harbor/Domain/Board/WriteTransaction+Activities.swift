import CausewayData
import Foundation

extension WriteTransaction {
  /// The activity with this id and its participants, or `nil`.
  func activity(_ id: Activity.ID) throws -> Activity? {
    let row = try row("SELECT * FROM activity WHERE id = \(id)", as: ActivityRow.self)
    let names = try rows(
      "SELECT name FROM participation WHERE activity_id = \(id) ORDER BY joined, rowid",
      as: String.self)
    return row?.activity(participants: names)
  }

  /// Stores a new activity and its participants.
  func insert(_ activity: Activity) throws {
    try insert(ActivityRow(activity), into: "activity")
    try add(activity.participants, to: activity.id, at: activity.created)
  }

  /// Adds people as participants who are not participants yet.
  func add(_ people: [PersonName], to id: Activity.ID, at date: Date) throws {
    let rows = people.map { person in
      ParticipationRow(activityID: id, key: person.key, name: person.text, joined: date)
    }
    try insert(rows, into: "participation")
  }
}
