import CSQLiteFloor
import CausewayData
import CausewaySQLite
import Foundation

/// A service and the floor, each with its own file and the same tables.
final class Database {
  let service: SQLiteService
  let floor: UnsafeMutableRawPointer
  private let directory: URL

  static let migrations = [
    Migration(
      "create",
      """
      CREATE TABLE bulk (
        id INTEGER PRIMARY KEY, name TEXT, place TEXT, start REAL, length REAL, isOpen INTEGER,
        seats INTEGER, note TEXT, host INTEGER, state TEXT);
      CREATE TABLE single (id INTEGER PRIMARY KEY, name TEXT, size REAL);
      """)
  ]

  init() async throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let own = directory.appending(path: "own.sqlite").path
    let floors = directory.appending(path: "floor.sqlite").path
    // A service also makes the floor's tables.
    try await SQLiteService(path: floors, migrations: Self.migrations).close()
    service = try await SQLiteService(
      path: own, migrations: Self.migrations, configuration: .init(synchronous: .normal))
    guard let floor = causeway_floor_open(floors) else { throw CocoaError(.fileReadUnknown) }
    self.floor = floor
  }

  func close() async throws {
    try await service.close()
    causeway_floor_close(floor)
    try FileManager.default.removeItem(at: directory)
  }
}

/// A row as in an app.
struct Activity: Codable, Equatable, Sendable {
  var id: Int
  var name: String
  var place: String
  var start: Double
  var length: Double
  var isOpen: Bool
  var seats: Int
  var note: String?
  var host: Int
  var state: String

  init(_ id: Int) {
    self.id = id
    name = "activity number \(id)"
    place = "a place by the harbour"
    start = Double(id) * 0.5
    length = 12.25
    isOpen = id % 2 == 1
    seats = id * 3
    note = id % 4 == 0 ? nil : "short note"
    host = 7
    state = "open"
  }
}

/// A row of numbers and short texts.
struct Berth: Codable, Equatable, Sendable {
  var id: Int
  var name: String
  var size: Double
}
