import CausewayData

func uploadPhoto(
  _ outbox: Outbox, _ network: any NetworkService, _ folder: String, log: (String) -> Void
) async throws {
  // snippet
  let uploads = FileUploads(
    outbox: outbox, server: NetworkUploadServer(network) { "/uploads/\($0.key.rawValue)" },
    directory: folder)
  let photo = try await uploads.enqueue("/tmp/photo.jpeg", type: "image/jpeg")
  for await progress in uploads.progress() {
    guard let part = progress[photo.key] else { continue }
    log("\(part.sent) of \(part.size) bytes")
  }
  // end
}
