import CausewayData
import Foundation

func uploadPhoto(
  _ outbox: Outbox, _ network: any NetworkService, _ folder: String, _ path: String,
  log: (String) -> Void
) async throws {
  // snippet
  let uploads = FileUploads(
    outbox: outbox, server: ResumableServer(network: network), directory: folder)
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
/// Sends parts with the requests of version 1.0.0 of the tus protocol, except that the client chooses
/// the address.
struct ResumableServer: UploadServer {
  let network: any NetworkService

  func storedSize(of upload: Upload) async throws -> Int? {
    do {
      return try await offset(after: request(.head, upload))
    } catch let error as NetworkError where [404, 410].contains(error.status) {
      return nil
    }
  }

  func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
    var request = request(.patch, upload)
    request.body = .bytes(part.bytes, type: "application/offset+octet-stream")
    request.headers["upload-offset"] = "\(part.offset)"
    request.headers["upload-length"] = "\(upload.size)"
    if part.offset == 0 {
      let values = upload.fields.merging(["filename": upload.name, "filetype": upload.type]) { $1 }
      request.headers["upload-metadata"] = values.sorted { $0.key < $1.key }.map { key, value in
        "\(key) \(Data(value.utf8).base64EncodedString())"
      }.joined(separator: ",")
    }
    do {
      return try await offset(after: request)
    } catch let error as NetworkError where error.status == 423 {
      // An earlier part is still being stored.
      throw RemoteFailure(.busy, error.description, retryAfter: error.retryAfter)
    }
  }

  private func request(_ method: HTTPMethod, _ upload: Upload) -> NetworkRequest {
    var request = NetworkRequest(method, "/uploads/\(upload.key.rawValue)")
    request.headers["tus-resumable"] = "1.0.0"
    // The sign-in page of a public network has no such field. It counts as a missing connection.
    request.answerMark = "upload-offset"
    return request
  }

  private func offset(after request: NetworkRequest) async throws -> Int {
    let answer = try await network.response(for: request)
    guard let offset = answer.headers["upload-offset"].flatMap({ Int($0) }), offset >= 0 else {
      throw RemoteFailure(.garbled, "The answer has no valid Upload-Offset.")
    }
    return offset
  }
}
// end
