package import CausewayBasics
import CausewayDatabase
public import CausewayNetwork
import Foundation
import Synchronization

/// Uploads files through an outbox: in parts, in order, and across restarts.
///
/// ```swift
/// let uploads = FileUploads(
///   outbox: outbox, server: ResumableServer(network: network), directory: folder)
/// try await uploads.enqueue("/tmp/photo.jpeg", type: "image/jpeg")
/// ```
///
/// After `enqueue` has returned, the upload is not lost if the process ends. The upload is an entry
/// of the outbox. It is sent in the order of its scope, and can be undone before that. Other
/// mutations can require it by its key. A refused upload becomes a ``DeadLetter``. An interrupted
/// upload continues after the bytes that the server already has.
///
/// The file is copied into the directory. The copy is removed when neither an entry nor a dead
/// letter needs it. If the process ends before, the next session removes the copy. A logout removes
/// the account's copies. If its session ends without a logout, the copies of uploads that were not
/// sent stay. Only one `FileUploads` may use a directory.
public final class FileUploads: Sendable {
  private struct State {
    var gate = SessionGate()
    var sweeping: Task<Void, Never>?
    var membership: Registration?
    var progress: [IdempotencyKey: NetworkProgress] = [:]
    /// The largest number of stored bytes that the server has reported in this session.
    var reached: [IdempotencyKey: Int] = [:]

    /// Returns the task to cancel after the unlock.
    mutating func endUploads() -> Task<Void, Never>? {
      defer { (sweeping, progress, reached) = (nil, [:], [:]) }
      return sweeping
    }
  }

  private typealias Changed = Wakeups<[IdempotencyKey: NetworkProgress]>

  private let outbox: Outbox
  private let collection: String
  private let files: UploadFiles
  private let state = Mutex(State())
  private let broadcast = Broadcast<[IdempotencyKey: NetworkProgress]>([:], buffering: .latest)

  /// Makes uploads, and registers their sender with the outbox.
  ///
  /// - Parameters:
  ///   - outbox: The outbox that stores and sends the uploads.
  ///   - server: Stores the parts.
  ///   - directory: The folder for the copies of the files; must contain nothing else. The first
  ///     copy creates it.
  ///   - collection: The name of the uploads in the outbox.
  ///   - partSize: The size of a part in bytes, at least 1. A part is in memory while it is sent.
  public convenience init(
    outbox: Outbox, server: any UploadServer, directory: String, collection: String = "upload",
    partSize: Int = 1 << 20
  ) {
    self.init(
      outbox: outbox, server: server, directory: directory, collection: collection,
      partSize: partSize, files: PosixFiles())
  }

  /// Makes uploads with copies in another file system.
  package init(
    outbox: Outbox, server: any UploadServer, directory: String, collection: String = "upload",
    partSize: Int, files: any FileSystem
  ) {
    precondition(partSize > 0, "A part has at least one byte.")
    self.outbox = outbox
    self.collection = collection
    let files = UploadFiles(directory, files: files)
    self.files = files
    outbox.session.add(
      SessionParticipant(
        "uploads",
        // The next session of the account removes the copies that no upload needs.
        expire: { _ in },
        wipe: { [persistence = outbox.persistence] wipe in
          let kept = try await Self.copies(keptIn: persistence, collection, after: wipe)
          try await files.wipe(wipe, keeping: kept)
        }))
    let membership = outbox.session.join(
      SessionParticipant(
        "progress of uploads", began: { [weak self] in self?.begin($0) },
        ended: { [weak self] in self?.end($0) }, wipe: { _ in }))
    state.withLock { $0.membership = membership }
    outbox.register(
      collection,
      OutboxRoute(
        limitsTime: false,
        send: { [weak self] entries in
          // Without a session, the outbox has cancelled this request.
          guard let ticket = self?.outbox.session.current else { throw CancellationError() }
          let sender = UploadSender(
            server: server, files: files, partSize: partSize,
            report: { [weak self] in self?.report($1, of: $2, $0, ticket) ?? false })
          try await sender.send(entries[0])
          return [.success(.final)]
        },
        ended: { [weak self] in
          self?.forget($0.key)
          Self.removeCopy(of: $0, files)
        }))
  }

