import CausewayBasics
import CausewayNetwork
import Foundation

/// The payload of an upload's entry.
struct StoredUpload: Codable, Sendable {
  /// The name of the copy.
  var file: String
  var name: String
  var type: String
  var size: Int
  var fields: [String: String]
}

/// Sends the parts of one upload that the server does not have.
struct UploadSender: Sendable {
  let server: any UploadServer
  let files: UploadFiles
  let partSize: Int
  /// Shows the progress, and returns whether the server has more bytes than before in the session.
  let report: @Sendable (IdempotencyKey, _ sent: Int?, _ size: Int) -> Bool

  @concurrent
  func send(_ entry: OutboxEntry) async throws {
    let stored: StoredUpload
    do {
      stored = try JSONDecoder().decode(StoredUpload.self, from: entry.payload)
    } catch {
      throw RemoteFailure(.unsendable, "The stored upload cannot be read: \(error)")
    }
    let upload = Upload(
      key: entry.key, account: entry.account, scope: entry.scope, name: stored.name,
      type: stored.type, size: stored.size, fields: stored.fields)
    var madeProgress = false
    do {
      try await sendParts(of: stored, upload) { sent in
        guard report(upload.key, sent, upload.size) else { return false }
        madeProgress = true
        return true
      }
    } catch {
      var failure = RemoteFailure(error)
      failure.madeProgress = madeProgress
      if error is CancellationError { throw error }
      throw failure
    }
    _ = report(upload.key, nil, upload.size)
  }

  private func sendParts(
    of stored: StoredUpload, _ upload: Upload, show: (Int) -> Bool
  ) async throws {
    var known = try await server.storedSize(of: upload)
    // After a conflict, the next conflict is an error unless the server has stored more in between.
    var mayAskAgain = true
    while true {
      let sent = known ?? 0
      guard (0...max(0, upload.size)).contains(sent) else { throw wrongSize(sent) }
      if show(sent) { mayAskAgain = true }
      if known != nil, sent == upload.size { return }
      let part = try await part(of: stored, upload, at: sent)
      do {
        let now = try await server.store(part, of: upload)
        guard now <= upload.size, now > sent || upload.size == 0 else { throw wrongSize(now) }
        known = now
      } catch let error where RemoteFailure(error).kind == .conflict {
        // An earlier request may have reached the server late.
        guard mayAskAgain else {
          throw RemoteFailure(.garbled, "The server refuses the offset that it has named: \(error)")
        }
        mayAskAgain = false
        known = try await server.storedSize(of: upload)
      } catch let error as NetworkError where sent > 0 && error.saysMissing {
        // The server has lost the upload, or has removed it after some time. It begins again.
        guard mayAskAgain else {
          throw RemoteFailure(.garbled, "The server has lost the upload again: \(error)")
        }
        mayAskAgain = false
        known = try await server.storedSize(of: upload)
      }
    }
  }

  private func part(
    of stored: StoredUpload, _ upload: Upload, at offset: Int
  ) async throws -> UploadPart {
    let count = min(partSize, upload.size - offset)
    // A failure to read the copy may be temporary, for example if there are too many open files.
    // The outbox retries it as an unknown failure.
    let bytes = try await files.bytes(stored.file, of: upload.account, at: offset, count: count)
    guard let bytes else {
      throw RemoteFailure(.unsendable, "The copy of the file \(upload.name) is missing.")
    }
    return UploadPart(offset: offset, bytes: bytes)
  }

  private func wrongSize(_ size: Int) -> RemoteFailure {
    RemoteFailure(.garbled, "The server says that it has \(size) bytes, which is impossible.")
  }
}

extension NetworkError {
  /// Whether the server says that there is nothing at the address.
  var saysMissing: Bool { kind == .status && (status == 404 || status == 410) }
}
