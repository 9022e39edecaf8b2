import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import Testing

/// The code of the article about sending changes and files.
@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
  /// Stores the parts in memory.
  private actor MemoryUploads: UploadServer {
    private(set) var files: [IdempotencyKey: [UInt8]] = [:]

    func storedSize(of upload: Upload) -> Int? { files[upload.key]?.count }

    func store(_ part: UploadPart, of upload: Upload) throws -> Int {
      let stored = files[upload.key] ?? []
      guard part.offset == stored.count else {
        throw RemoteFailure(.conflict, "\(stored.count) bytes are stored.")
      }
      files[upload.key] = stored + part.bytes
      return stored.count + part.bytes.count
    }
  }

  private let network = ScriptedNetworkService()

  @Test func `a file is sent in parts, and a mutation waits for it`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sending-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let original = folder.appending(path: "photo.jpeg").path
    let bytes = (0..<100).map { UInt8($0) }
    try Data(bytes).write(to: URL(fileURLWithPath: original))

    let store = try InMemoryPersistenceService(migrations: TripsRepository.migrations)
    let outbox = Outbox(persistence: store, session: SessionService(account: .local))
    let server = MemoryUploads()
    let uploads = FileUploads(
      outbox: outbox, server: server, directory: folder.appending(path: "copies").path, partSize: 30
    )
    let photo = try await uploads.enqueue(original, type: "image/jpeg")
    try FileManager.default.removeItem(atPath: original)

    let attached = PhotoMutation.attach(TripPhoto(id: "p", trip: "t", upload: photo.key))
    #expect(attached.dependencies.count == 2)
    outbox.start()
    for try await entries in outbox.observeEntries() where entries.isEmpty { break }
    #expect(await server.files == [photo.key: bytes])
  }

  @Test func `a correction is stored as the server has answered it`() async throws {
    let store = try InMemoryPersistenceService(migrations: TideTables.migrations)
    let tide = Tide(harbour: "Kiel", hour: 7, level: 1.25)
    network.on(.put, "/harbours/Kiel/tides", .json(tide))
    let writer = DataWriter(network: network, persistence: store, freshness: DataFreshness())
    let corrections = Corrections(writer: writer)
    #expect(try await corrections.correct(Tide(harbour: "Kiel", hour: 7, level: 1.3)) == tide)
    let stored = try await store.read { try $0.rows("SELECT * FROM tide", as: Tide.self) }
    #expect(stored == [tide])
  }
}
