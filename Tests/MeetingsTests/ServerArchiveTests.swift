import Causeway
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation
import Testing

@testable import meetings

@Suite(.timeLimit(.minutes(5)))
struct ServerArchiveTests {
  private let meeting = UUID.number(1)

  private func recording(_ number: UInt8) -> Recording {
    Recording(
      id: .number(number), date: Date(timeIntervalSince1970: Double(number)),
      transcript: "Talk \(number)")
  }

  private func withArchive(
    _ body: (ServerArchive, WebServer) async throws -> Void
  ) async throws {
    let server = WebServer(configuration: .init(port: 0))
    RecordingServer(store: try InMemoryPersistenceService(migrations: RecordingServer.migrations))
      .serve(on: server)
    let url = try #require(URL(string: try await server.start().url))
    let archive = ServerArchive(
      network: HTTPNetworkService(.init(address: url)),
      store: try InMemoryPersistenceService(migrations: ServerArchive.migrations))
    try await body(archive, server)
    await server.stop()
  }

  @Test func `a recording fits its table`() async throws {
    let store = try InMemoryPersistenceService(migrations: ServerArchive.migrations)
    let recording = Recording(id: UUID(), date: Date(), transcript: "Hello")
    #expect(try await store.problems(in: [TableCheck("recording", sample: recording)]) == [])
    try await store.close()
  }

  @Test func `recordings come back in pages, the newest first`() async throws {
    try await withArchive { archive, _ in
      for number in 1...12 { try await archive.keep(recording(UInt8(number)), of: meeting) }
      // The second attempt of a request whose answer was lost.
      try await archive.keep(recording(12), of: meeting)
      let first = try await archive.page(
        of: meeting, before: RecordingPage.newest, isNew: false)
      #expect(first.rows.map(\.id) == (3...12).reversed().map { .number($0) })
      let last = try await archive.page(
        of: meeting, before: try #require(first.next), isNew: false)
      #expect(last.rows.map(\.id) == [.number(2), .number(1)])
      #expect(last.next == nil)
      #expect(try await archive.recording(.number(3), of: meeting) == recording(3))

      try await archive.removeAll(of: meeting)
      #expect(
        try await archive.page(of: meeting, before: RecordingPage.newest, isNew: false).rows == [])
    }
  }

  @Test func `what was read is shown again without the server`() async throws {
    try await withArchive { archive, server in
      try await archive.keep(recording(1), of: meeting)
      let page = try await archive.page(of: meeting, before: RecordingPage.newest, isNew: false)
      _ = try await archive.recording(.number(1), of: meeting)
      await server.stop()
      #expect(
        try await archive.page(of: meeting, before: RecordingPage.newest, isNew: false) == page)
      #expect(try await archive.recording(.number(1), of: meeting) == recording(1))
    }
  }

  @Test(arguments: [
    "/meetings/x/recordings?before=1", "/meetings/\(UUID.number(1))/recordings?before=x",
    "/meetings/\(UUID.number(1))/recordings", "/meetings/\(UUID.number(1))/recordings/x",
  ])
  func `a request with a wrong value is refused`(_ target: String) async throws {
    let server = WebServer()
    RecordingServer(store: try InMemoryPersistenceService(migrations: RecordingServer.migrations))
      .serve(on: server)
    #expect(await server.respond(to: Request(.get, target)).status == .badRequest)
  }

  @Test func `a first start has samples, and a later start has the kept meetings`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "meetings.sqlite").path
    let database = try await SQLiteService(path: path, migrations: KeptMeetings.migrations)
    let first = try await KeptMeetings.open(in: database)
    #expect(await first.shared.value.map(\.title) == ["Design", "Morning round"])
    await MainActor.run { first.shared.value = [.design] }
    try await first.close()
    try await database.close()
    let later = try await SQLiteService(path: path, migrations: KeptMeetings.migrations)
    let second = try await KeptMeetings.open(in: later)
    #expect(await second.shared.value == [.design])
    try await second.close()
    try await later.close()
  }
}
