import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// A table filled by an earlier version of the app gets a column.
@Suite(.timeLimit(.minutes(10)))
struct AddedColumnTests {
  /// The table of the earlier version: notes without a place.
  private static let old =
    Outbox.migrations + [
      notes.migration(columns: "id TEXT NOT NULL, title TEXT NOT NULL, stars INTEGER NOT NULL")
    ]
  private static let new = old + [notes.migration(adding: "place TEXT")]

  /// The earlier version's data: two notes of version 2, in two scopes, and a pending star.
  private func makeFile() async throws -> String {
    let path = NSTemporaryDirectory() + "column-\(UUID().uuidString).sqlite"
    let service = try await SQLiteService(path: path, migrations: Self.old)
    let star = try JSONEncoder().encode(NoteMutation.star(id: "a"))
    try await service.write { transaction in
      for scope in ["all", "other"] {
        try transaction.execute(
          """
          INSERT INTO note_base VALUES ('local', \(scope), 1, 0, 'a', 'A', 1),
            ('local', \(scope), 1, 0, 'b', 'B', 0)
          """)
        try transaction.execute("INSERT INTO sync_cursor VALUES ('local', 'note', \(scope), 2, 1)")
      }
      try transaction.execute("INSERT INTO sync_cursor VALUES ('local', 'task', 'all', 2, 1)")
      try transaction.execute(
        "INSERT INTO note_overlay VALUES ('local', 'all', 0, 0, 'a', 'A', 2)")
      try transaction.execute(
        """
        INSERT INTO sync_outbox (key, account, collection, scope, kind, entity, payload, created)
        VALUES ('k', 'local', 'note', 'all', 'star', 'a', \(star), 0)
        """)
    }
    try await service.close()
    return path
  }

  private let a = Note(id: "a", title: "A", stars: 1, place: "Rome")
  private let b = Note(id: "b", title: "B", place: "Oslo")

  @Test func `an edit after the migration shows the column that an earlier pending edit set`()
    async throws
  {
    let path = try await makeFile()
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The earlier version stored the edit without its new column.
    let old = try await SQLiteService(path: path, migrations: Self.old)
    let write = try JSONEncoder().encode(NoteMutation.write(a))
    try await old.write { try $0.execute("UPDATE sync_outbox SET payload = \(write)") }
    try await old.write { try $0.execute("UPDATE note_overlay SET stars = 1, syncRead = 1") }
    try await old.close()
    let desk = try await Desk(
      persistence: try await SQLiteService(path: path, migrations: Self.new))
    let engine = desk.engine()
    try await engine.perform(.star(id: "a"))
    let row = try #require(try await engine.rows(.cacheOnly).first)
    #expect(row.record == Note(id: "a", title: "A", stars: 2, place: "Rome"))
    try await desk.persistence.close()
  }

  @Test func `an added column is filled in unchanged records too`() async throws {
    let path = try await makeFile()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let desk = try await Desk(
      persistence: try await SQLiteService(path: path, migrations: Self.new))
    let engine = desk.engine()
    await desk.server.put(a, b)
    await desk.server.spoilReads(.fail(RemoteFailure(.unreachable)))

    // Without a connection the stored rows are still shown.
    #expect(
      try await engine.rows(.cacheFirst) == [
        Synced(Note(id: "a", title: "A", stars: 2), isPending: true),
        Synced(Note(id: "b", title: "B")),
      ])
    #expect(await desk.server.requests.isEmpty)
    await #expect(throws: RemoteFailure(.unreachable)) { try await engine.refresh() }

    try await engine.refresh()
    var starred = a
    starred.stars = 2
    #expect(
      try await engine.rows(.cacheOnly) == [Synced(starred, isPending: true), Synced(b)])
    // One request for each scope is enough.
    try await engine.refresh()
    #expect(await desk.server.requests == ["snapshot", "snapshot", "changes since 2"])
    await desk.server.put(a, b, scope: "other")
    let other = desk.engine("other")
    try await other.refresh()
    #expect(try await other.rows(.cacheOnly) == [Synced(a), Synced(b)])
    #expect(await desk.server.requests.last == "snapshot")
    try await desk.persistence.close()
  }

  @Test func `adding a second column keeps the pending request for all records`() async throws {
    let path = try await makeFile()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let more = Self.new + [notes.migration(adding: "colour TEXT NOT NULL DEFAULT 'red'")]
    let desk = try await Desk(persistence: try await SQLiteService(path: path, migrations: more))
    await desk.server.put(a, b)
    try await desk.engine().refresh()
    #expect(await desk.server.requests == ["snapshot"])
    let colours = try await desk.persistence.read {
      try $0.rows("SELECT colour FROM note WHERE syncScope = 'all'", as: String.self)
    }
    #expect(colours == ["red", "red"])
    // The cursor of another table did not change.
    let reads = try await desk.persistence.read {
      try $0.row("SELECT reads FROM sync_cursor WHERE collection = 'task'", as: Int.self)
    }
    #expect(reads == 1)
    try await desk.persistence.close()
  }
}
