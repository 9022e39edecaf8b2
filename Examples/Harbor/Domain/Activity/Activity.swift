public import Foundation

/// Something that a group does at a place and a time, and who comes along.
public struct Activity: Identifiable, Sendable, Equatable {
  /// The id, which is the same on every device and never changes.
  public let id: String
  /// The title, place, notes and start.
  public var details: ActivityDetails
  /// Who put it on the board.
  public var host: PersonName
  /// Who comes, in the order in which they joined.
  public var participants: [PersonName]
  /// When it was put on the board.
  public var created: Date
  /// When its details last changed.
  public var updated: Date
  /// How often its details have changed; an edit names the revision that it is based on.
  public var revision: Int

  /// Puts an activity together from its parts.
  public init(
    id: String, details: ActivityDetails, host: PersonName, participants: [PersonName],
    created: Date, updated: Date, revision: Int
  ) {
    self.id = id
    self.details = details
    self.host = host
    self.participants = participants
    self.created = created
    self.updated = updated
    self.revision = revision
  }

  /// Whether a person of that name comes.
  ///
  /// Complexity: O(*n*) in the number of participants.
  public func includes(_ person: PersonName?) -> Bool {
    guard let person else { return false }
    return participants.contains { $0.key == person.key }
  }
}
