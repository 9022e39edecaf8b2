import CausewayData

/// Sends pictures to the backend, each in one request.
struct PictureServer: UploadServer {
  /// The name of the uploads in the outbox.
  static let collection = "picture upload"
  /// The size of the parts; no picture is larger.
  static let partSize = 2 << 20

  let network: any NetworkService

  /// The group of a picture is a field of its upload.
  static func fields(of group: String) -> [String: String] { ["group": group] }

  /// The backend stores a picture once, however often it arrives.
  func storedSize(of upload: Upload) -> Int? { nil }

  func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
    let group = upload.fields["group"] ?? ""
    _ = try await network.response(
      for: NetworkRequest(
        .put, "/groups/\(group)/pictures/\(upload.key)",
        body: .bytes(part.bytes, type: "application/octet-stream")))
    return upload.size
  }
}
