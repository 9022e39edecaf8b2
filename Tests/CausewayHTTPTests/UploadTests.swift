import CausewayData
import CausewayHTTP
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

/// Uploads through an outbox to a real server that loses connections.
@Suite(.timeLimit(.minutes(10)))
struct UploadTests {
  /// The files of a server, and how often each was completed.
  private final class Store: Sendable {
    struct State {
      var files: [String: [UInt8]] = [:]
      var completed: [String: Int] = [:]
      var refusals = 0
    }

    let state = Mutex(State())

    /// Returns the answer to a request; `nil` to close the connection without an answer.
    ///
    /// Of every five requests, the first stores its part without an answer, the second stores half
    /// of its part without an answer, and the third gets status 500.
    func answer(to request: RawServer.Request) -> String? {
      state.withLock { state in
        let known = state.files[request.target]
        guard request.method == "PATCH" else {
          guard let known else { return RawServer.answer(404) }
          return RawServer.answer(200, ["Upload-Offset": "\(known.count)"])
        }
        let total = Int(request.headers["upload-length"] ?? "") ?? -1
        guard Int(request.headers["upload-offset"] ?? "") == known?.count ?? 0 else {
          state.refusals += 1
          return RawServer.answer(409)
        }
        if request.number % 5 == 3 { return RawServer.answer(500) }
        let isHalf = request.number % 5 == 2
        let count = isHalf ? request.body.count / 2 : request.body.count
        let file = (known ?? []) + request.body.prefix(count)
        state.files[request.target] = file
        if file.count == total { state.completed[request.target, default: 0] += 1 }
        if isHalf || request.number % 5 == 1 { return nil }
        return RawServer.answer(204, ["Upload-Offset": "\(file.count)"])
      }
    }
  }

  /// Sends parts as the article about sending shows.
  private struct PartServer: UploadServer {
    let network: any NetworkService

    func storedSize(of upload: Upload) async throws -> Int? {
      do {
        return try await stored(NetworkRequest(.head, "/uploads/\(upload.key.rawValue)"))
      } catch let error as NetworkError where error.status == 404 {
        return nil
      }
    }

    func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
      var request = NetworkRequest(.patch, "/uploads/\(upload.key.rawValue)")
      request.body = .bytes(part.bytes, type: "application/offset+octet-stream")
      request.headers["upload-offset"] = "\(part.offset)"
      request.headers["upload-length"] = "\(upload.size)"
      return try await stored(request)
    }

    private func stored(_ request: NetworkRequest) async throws -> Int {
      let answer = try await network.response(for: request)
      return try #require(answer.headers["upload-offset"].flatMap { Int($0) })
    }
  }

  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "uploads-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  @Test(arguments: TransportKind.allCases)
  func `files arrive whole and once over a connection that often breaks`(
    _ transport: TransportKind
  ) async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = Store()
    let server = try RawServer { request, connection in
      if let answer = store.answer(to: request) { connection.send(answer) }
    }
    let persistence = try InMemoryPersistenceService(migrations: Outbox.migrations)
    let session = SessionService(account: .local)
    let clock = ManualClock()
    var expected: [String: [UInt8]] = [:]
    // Each round is a run of the app. All runs except the last end in the middle of the uploads.
    for round in 0..<4 {
      let network = try makeService(server, transport: transport) { $0.retry = .never }
      let outbox = Outbox(
        persistence: persistence, session: session,
        surroundings: Surroundings(clock: clock, random: { 1 }))
      let uploads = FileUploads(
        outbox: outbox,
        server: PartServer(network: network),
        directory: directory.appending(path: "copies").path, partSize: 10_000)
      if round == 0 {
        for size in [0, 35_000, 100_001] {
          let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
          let path = directory.appending(path: "photo-\(size).jpeg")
          try Data(bytes).write(to: path)
          let entry = try await uploads.enqueue(path.path, type: "image/jpeg")
          expected["/uploads/\(entry.key.rawValue)"] = bytes
        }
      }
      let run = Task { await outbox.run() }
      let advancing = clock.advancingOverAllWaits()
      if round < 3 {
        await server.requests.wait(for: server.requests.all.count + 6)
      } else {
        for try await count in persistence.observe(
          "SELECT count(*) FROM sync_outbox", as: Int.self) where count == [0]
        {
          break
        }
      }
      advancing.cancel()
      run.cancel()
      await run.value
      withExtendedLifetime(uploads) {}
    }
    let state = store.state.withLock(\.self)
    #expect(state.files == expected)
    #expect(state.completed.count == 3)
    #expect(state.completed.values.allSatisfy { $0 == 1 })
    #expect(state.refusals == 0)
  }
}