  deinit {
    state.withLock { $0.endUploads() }?.cancel()
    broadcast.send([:], beginning: [:])
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
    let name = name ?? URL(fileURLWithPath: path).lastPathComponent
    return try await enqueue(name, type, fields, key, scope, dependencies) { [files] in
      try await files.add(path, as: $0, of: $1)
    }
  }

  /// Stores the upload of bytes that are in memory; the rest is as for a file.
  ///
  /// - Throws: `SessionError`, `OutboxError.full`, `PersistenceError`, `DiskStoreError`, or
  ///   `CancellationError`.
  /// - Complexity: O(bytes).
  @discardableResult
  public func enqueue(
    _ bytes: [UInt8], type: String, name: String, fields: [String: String] = [:],
    key: IdempotencyKey = IdempotencyKey(), scope: SyncScope = .upload,
    dependencies: [MutationDependency] = []
  ) async throws -> OutboxEntry {
    try await enqueue(name, type, fields, key, scope, dependencies) { [files] in
      try await files.add(bytes, as: $0, of: $1)
    }
  }

  /// The bytes of a file that the server does not have yet; `nil` if no upload of that name waits.
  ///
  /// An app can use it to show a file before the file is sent. Only uploads of the signed-in
  /// account count.
  ///
  /// - Throws: `PersistenceError`, or `DiskStoreError` if the copy cannot be read.
  /// - Complexity: O(waiting uploads + size of the file).
  public func waitingBytes(named name: String) async throws -> [UInt8]? {
    guard let ticket = outbox.session.current else { return nil }
    let payloads = try await outbox.persistence.read { [collection] transaction in
      try transaction.rows(
        """
        SELECT payload FROM sync_outbox
        WHERE account = \(ticket.account) AND collection = \(collection)
        """, as: Data.self)
    }
    let uploads = payloads.lazy.compactMap {
      try? JSONDecoder().decode(StoredUpload.self, from: $0)
    }
    guard let stored = uploads.first(where: { $0.name == name }) else { return nil }
    return try await files.bytes(stored.file, of: ticket.account, at: 0, count: stored.size)
  }

  /// - Parameter add: Makes the copy with a name for an account, and returns its size.
  private func enqueue(
    _ name: String, _ type: String, _ fields: [String: String], _ key: IdempotencyKey,
    _ scope: SyncScope, _ dependencies: [MutationDependency],
    add: (String, AccountID) async throws -> Int
  ) async throws -> OutboxEntry {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let file = SystemValues.uuid().uuidString
    var isStored = false
    do {
      let stored = StoredUpload(
        file: file, name: name, type: type, size: try await add(file, ticket.account),
        fields: fields)
      let payload = try JSONEncoder().encode(stored)
      let draft = OutboxDraft(
        key: key, collection: collection, scope: scope, kind: "upload", payload: payload,
        dependencies: dependencies)
      let entry = try await outbox.enqueue(draft, as: ticket) { _, _ in }
      // If the outbox already had an entry with this key, that entry has its own copy.
      isStored = entry.payload == payload
      await files.endAdding(file, of: ticket.account, isStored: isStored)
      return entry
    } catch {
      await files.endAdding(file, of: ticket.account, isStored: false)
      throw error
    }
  }

  /// Yields the progress of the uploads that have begun and have not finished.
  ///
  /// Each value is ``NetworkProgress/sent(_:of:)``, with the bytes that the server has stored and
  /// the size of the file. The stream begins with the current progress. A slow consumer gets only
  /// the latest progress.
  public func progress() -> AsyncStream<[IdempotencyKey: NetworkProgress]> { broadcast.stream() }

  /// Shows the progress of an upload, and returns whether the server has more bytes than before.
  ///
  /// For the first number that the server reports in a session, this returns `false`.
  private func report(
    _ sent: Int?, of size: Int, _ key: IdempotencyKey, _ ticket: SessionTicket
  ) -> Bool {
    let (wakeups, reached): (Changed?, Int?) = state.withLock { state in
      // The end of a session invalidates the ticket before it clears the progress.
      guard ticket.isCurrent, !state.gate.isShut else { return (nil, nil) }
      let reached = state.reached[key]
      state.progress[key] = sent.map { .sent($0, of: size) }
      state.reached[key] = sent.map { max($0, reached ?? 0) }
      // Added under the lock, so streams get the latest state last.
      return (broadcast.add(state.progress, beginning: state.progress), reached)
    }
    wakeups?.resume()
    guard let sent, let reached else { return false }
    return sent > reached
  }

