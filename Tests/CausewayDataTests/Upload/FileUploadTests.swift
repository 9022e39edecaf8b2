import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySync

/// Files that an outbox uploads in parts.
@Suite(.timeLimit(.minutes(10)))
final class FileUploadTests: Sendable {
  /// A server in memory that refuses parts, fails, or stores only half of a part.
  private actor Shelf: UploadServer {
    enum Fault {
      case none
      /// Loses all stored bytes and then fails.
      case loss(RemoteFailure)
      /// Forgets the upload and then answers with a status.
      case gone(status: Int)
      case fail(RemoteFailure)
      /// Stores the first half of the part and then fails.
      case half(RemoteFailure)
      /// Stores the part and then fails.
      case lostAnswer(RemoteFailure)
      case hold(Gate, reached: Log<Void>)
    }

    private(set) var stored: [IdempotencyKey: [UInt8]] = [:]
    private(set) var offsets: [Int] = []
    private(set) var uploads: [Upload] = []
    private var faults: [Fault] = []

    func spoil(_ faults: [Fault]) { self.faults += faults }

    func storedSize(of upload: Upload) -> Int? { stored[upload.key]?.count }

    func store(_ part: UploadPart, of upload: Upload) async throws -> Int {
      let fault = faults.isEmpty ? nil : faults.removeFirst()
      if case .hold(let gate, let reached) = fault {
        reached.append(())
        await gate.wait()
        try Task.checkCancellation()
      }
      if case .fail(let failure) = fault { throw failure }
      if case .loss(let failure) = fault {
        stored[upload.key] = []
        throw failure
      }
      if case .gone(let status) = fault {
        stored[upload.key] = nil
        throw NetworkError(.status, message: "there is nothing", status: status)
      }
      let known = stored[upload.key] ?? []
      guard part.offset == known.count else { throw RemoteFailure(.conflict) }
      if known.isEmpty { uploads.append(upload) }
      offsets.append(part.offset)
      if case .half(let failure) = fault {
        stored[upload.key] = known + part.bytes.prefix(part.bytes.count / 2)
        throw failure
      }
      stored[upload.key] = known + part.bytes
      if case .lostAnswer(let failure) = fault { throw failure }
      return known.count + part.bytes.count
    }
  }

  /// In memory if the system offers such a place, because each copy is synchronised.
  private let directory = FileManager.default.fastTemporaryDirectory
    .appending(path: "uploads-\(UUID().uuidString)")
  private let shelf = Shelf()

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

  /// Writes a file, and returns its path.
  private func file(_ count: Int) throws -> String {
    let url = directory.appending(path: "photo-\(count).jpeg")
    try Data(bytes(count)).write(to: url)
    return url.path
  }

  private func uploads(_ desk: Desk, partSize: Int = 10) -> FileUploads {
    FileUploads(
      outbox: desk.outbox, server: shelf, directory: directory.appending(path: "copies").path,
      partSize: partSize)
  }

