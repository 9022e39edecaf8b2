import CausewayData

/// The recordings of a server.
///
/// A database keeps what was read, so the app can show it again without the server.
struct ServerArchive: RecordingArchive {
  static let migrations = [
    Migration(
      "create page",
      """
      CREATE TABLE page (
        meeting TEXT NOT NULL, cursor INTEGER NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (meeting, cursor)) STRICT
      """),
    Migration(
      "create recording",
      """
      CREATE TABLE recording (
        id TEXT PRIMARY KEY, date REAL NOT NULL, transcript TEXT NOT NULL) STRICT
      """),
  ]

  /// A page as it was read, with the cursor that leads to it.
  private struct StoredPage: Codable {
    var meeting: Meeting.ID
    var cursor: RecordingPage.Cursor
    var content: RecordingPage
  }

  let reader: DataReader
  let writer: DataWriter

  init(network: any NetworkService, store: any PersistenceService) {
    let reader = DataReader(network: network, persistence: store)
    self.reader = reader
    // The writer tells the reader what is out of date.
    writer = DataWriter(network: network, persistence: store, freshness: reader.freshness)
  }

  func page(
    of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
  ) async throws -> RecordingPage {
    let operation = ReadOperation<RecordingPage, RecordingPage>(
      Endpoint(.get, Self.path(meeting), query: [.init("before", "\(cursor)")]),
      tags: [Self.tag(meeting)]
    ) { transaction in
      try transaction.row(
        "SELECT * FROM page WHERE meeting = \(meeting) AND cursor = \(cursor)",
        as: StoredPage.self)?.content
    } store: { page, transaction in
      try transaction.upsert(
        StoredPage(meeting: meeting, cursor: cursor, content: page), into: "page",
        key: ["meeting", "cursor"])
      return page
    }
    return try await reader.read(operation, policy: isNew ? .networkOnly : .cacheFirst).get()
  }

  func recording(_ id: Recording.ID, of meeting: Meeting.ID) async throws -> Recording {
    // The operation has no tags, because a recording never changes: a stored recording is never out
    // of date.
    let operation = ReadOperation<Recording, Recording>(
      Endpoint(.get, Self.path(meeting, id)), tags: []
    ) { transaction in
      try transaction.row("SELECT * FROM recording WHERE id = \(id)", as: Recording.self)
    } store: { recording, transaction in
      try transaction.upsert(recording, into: "recording")
      return recording
    }
    return try await reader.read(operation).get()
  }

  func keep(_ recording: Recording, of meeting: Meeting.ID) async throws {
    try await writer.write(
      WriteOperation(
        .put, Self.path(meeting, recording.id), body: recording, invalidates: [Self.tag(meeting)])
    ).get()
  }

  func removeAll(of meeting: Meeting.ID) async throws {
    try await writer.write(
      WriteOperation(.delete, Self.path(meeting), invalidates: [Self.tag(meeting)])
    ).get()
  }

  private static func tag(_ meeting: Meeting.ID) -> DataTag { "recordings of \(meeting)" }

  private static func path(_ meeting: Meeting.ID) -> NetworkPath {
    "/meetings/\(meeting)/recordings"
  }

  private static func path(_ meeting: Meeting.ID, _ id: Recording.ID) -> NetworkPath {
    "/meetings/\(meeting)/recordings/\(id)"
  }
}
