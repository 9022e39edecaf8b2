import CausewayData

/// Sends pictures to the backend, each in one request.
///
/// The name of an upload is the id of its picture. After a refusal, the upload has another key.
struct PictureServer: UploadServer {
  /// The name of the uploads in the outbox.
  static let collection = "picture upload"
  /// The size of the parts; no picture is larger.
  static let partSize = 2 << 20
  /// The largest number of pictures that wait for the server.
  static let mostWaiting = 50

  let network: any NetworkService

  /// The group of a picture is a field of its upload.
  static func fields(of group: String) -> [String: String] { ["group": group] }

  /// A noun for lists of changes.
  static func kind(_ kind: String, in collection: String) -> String {
    collection == Self.collection ? "Picture" : kind
  }

  /// Returns `nil`, so each attempt sends the whole picture; the backend stores it once.
  func storedSize(of upload: Upload) -> Int? { nil }

  func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
    guard part.bytes.count == upload.size else {
      throw RemoteFailure(.unsendable, "The picture has more than \(Self.partSize) bytes.")
    }
    let group = upload.fields["group"] ?? ""
    do {
      _ = try await network.response(
        for: NetworkRequest(
          .put, "/groups/\(group)/pictures/\(upload.name)",
          body: .bytes(part.bytes, type: "application/octet-stream")))
    } catch let error as NetworkError where error.status == 409 {
      // Another attempt would not help.
      throw RemoteFailure(.rejected, error.description)
    }
    return upload.size
  }
}