  /// The names of all copies.
  private func copies() throws -> [String] {
    let folder = directory.appending(path: "copies").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.contains("/") }
  }

  private func waitUntilSwept() async throws {
    while try !copies().isEmpty { await Task.yield() }
  }

  @Test(arguments: [0, 1, 10, 95])
  func `a file arrives whole, and its copy is removed afterwards`(_ size: Int) async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let path = try file(size)
    let entry = try await uploads.enqueue(path, type: "image/jpeg", fields: ["album": "7"])
    try FileManager.default.removeItem(atPath: path)
    #expect(try copies().count == 1)
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(await shelf.stored == [entry.key: bytes(size)])
    let upload = try #require(await shelf.uploads.first)
    #expect(upload.name == "photo-\(size).jpeg")
    #expect(upload.fields == ["album": "7"])
    try await waitUntilSwept()
  }

  @Test(arguments: [0, 1, 95])
  func `bytes in memory arrive whole, and can be read until then`(_ size: Int) async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let entry = try await uploads.enqueue(bytes(size), type: "image/jpeg", name: "photo")
    #expect(try await uploads.waitingBytes(named: "photo") == bytes(size))
    #expect(try await uploads.waitingBytes(named: "another photo") == nil)
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(await shelf.stored == [entry.key: bytes(size)])
    #expect(await shelf.uploads.map(\.name) == ["photo"])
    #expect(try await uploads.waitingBytes(named: "photo") == nil)
    try await waitUntilSwept()
  }

  @Test func `a refused upload keeps its name when it is sent again with another key`()
    async throws
  {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let (gate, reached) = (Gate(), Log<Void>())
    await shelf.spoil([.fail(RemoteFailure(.rejected)), .hold(gate, reached: reached)])
    let entry = try await uploads.enqueue(bytes(9), type: "image/jpeg", name: "photo")
    let rejections = desk.outbox.rejections()
    desk.outbox.start()
    for await _ in rejections { break }
    #expect(try await uploads.waitingBytes(named: "photo") == nil)
    let key = try await desk.outbox.resend(entry.key)
    #expect(key != entry.key)
    await reached.wait(for: 1)
    #expect(try await uploads.waitingBytes(named: "photo") == bytes(9))
    gate.open()
    try await desk.waitUntilCovered()
    #expect(await shelf.stored == [key: bytes(9)])
    #expect(await shelf.uploads.map(\.name) == ["photo"])
  }

  @Test func `an upload can be read by its own account only`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    try await uploads.enqueue(bytes(3), type: "image/jpeg", name: "photo")
    try await desk.session.signIn("ben")
    #expect(try await uploads.waitingBytes(named: "photo") == nil)
  }

  @Test(arguments: [404, 410])
  func `an upload that the server has forgotten begins again`(status: Int) async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    await shelf.spoil([.none, .none, .none, .gone(status: status), .none, .none])
    let entry = try await uploads.enqueue(try file(95), type: "image/jpeg")
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(await shelf.stored == [entry.key: bytes(95)])
    #expect(await shelf.offsets == [0, 10, 20] + (0..<10).map { $0 * 10 })
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `an upload that the server always forgets becomes a dead letter`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    await shelf.spoil((0..<100).map { $0.isMultiple(of: 2) ? .none : .gone(status: 404) })
    try await uploads.enqueue(try file(95), type: "image/jpeg")
    let rejections = desk.outbox.rejections()
    desk.outbox.start()
    let advancing = desk.clock.advancingOverAllWaits()
    for await letter in rejections {
      #expect(letter.reason == .garbled)
      break
    }
    advancing.cancel()
    withExtendedLifetime(uploads) {}
  }

  @Test func `the first part of an upload is refused if there is no such address`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    await shelf.spoil([.gone(status: 404)])
    try await uploads.enqueue(try file(95), type: "image/jpeg")
    let rejections = desk.outbox.rejections()
    desk.outbox.start()
    for await letter in rejections {
      #expect(letter.reason == .rejected)
      break
    }
    withExtendedLifetime(uploads) {}
  }

  @Test func `copies that were not sent stay when a session ends without a logout`() async throws {
    let desk = try await Desk(account: "ada")
    let uploads = uploads(desk)
    let entry = try await uploads.enqueue(try file(20), type: "image/jpeg")
    try await desk.session.signIn("bob")
    #expect(try copies().count == 1)
    try await uploads.enqueue(try file(21), type: "image/jpeg")
    desk.outbox.start()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE account = 'bob'")
    #expect(await shelf.stored[entry.key] == nil)
    try await desk.session.signIn("ada")
    try await desk.waitUntilCovered()
    #expect(await shelf.stored[entry.key] == bytes(20))
    try await waitUntilSwept()
  }

  @Test func `copies without an upload go when another account signs in`() async throws {
    let desk = try await Desk(account: "ada")
    let uploads = uploads(desk)
    try await uploads.enqueue(try file(20), type: "image/jpeg")
    let folder = try #require(try copies().first).split(separator: "/")[0]
    try Data([1]).write(to: directory.appending(path: "copies/\(folder)/stray"))
    try await desk.session.signIn("bob")
    #expect(try copies().count == 1)
    try await desk.outbox.removeData(of: "ada")
    try await waitUntilSwept()
    withExtendedLifetime(uploads) {}
  }

  @Test func `the number of reads does not grow with the number of uploads`() async throws {
    let reads = Log<Void>()
    let desk = try await Desk(
      persistence: HookedPersistence(
        service: try await makeStore(), beforeRead: { reads.append(()) }))
    let uploads = uploads(desk)
    let path = try file(1)
    for _ in 0..<60 { try await uploads.enqueue(path, type: "image/jpeg") }
    let before = reads.all.count
    desk.outbox.start()
    try await desk.waitUntilCovered()
    try await waitUntilSwept()
    #expect(reads.all.count - before < 20)
  }

  @Test func `an upload continues where it stopped, also in the next run`() async throws {
    let desk = try await Desk()
    let (gate, reached) = (Gate(), Log<Void>())
    var first: FileUploads? = uploads(desk)
    let entry = try await first?.enqueue(try file(95), type: "image/jpeg")
    await shelf.spoil([
      .half(RemoteFailure(.unreachable)), .lostAnswer(RemoteFailure(.timedOut)),
      .hold(gate, reached: reached),
    ])
    let run = Task { await desk.outbox.run() }
    let advancing = desk.clock.advancingOverAllWaits()
    await reached.wait(for: 1)
    advancing.cancel()
    run.cancel()
    gate.open()
    await run.value
    #expect(await shelf.offsets == [0, 5])
    first = nil

    let again = try await Desk(persistence: desk.persistence)
    let second = uploads(again)
    var seen: Set<NetworkProgress> = []
    let progress = second.progress()
    again.outbox.start()
    let advancingAgain = again.clock.advancingOverAllWaits()
    try await again.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    advancingAgain.cancel()
    #expect(await shelf.offsets == [0, 5, 15, 25, 35, 45, 55, 65, 75, 85])
    #expect(await shelf.stored == [try #require(entry?.key): bytes(95)])
    for await state in progress {
      seen.formUnion(state.values)
      if state.isEmpty { break }
    }
    #expect(
      seen.allSatisfy { progress in
        if case .sent(let sent, of: 95) = progress { sent >= 15 } else { false }
      })
    try await waitUntilSwept()
  }

  @Test func `failures after some progress do not end an upload`() async throws {
    let desk = try await Desk(table: RetryTable(rules: [.garbled: .retry(limit: 2)]))
    let uploads = uploads(desk)
    try await uploads.enqueue(try file(200), type: "image/jpeg")
    var faults: [Shelf.Fault] = []
    for _ in 0..<10 { faults += [.half(RemoteFailure(.garbled)), .fail(.init(.garbled))] }
    await shelf.spoil(faults)
    desk.outbox.start()
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    advancing.cancel()
    #expect(await shelf.stored.values.map(\.count) == [200])
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `an upload ends if the server loses its parts again and again`() async throws {
    let desk = try await Desk(table: RetryTable(rules: [.garbled: .retry(limit: 2)]))
    let uploads = uploads(desk)
    try await uploads.enqueue(try file(20), type: "image/jpeg")
    await shelf.spoil((0..<20).map { $0.isMultiple(of: 2) ? .none : .loss(.init(.garbled)) })
    desk.outbox.start()
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    advancing.cancel()
    #expect(try await desk.outbox.deadLetters().map(\.reason) == [.garbled])
    withExtendedLifetime(uploads) {}
  }

  @Test func `an upload continues after a conflict at the offset that the server has`()
    async throws
  {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let entry = try await uploads.enqueue(try file(30), type: "image/jpeg")
    await shelf.spoil([
      .fail(RemoteFailure(.conflict)), .none, .lostAnswer(RemoteFailure(.conflict)),
    ])
    desk.outbox.start()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    #expect(try await desk.outbox.deadLetters().isEmpty)
    #expect(await shelf.offsets == [0, 10, 20])
    #expect(await shelf.stored == [entry.key: bytes(30)])
  }

  @Test func `a conflict that the server repeats is not a refusal`() async throws {
    let desk = try await Desk(table: RetryTable(rules: [.garbled: .retry(limit: 2)]))
    let uploads = uploads(desk)
    try await uploads.enqueue(try file(30), type: "image/jpeg")
    await shelf.spoil((0..<20).map { _ in .fail(RemoteFailure(.conflict)) })
    desk.outbox.start()
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    advancing.cancel()
    #expect(try await desk.outbox.deadLetters().map(\.reason) == [.garbled])
    withExtendedLifetime(uploads) {}
  }

  @Test func `a refused upload keeps its copy, and can be sent again or discarded`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let keys = [
      try await uploads.enqueue(try file(20), type: "image/jpeg").key,
      try await uploads.enqueue(try file(21), type: "image/jpeg").key,
    ]
    await shelf.spoil([.fail(RemoteFailure(.rejected)), .fail(RemoteFailure(.rejected))])
    desk.outbox.start()
    try await desk.wait(for: 2, "SELECT count(*) FROM sync_dead_letter")
    #expect(try copies().count == 2)
    let key = try await desk.outbox.resend(keys[0])
    try await desk.waitUntilCovered()
    #expect(await shelf.stored == [key: bytes(20)])
    try await desk.outbox.discard(keys[1])
    try await waitUntilSwept()
    withExtendedLifetime(uploads) {}
  }

  @Test func `a logout removes the copies of its account`() async throws {
    let desk = try await Desk(account: nil)
    let uploads = uploads(desk)
    try await desk.session.signIn("ada")
    try await uploads.enqueue(try file(20), type: "image/jpeg")
    #expect(try copies().count == 1)
    try await desk.session.logout()
    #expect(try copies().isEmpty)
    await #expect(throws: SessionError.self) {
      try await uploads.enqueue(try self.file(20), type: "image/jpeg")
    }
  }

  @Test func `copies of an interrupted run without an entry are removed`() async throws {
    let desk = try await Desk()
    var first: FileUploads? = uploads(desk)
    try await first?.enqueue(try file(20), type: "image/jpeg")
    let folder = try #require(try copies().first).split(separator: "/")[0]
    let stray = directory.appending(path: "copies/\(folder)/stray")
    try Data([1]).write(to: stray)
    first = nil
    let again = try await Desk(persistence: desk.persistence)
    let second = uploads(again)
    while FileManager.default.fileExists(atPath: stray.path) { await Task.yield() }
    #expect(try copies().count == 1)
    withExtendedLifetime(second) {}
  }

  @Test func `the removal of copies continues after a failed read`() async throws {
    let failures = Log<Void>()
    let hooked = HookedPersistence(
      service: try await makeStore(),
      beforeRead: {
        guard failures.all.count < 2 else { return }
        failures.append(())
        throw PersistenceError(.busy, message: "")
      })
    let desk = try await Desk(persistence: hooked)
    let folder = directory.appending(path: "copies/\(RecordName(AccountID.local.rawValue).file)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([1]).write(to: folder.appending(path: "stray"))
    let uploads = uploads(desk)
    let advancing = desk.clock.advancingOverAllWaits()
    try await waitUntilSwept()
    advancing.cancel()
    #expect(failures.all.count == 2)
    withExtendedLifetime(uploads) {}
  }

  @Test func `an upload whose copy cannot be read for a while is sent later`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    let entry = try await uploads.enqueue(try file(20), type: "image/jpeg")
    let copy = directory.appending(path: "copies/\(try #require(try copies().first))")
    // The system can find a folder at the path of the copy, but cannot read it as a file.
    let aside = directory.appending(path: "aside")
    try FileManager.default.moveItem(at: copy, to: aside)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT sum(attempts) FROM sync_outbox")
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.moveItem(at: aside, to: copy)
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    advancing.cancel()
    #expect(await shelf.stored == [entry.key: bytes(20)])
    #expect(try await desk.outbox.deadLetters().isEmpty)
    withExtendedLifetime(uploads) {}
  }

  @Test func `an upload whose copy is missing becomes a dead letter`() async throws {
    let desk = try await Desk()
    let uploads = uploads(desk)
    try await uploads.enqueue(try file(20), type: "image/jpeg")
    let copy = try #require(try copies().first)
    try FileManager.default.removeItem(at: directory.appending(path: "copies/\(copy)"))
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_dead_letter")
    #expect(try await desk.outbox.deadLetters().map(\.reason) == [.unsendable])
    withExtendedLifetime(uploads) {}
  }
}
