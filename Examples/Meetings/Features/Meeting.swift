import Causeway
import Foundation

/// A meeting that takes place again and again.
struct Meeting: Codable, Equatable, Identifiable, Sendable {
  enum Colour: String, CaseIterable, Codable, Sendable {
    case coral, gold, moss, slate, teal
  }

  let id: UUID
  var title = ""
  var minutes = 10
  var colour = Colour.teal
  var attendees = IdentifiedArray<Attendee.ID, Attendee>()

  /// How long a meeting can be.
  static let lengths = 5...60

  var seconds: Int { minutes * 60 }
  /// How long each attendee may speak.
  var secondsEach: Int { max(1, seconds / max(1, attendees.count)) }
}

/// The name of a person who attends a meeting.
struct Attendee: Codable, EditableState, Equatable, Identifiable {
  let id: UUID
  var name = ""

  static let editableFields = [EditableField<Self>("name", \.name)]
}

/// All meetings, in the order in which they were added.
typealias Meetings = IdentifiedArray<Meeting.ID, Meeting>
