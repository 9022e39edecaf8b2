import CausewayData

func uploadPhoto(
  _ outbox: Outbox, _ network: any NetworkService, _ folder: String, _ path: String,
  log: (String) -> Void
) async throws {
  // snippet
  let uploads = FileUploads(
    outbox: outbox, server: NetworkUploadServer(network) { "/uploads/\($0.key.rawValue)" },
    directory: folder)
  let photo = try await uploads.enqueue(path, type: "image/jpeg")
  for await progress in uploads.progress() {
    guard case .sent(let sent, let size?) = progress[photo.key] else { continue }
    log("\(sent) of \(size) bytes")
  }
  // end
}

// snippet
/// A photo of a trip, whose file has its own entry in the outbox.
struct TripPhoto: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var trip: String
  var upload: IdempotencyKey
}

enum PhotoMutation: Mutation {
  case attach(TripPhoto)

  var recordID: String {
    switch self {
    case .attach(let photo): photo.id
    }
  }

  /// The server must have the file and the trip first.
  var dependencies: [MutationDependency] {
    switch self {
    case .attach(let photo):
      [.mutation(photo.upload), .record(photo.trip, in: TripsRepository.table)]
    }
  }

  func apply(to photo: inout TripPhoto?) {
    switch self {
    case .attach(let attached): photo = attached
    }
  }
}
// end

// snippet
/// Stores the parts in memory, as an example for servers with another protocol.
actor MemoryUploads: UploadServer {
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
// end
