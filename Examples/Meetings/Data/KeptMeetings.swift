import Causeway
import CausewayData
import Foundation

/// The meetings of this device, in a database.
@MainActor struct KeptMeetings {
  /// The meetings that the features share.
  let shared: SharedValue<Meetings>
  private let store: ObservableStore<String, Meetings>

  static let migrations = [DatabaseBacking<String, Meetings>.migration(table: "kept")]

  /// Reads the meetings.
  ///
  /// - Throws: The error of the database, so a start that cannot read it does not overwrite it.
  static func open(in database: any PersistenceService) async throws -> KeptMeetings {
    let store = ObservableStore<String, Meetings>(
      backing: DatabaseBacking(database, table: "kept"))
    try await store.waitUntilLoaded()
    return KeptMeetings(
      shared: SharedValue(.samples, load: { store["all"] }, save: { store["all"] = $0 }),
      store: store)
  }

  /// Saves the changes that the store has not written yet.
  func save() async throws { try await store.flush() }

  func close() async throws { try await store.close() }
}

extension Meetings {
  /// The meetings of a first start.
  static var samples: Meetings {
    func people(_ names: String...) -> IdentifiedArray<Attendee.ID, Attendee> {
      .init(uniqueElements: names.map { Attendee(id: UUID(), name: $0) })
    }
    return [
      Meeting(
        id: UUID(), title: "Design", minutes: 10, colour: .coral,
        attendees: people("Ada", "Bashir", "Chiara")),
      Meeting(
        id: UUID(), title: "Morning round", minutes: 5, colour: .moss,
        attendees: people("Dario", "Ada")),
    ]
  }
}
