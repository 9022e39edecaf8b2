public import Foundation

/// Something that a group does at a place and a time, with its participants.
public struct Activity: Identifiable, Sendable, Equatable {
  /// The id, which is the same on every device and never changes.
  public let id: String
  /// The title, place, notes and start.
  public var details: ActivityDetails
  /// The person who put it on the board.
  public var host: PersonName
  /// The people who come, in the order in which they joined.
  public var participants: [PersonName]
  /// The date when it was put on the board.
  public var created: Date
  /// The date of the last change of its details.
  public var updated: Date
  /// The number of changes of its details.
  ///
  /// An edit names the revision that it is based on.
  public var revision: Int
  /// Whether the device has changes of the activity that the server does not have yet.
  public var isPending: Bool

  /// Makes an activity from its parts.
  public init(
    id: String, details: ActivityDetails, host: PersonName, participants: [PersonName],
    created: Date, updated: Date, revision: Int, isPending: Bool = false
  ) {
    (self.id, self.details, self.host, self.participants) = (id, details, host, participants)
    (self.created, self.updated, self.revision) = (created, updated, revision)
    self.isPending = isPending
  }

  /// Whether an activity comes first on a board: by its start, then by its title.
  ///
  /// It compares single members, because copying each activity takes most of the time.
  package static func precedes(_ left: borrowing Activity, _ right: borrowing Activity) -> Bool {
    let (start, other) = (left.details.start, right.details.start)
    if start != other { return start < other }
    return (left.details.title, left.id) < (right.details.title, right.id)
  }

  /// Whether both are equal and spell all names in the same way.
  ///
  /// Complexity: O(*n*) in the number of participants.
  public func isIdentical(to other: Activity) -> Bool {
    self == other && host.text == other.host.text
      && participants.elementsEqual(other.participants) { $0.text == $1.text }
  }

  /// Whether a person with this name takes part.
  ///
  /// Complexity: O(*n*) in the number of participants.
  public func includes(_ person: PersonName?) -> Bool {
    guard let person else { return false }
    return participants.contains { $0.key == person.key }
  }
}
