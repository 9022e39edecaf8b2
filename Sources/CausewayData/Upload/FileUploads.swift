import Foundation
import Synchronization

/// Uploads files through an outbox: in parts, in order, and across restarts.
///
/// ```swift
/// let uploads = FileUploads(
///   outbox: outbox, server: NetworkUploadServer(network) { "/uploads/\($0.key)" },
///   directory: folder)
/// try await uploads.enqueue("/tmp/photo.jpeg", type: "image/jpeg")
/// ```
///
/// After `enqueue` has returned, the upload survives the end of the process at any moment. It is an
/// entry of the outbox: it is sent in its scope's order, it can be undone before it is sent, other
/// mutations can require it by its key, and a refused upload becomes a ``DeadLetter``. An upload
/// that was interrupted continues at the number of bytes that the server has.
///
/// The file is copied into the directory. The copy is kept until the entry and its dead letter are
/// gone. A logout removes the account's copies. Only one `FileUploads` may use a directory.
public final class FileUploads: Sendable {
  private struct State {
    var sweeping: Task<Void, Never>?
    var membership: Registration?
    var progress: [IdempotencyKey: UploadProgress] = [:]
  }

  private let outbox: Outbox
  private let collection: String
  private let files: UploadFiles
  private let state = Mutex(State())
  private let broadcast = Broadcast<[IdempotencyKey: UploadProgress]>([:], buffering: .latest)

  /// Creates uploads, and registers their sender with the outbox.
  ///
  /// - Parameters:
  ///   - outbox: The outbox that stores and sends the uploads.
  ///   - server: Stores the parts.
  ///   - directory: The folder for the copies of the files. It is created when it is needed, and
  ///     contains nothing else.
  ///   - collection: The name of the uploads in the outbox.
  ///   - partSize: The size of a part in bytes, at least 1. A part is held in memory.
  public init(
    outbox: Outbox, server: any UploadServer, directory: String, collection: String = "upload",
    partSize: Int = 1 << 20
  ) {
    precondition(partSize > 0, "A part has at least one byte.")
    self.outbox = outbox
    self.collection = collection
    let files = UploadFiles(directory)
    self.files = files
    outbox.session.add(
      SessionParticipant("uploads", wipe: { wipe in try await files.wipe(wipe) }))
    let membership = outbox.session.join(
      SessionParticipant(
        "progress of uploads", began: { [weak self] in self?.begin($0) },
        ended: { [weak self] _ in self?.end() }, wipe: { _ in }))
    state.withLock { $0.membership = membership }
    outbox.register(
      collection,
      OutboxRoute(
        limitsTime: false,
        send: { [weak self] entries in
          let sender = UploadSender(
            server: server, files: files, partSize: partSize,
            report: { [weak self] key, progress in self?.report(progress, of: key) })
          try await sender.send(entries[0])
          return [.success(.final)]
        }))
  }

  deinit {
    end()
  }

  /// Copies a file, and stores its upload for the signed-in account; returns after the commit.
  ///
  /// - Parameters:
  ///   - path: The regular file to copy. It may be removed after this returns.
  ///   - type: The media type of the file.
  ///   - name: The name for the server; `nil` for the last component of the path.
  ///   - fields: Additional values for the server.
  ///   - key: The identity of the upload; the outbox stores a key only once.
  ///   - scope: The uploads of a scope are sent one after another.
  ///   - dependencies: The mutations that the server must have before the upload.
  /// - Returns: The entry of the outbox.
  /// - Throws: `SessionError`, `OutboxError.full`, `PersistenceError`, `DiskStoreError`, the
  ///   system's error if the file cannot be read, or `CancellationError`.
  /// - Complexity: O(size of the file).
  @discardableResult
  public func enqueue(
    _ path: String, type: String, name: String? = nil, fields: [String: String] = [:],
    key: IdempotencyKey = IdempotencyKey(), scope: SyncScope = .upload,
    dependencies: [MutationDependency] = []
  ) async throws -> OutboxEntry {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let file = UUID().uuidString
    var isStored = false
    do {
      let size = try await files.add(path, as: file, of: ticket.account)
      let stored = StoredUpload(
        file: file, name: name ?? URL(fileURLWithPath: path).lastPathComponent, type: type,
        size: size, fields: fields)
      let payload = try JSONEncoder().encode(stored)
      let draft = OutboxDraft(
        key: key, collection: collection, scope: scope, kind: "upload", payload: payload,
        dependencies: dependencies)
      let entry = try await outbox.enqueue(draft, as: ticket) { _, _ in }
      // An entry with the same key has its own copy.
      isStored = entry.payload == payload
      await files.endAdding(file, of: ticket.account, isStored: isStored)
      return entry
    } catch {
      await files.endAdding(file, of: ticket.account, isStored: false)
      throw error
    }
  }

