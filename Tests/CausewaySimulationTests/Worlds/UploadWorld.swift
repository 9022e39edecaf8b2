import CausewayData
import CausewaySimulation
import Foundation
import Synchronization
import Testing

/// A phone that uploads files in parts to a server, over a bad network and with power failures.
struct UploadWorld: Sendable {
  var actions = 8

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    // The names of these real files are the same in each process, but not their folder.
    let originals = try Originals()
    return try simulateWorld(
      seeds, replay, for: .seconds(60), settling: .seconds(120), shrinks: shrinks
    ) { world in
      let accepted = AcceptedUploads()
      let server = world.node("server") { UploadShelf($0) }
      let phone = world.node("phone") { node in
        try await UploadingPhone(node, server: server.id, accepted)
      }
      let down = Duration.zero ... .seconds(2)
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(100)), .loss(0.1), .duplicates(0.05),
        .partitions(every: .seconds(20), lasting: .seconds(1) ... .seconds(10)),
        .crashes(of: [phone.id, server.id], every: .seconds(10), down: down),
        .powerLoss(of: [phone.id], every: .seconds(5), down: down),
      ]
      world.script(on: [phone, phone], actions: actions, expectsErrors: true) { phone, random in
        try await phone.upload(Int.random(in: 0..<Originals.sizes.count, using: &random), originals)
      }
      return (server, phone, accepted)
    } check: { world, parts in
      guard let shelf = parts.0.root, let phone = parts.1.root else {
        return world.fail("a node has not started")
      }
      let refused = try await phone.outbox.deadLetters()
      try world.require(refused.isEmpty, "the server refused \(refused)")
      for (key, size) in parts.2.all.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        let stored = shelf.files[key.rawValue]
        try world.require(
          stored == Originals.bytes(size),
          "the server has \(stored?.count ?? 0) other bytes than the file of \(size) bytes")
      }
      let copies = phone.copies
      try world.require(copies.isEmpty, "the copies \(copies) are left")
    }
  }
}

/// The files of the user.
private final class Originals: Sendable {
  static let sizes = [0, 1, 500, 1_700]
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "uploads-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for size in Self.sizes {
      try Data(Self.bytes(size)).write(to: URL(filePath: path(size)))
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(_ size: Int) -> String { "\(directory.path)/\(size).jpeg" }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }
}

/// The sizes of the accepted uploads by their keys, outside of the simulated world.
private final class AcceptedUploads: Sendable {
  private let contents = Mutex<[IdempotencyKey: Int]>([:])
  var all: [IdempotencyKey: Int] { contents.withLock { $0 } }
  func add(_ key: IdempotencyKey, _ size: Int) { contents.withLock { $0[key] = size } }
}

private struct UploadingPhone: Sendable {
  let outbox: Outbox
  private let node: NodeContext
  private let uploads: FileUploads
  private let accepted: AcceptedUploads

  init(_ node: NodeContext, server: NodeID, _ accepted: AcceptedUploads) async throws {
    self.node = node
    self.accepted = accepted
    let database = try await node.database("phone.db", migrations: Outbox.migrations)
    outbox = Outbox(
      persistence: database, session: SessionService(account: .local),
      surroundings: node.surroundings)
    uploads = node.uploads(
      "uploads", outbox: outbox,
      server: ShelfClient(network: node.network(to: server)), partSize: 400)
    outbox.start()
  }

  func upload(_ number: Int, _ originals: Originals) async throws {
    let size = Originals.sizes[number]
    let entry = try await uploads.enqueue(originals.path(size), type: "image/jpeg")
    if node.isRunning { accepted.add(entry.key, size) }
  }

  /// The copies of files on the disk.
  var copies: [String] { node.diskContents.keys.filter { $0.hasPrefix("uploads/") }.sorted() }
}

/// Sends parts to the shelf.
private struct ShelfClient<Network: NetworkService>: UploadServer {
  let network: Network

  func storedSize(of upload: Upload) async throws -> Int? {
    do {
      return try await stored(NetworkRequest(.head, "/\(upload.key)"))
    } catch let error as NetworkError where error.status == 404 {
      return nil
    }
  }

  func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
    var request = NetworkRequest(.patch, "/\(upload.key)")
    request.body = .bytes(part.bytes, type: "application/offset+octet-stream")
    request.headers["upload-offset"] = "\(part.offset)"
    return try await stored(request)
  }

  private func stored(_ request: NetworkRequest) async throws -> Int {
    let answer = try await network.response(for: request)
    guard let count = answer.headers["upload-offset"].flatMap({ Int($0) }) else {
      throw RemoteFailure(.garbled, "The answer has no number of stored bytes.")
    }
    return count
  }
}

/// The server, which keeps all parts that it has acknowledged.
private struct UploadShelf: Sendable {
  private final class Files: Sendable {
    let contents = Mutex<[String: [UInt8]]>([:])
  }

  private let stored: Files
  /// The stored bytes by the keys of the uploads.
  var files: [String: [UInt8]] { stored.contents.withLock { $0 } }

  init(_ node: NodeContext) {
    let stored = node.stored("files") { Files() }
    self.stored = stored
    node.serve { request in
      let key = String(request.path.encoded.dropFirst())
      let size: Int? = stored.contents.withLock { files in
        guard request.method == .patch, case .bytes(let bytes, _) = request.body else {
          return files[key]?.count
        }
        let known = files[key] ?? []
        guard request.headers["upload-offset"] == "\(known.count)" else { return -1 }
        files[key] = known + bytes
        return known.count + bytes.count
      }
      guard let size else { return NetworkResponse(status: 404) }
      guard size >= 0 else { return NetworkResponse(status: 409) }
      return NetworkResponse(status: 200, headers: ["upload-offset": "\(size)"])
    }
  }
}

@Suite struct UploadWorldTests {
  @Test func `each accepted file arrives whole, and its copy is removed`() throws {
    let summary = try UploadWorld().simulate(0..<10)
    #expect(summary.crashes > 50)
  }
}
