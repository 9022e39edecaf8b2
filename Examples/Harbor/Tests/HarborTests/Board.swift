import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import HarborDomain

/// A board on a device without a connection, with its own store and a fixed time.
struct Board: Sendable {
  /// 9 May 2026, 10:40:00 UTC, a Saturday.
  static let now = Date(timeIntervalSince1970: 1_778_323_200)

  let store: any PersistenceService
  let activities: ActivityRepository
  let names: BrowserName
  let ana: PersonName
  let ben: PersonName

  init(path: String? = nil) async throws {
    if let path {
      store = try await SQLiteService(path: path, migrations: HarborTables.migrations)
    } else {
      store = try InMemoryPersistenceService(migrations: HarborTables.migrations)
    }
    activities = ActivityRepository(
      group: "test", network: ScriptedNetworkService(),
      outbox: Outbox(persistence: store, session: SessionService(account: "test")),
      now: { Self.now })
    names = BrowserName(NameRepository(store: store), browser: "test")
    ana = try PersonName("Ana")
    ben = try PersonName("Ben")
  }

  func details(
    _ title: String, place: String = "", notes: String = "", hours: Double = 3
  ) throws -> ActivityDetails {
    try ActivityDraft(
      title: title, place: place, notes: notes, start: Self.now.addingTimeInterval(hours * 3_600)
    ).validated(at: Self.now)
  }

  @discardableResult
  func create(
    _ title: String, place: String = "", notes: String = "", hours: Double = 3
  ) async throws -> Activity {
    try await activities.create(
      details(title, place: place, notes: notes, hours: hours), host: ana)
  }

  /// The current board.
  func list() async throws -> [Activity] {
    for try await activities in activities.activities() { return Array(activities) }
    return []
  }
}
