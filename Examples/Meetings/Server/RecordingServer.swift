import CausewayData
import CausewayWeb
import Foundation

/// The server of the recordings.
struct RecordingServer: Sendable {
  static let migrations = [
    // The number is the order of the first arrival. It never changes, so it leads to the next page
    // even if recordings were added or removed meanwhile.
    Migration(
      "create recording",
      """
      CREATE TABLE recording (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, meeting TEXT NOT NULL,
        date REAL NOT NULL, transcript TEXT NOT NULL, UNIQUE (meeting, id)) STRICT
      """)
  ]

  static let pageLength = 10

  private struct Row: Decodable {
    var number: RecordingPage.Cursor
    var id: UUID
    var date: Date
  }

  let store: any PersistenceService

  func serve(on server: WebServer) {
    server.get("/meetings/:meeting/recordings") { request in
      let meeting = try Self.id("meeting", in: request)
      guard let cursor = RecordingPage.Cursor(request.query("before") ?? "") else {
        throw Problem.badRequest("\"before\" is not a number.")
      }
      return try .json(await page(of: meeting, before: cursor))
    }
    server.get("/meetings/:meeting/recordings/:id") { request in
      let (meeting, id) = (try Self.id("meeting", in: request), try Self.id("id", in: request))
      let recording = try await store.read {
        try $0.row(
          "SELECT id, date, transcript FROM recording WHERE meeting = \(meeting) AND id = \(id)",
          as: Recording.self)
      }
      guard let recording else { throw Problem.notFound("There is no such recording.") }
      return try .json(recording)
    }
    server.put("/meetings/:meeting/recordings/:id") { request in
      let (meeting, id) = (try Self.id("meeting", in: request), try Self.id("id", in: request))
      let recording = try request.decode(Recording.self)
      guard recording.id == id else { throw Problem.badRequest("The body has another id.") }
      try await keep(recording, of: meeting)
      return .empty()
    }
    server.delete("/meetings/:meeting/recordings") { request in
      let meeting = try Self.id("meeting", in: request)
      try await store.write { try $0.execute("DELETE FROM recording WHERE meeting = \(meeting)") }
      return .empty()
    }
  }

  private static func id(_ name: String, in request: Request) throws -> UUID {
    guard let id = request.parameters[name].flatMap(UUID.init) else {
      throw Problem.badRequest("The \(name) of the address is not a UUID.")
    }
    return id
  }

  private func page(
    of meeting: Meeting.ID, before cursor: RecordingPage.Cursor
  ) async throws -> RecordingPage {
    // One row more than a page shows whether there is another page.
    let rows = try await store.read {
      try $0.rows(
        """
        SELECT number, id, date FROM recording WHERE meeting = \(meeting) AND number < \(cursor)
        ORDER BY number DESC LIMIT \(Self.pageLength + 1)
        """, as: Row.self)
    }
    let page = rows.prefix(Self.pageLength)
    return RecordingPage(
      rows: page.map { RecordingRow(id: $0.id, date: $0.date) },
      next: rows.count > page.count ? page.last?.number : nil)
  }

  /// Keeps a recording once, however often it arrives.
  private func keep(_ recording: Recording, of meeting: Meeting.ID) async throws {
    try await store.write {
      try $0.execute(
        """
        INSERT INTO recording (id, meeting, date, transcript)
        VALUES (\(recording.id), \(meeting), \(recording.date), \(recording.transcript))
        ON CONFLICT (meeting, id) DO UPDATE
        SET date = excluded.date, transcript = excluded.transcript
        """)
    }
  }
}
