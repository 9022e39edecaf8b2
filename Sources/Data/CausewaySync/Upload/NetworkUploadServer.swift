import CausewayBasics
public import CausewayNetwork
import Foundation

/// An upload server behind a network service, with one address for each upload.
///
/// The requests follow version 1.0.0 of the tus protocol, except that the client chooses the
/// address. A tus server that creates uploads only with `POST` must be changed to accept the first
/// `PATCH` at an unknown address.
///
/// - `HEAD` returns the number of stored bytes in the field `Upload-Offset`, or status 404.
/// - `PATCH` with `Upload-Offset`, `Upload-Length` and a body of type
///   `application/offset+octet-stream` appends a part, and returns the new `Upload-Offset`. If the
///   offset is not the number of stored bytes, it fails with status 409. While an earlier part is
///   being stored, it may fail with status 423; the client then repeats it later. If the server has
///   lost the upload, it fails with status 404 or 410; the client then begins again. The first part
///   also has the name, the media type and the fields of the upload in `Upload-Metadata`.
///
/// Each request has the field `Tus-Resumable`. A successful response without `Upload-Offset` is not
/// from the server. It may be the sign-in page of a public network, for example. It counts as
/// ``RemoteFailure/Kind/unreachable``.
public struct NetworkUploadServer: UploadServer {
  private let network: any NetworkService
  private let path: @Sendable (Upload) -> NetworkPath

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - network: Sends the requests.
  ///   - path: Returns the address of an upload, which should contain its key.
  public init(
    _ network: any NetworkService, path: @escaping @Sendable (Upload) -> NetworkPath
  ) {
    self.network = network
    self.path = path
  }

  /// Returns the value of `Upload-Offset` in the answer to `HEAD`; `nil` after status 404 or 410.
  ///
  /// - Throws: `NetworkError`, `CancellationError`, or `RemoteFailure` of kind `garbled`. The error
  ///   is a `NetworkError` of kind `contentType` if the response has no `Upload-Offset`.
  public func storedSize(of upload: Upload) async throws -> Int? {
    do {
      return try offset(in: await network.response(for: request(.head, upload)))
    } catch let error as NetworkError where error.saysMissing {
      return nil
    }
  }

  /// Sends a part with `PATCH`.
  ///
  /// - Throws: The errors of ``storedSize(of:)``; `RemoteFailure` of kind `busy` after status 423.
  public func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
    var request = request(.patch, upload)
    request.body = .bytes(part.bytes, type: "application/offset+octet-stream")
    request.headers["upload-offset"] = "\(part.offset)"
    request.headers["upload-length"] = "\(upload.size)"
    if part.offset == 0 { request.headers["upload-metadata"] = metadata(of: upload) }
    do {
      return try offset(in: await network.response(for: request))
    } catch let error as NetworkError where error.status == 423 {
      throw RemoteFailure(.busy, error.description, retryAfter: error.retryAfter)
    }
  }

  private func request(_ method: HTTPMethod, _ upload: Upload) -> NetworkRequest {
    var request = NetworkRequest(method, path(upload))
    request.headers["tus-resumable"] = "1.0.0"
    request.answerMark = "upload-offset"
    return request
  }

  private func metadata(of upload: Upload) -> String {
    var values = upload.fields.filter { !["filename", "filetype"].contains($0.key) }
    (values["filename"], values["filetype"]) = (upload.name, upload.type)
    return values.sorted { $0.key < $1.key }.map { key, value in
      "\(key) \(Data(value.utf8).base64EncodedString())"
    }.joined(separator: ",")
  }

  private func offset(in response: NetworkResponse) throws(RemoteFailure) -> Int {
    guard let offset = response.headers["upload-offset"].flatMap({ Int($0) }), offset >= 0 else {
      throw RemoteFailure(.garbled, "The answer has no valid Upload-Offset.")
    }
    return offset
  }
}