  /// Yields the progress of the uploads that have begun and that are not finished.
  ///
  /// The stream begins with the current progress. A slow consumer gets only the latest one.
  public func progress() -> AsyncStream<[IdempotencyKey: UploadProgress]> { broadcast.stream() }

  private func report(_ progress: UploadProgress?, of key: IdempotencyKey) {
    state.withLock { state in
      state.progress[key] = progress
      // Sent under the lock, so streams get the latest state last.
      broadcast.send(state.progress, beginning: state.progress)
    }
  }

  private func begin(_ ticket: SessionTicket) {
    let entries = outbox.persistence.observe(
      """
      SELECT key FROM sync_outbox WHERE account = \(ticket.account) AND collection = \(collection)
      UNION ALL SELECT key FROM sync_dead_letter
      WHERE account = \(ticket.account) AND collection = \(collection)
      """, as: IdempotencyKey.self)
    let sweeping = Task { [weak self] in
      do {
        for try await keys in entries { try await self?.sweep(ticket, keeping: keys) }
      } catch {
        // The copies that are left are removed in the next session.
      }
    }
    state.withLock { state in
      state.sweeping?.cancel()
      state.sweeping = sweeping
    }
  }

  private func end() {
    state.withLock { state in
      state.sweeping?.cancel()
      state.sweeping = nil
      state.progress = [:]
      broadcast.send([:], beginning: [:])
    }
  }

  /// Removes the copies that no entry and no dead letter refers to.
  ///
  /// The copies are listed first. A copy that is added later is not in the list, and the entry of a
  /// listed copy is stored already.
  private func sweep(_ ticket: SessionTicket, keeping keys: [IdempotencyKey]) async throws {
    let kept = Set(keys)
    state.withLock { state in
      let known = state.progress.filter { kept.contains($0.key) }
      guard known.count < state.progress.count else { return }
      state.progress = known
      broadcast.send(known, beginning: known)
    }
    let names = await files.names(of: ticket.account)
    guard !names.isEmpty else { return }
    let payloads = try await outbox.persistence.read { [collection] transaction in
      try transaction.rows(
        """
        SELECT payload FROM sync_outbox
        WHERE account = \(ticket.account) AND collection = \(collection)
        UNION ALL SELECT payload FROM sync_dead_letter
        WHERE account = \(ticket.account) AND collection = \(collection)
        """, as: Data.self)
    }
    let used = payloads.map { try? JSONDecoder().decode(StoredUpload.self, from: $0).file }
    // If this version cannot read an entry, it does not know the copies of the entry.
    guard !used.contains(nil) else { return }
    await files.remove(names.filter { !used.contains($0) }, of: ticket.account)
  }
}

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
  let report: @Sendable (IdempotencyKey, UploadProgress?) -> Void

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
    var first: Int?
    var sent = 0
    do {
      var known = try await server.storedSize(of: upload)
      (first, sent) = (known ?? 0, known ?? 0)
      guard sent <= upload.size else { throw wrongSize(sent) }
      while known == nil || sent < upload.size {
        report(upload.key, UploadProgress(sent: sent, size: upload.size))
        let part = try await part(of: stored, upload, at: sent)
        let now = try await server.store(part, of: upload)
        guard now <= upload.size, now > sent || upload.size == 0 else { throw wrongSize(now) }
        (known, sent) = (now, now)
      }
    } catch {
      // A failure after some progress must not count towards the limit of the retry table.
      // Otherwise a large file could never be uploaded over a poor connection.
      let failure = RemoteFailure(error)
      guard let first, sent > first, failure.mayEndAfterProgress else { throw error }
      throw RemoteFailure(.unreachable, failure.description, retryAfter: failure.retryAfter)
    }
    report(upload.key, nil)
  }

  private func part(
    of stored: StoredUpload, _ upload: Upload, at offset: Int
  ) async throws -> UploadPart {
    let count = min(partSize, upload.size - offset)
    let bytes = await files.bytes(stored.file, of: upload.account, at: offset, count: count)
    guard let bytes else {
      throw RemoteFailure(.unsendable, "The copy of the file \(upload.name) cannot be read.")
    }
    return UploadPart(offset: offset, bytes: bytes)
  }

  private func wrongSize(_ size: Int) -> RemoteFailure {
    RemoteFailure(.garbled, "The server says that it has \(size) bytes, which cannot be.")
  }
}

extension RemoteFailure {
  /// Whether the same upload may continue after this failure.
  fileprivate var mayEndAfterProgress: Bool {
    switch kind {
    case .timedOut, .serverFault, .conflict, .garbled, .unknown: true
    case .unreachable, .busy, .unauthorized, .rejected, .unsendable, .dependencyFailed: false
    }
  }
}