  private func begin(_ ticket: SessionTicket) {
    let ended: (sweeping: Task<Void, Never>?, wakeups: Changed)? = state.withLock { state in
      state.gate.began(ticket)
      guard ticket.isCurrent else { return nil }
      let sweeping = state.endUploads()
      state.sweeping = Task { [weak self, surroundings = outbox.loop.surroundings] in
        var failures = 0
        while !Task.isCancelled {
          do { return try await self?.sweep(ticket) ?? () } catch {
            failures += 1
            let delay = Backoff().delay(afterAttempts: failures, random: surroundings.random())
            try? await surroundings.sleep(delay)
          }
        }
      }
      return (sweeping, broadcast.add([:], beginning: [:]))
    }
    ended?.sweeping?.cancel()
    ended?.wakeups.resume()
  }

  private func end(_ ticket: SessionTicket) {
    let ended: (sweeping: Task<Void, Never>?, wakeups: Changed)? = state.withLock { state in
      guard state.gate.ended(ticket) else { return nil }
      return (state.endUploads(), broadcast.add([:], beginning: [:]))
    }
    ended?.sweeping?.cancel()
    ended?.wakeups.resume()
  }

  /// Removes the progress of an upload that has no entry any more.
  private func forget(_ key: IdempotencyKey) {
    let wakeups: Changed? = state.withLock { state in
      state.reached[key] = nil
      guard state.progress.removeValue(forKey: key) != nil else { return nil }
      return broadcast.add(state.progress, beginning: state.progress)
    }
    wakeups?.resume()
  }

  /// Removes the copy of an upload that has no entry and no dead letter any more.
  ///
  /// If this fails, or if the process ends first, the next session removes the copy.
  private static func removeCopy(of upload: EndedMutation, _ files: UploadFiles) {
    guard let payload = upload.payload,
      let stored = try? JSONDecoder().decode(StoredUpload.self, from: payload)
    else { return }
    Task { try? await files.remove([stored.file], of: upload.account) }
  }

  /// The copies of other accounts that stay at a sign-in, because they were not sent.
  ///
  /// The value of an account is `nil` if the payload of an entry cannot be decoded. Its copy is then
  /// unknown, so no copy is removed.
  private static func copies(
    keptIn persistence: any PersistenceService, _ collection: String,
    after wipe: SessionParticipant.Wipe
  ) async throws -> [AccountID: Set<String>?] {
    guard case .allExcept(let account) = wipe else { return [:] }
    struct Kept: Decodable, Sendable {
      var account: AccountID
      var payload: Data
    }
    let kept = try await persistence.read { transaction in
      try transaction.rows(
        """
        SELECT account, payload FROM sync_outbox
        WHERE account <> \(account) AND collection = \(collection)
        UNION ALL SELECT account, payload FROM sync_dead_letter
        WHERE account <> \(account) AND collection = \(collection)
        """, as: Kept.self)
    }
    return kept.reduce(into: [:]) { copies, upload in
      let file = try? JSONDecoder().decode(StoredUpload.self, from: upload.payload).file
      guard let file, let known = copies[upload.account, default: []] else {
        return copies[upload.account] = .some(nil)
      }
      copies[upload.account] = known.union([file])
    }
  }

  /// Removes the copies that no entry and no dead letter refers to.
  ///
  /// The copies are listed before the entries are read. So a copy that is added later is not in the
  /// list, and each listed copy that has an entry is found.
  ///
  /// - Complexity: O(uploads).
  private func sweep(_ ticket: SessionTicket) async throws {
    let names = try await files.names(of: ticket.account)
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
    // If the payload of an entry cannot be decoded, its copy is unknown, so no copy is removed.
    guard !used.contains(nil) else { return }
    let unused = Set(names).subtracting(used.compactMap(\.self))
    try await files.remove(Array(unused), of: ticket.account)
  }
}
