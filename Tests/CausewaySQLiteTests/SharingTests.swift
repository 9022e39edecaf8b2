import CSQLite
import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySQLite

@Suite struct SharingTests {
  struct Refused: Error {}
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func impatient(_ timeout: Duration) -> SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = timeout
    return configuration
  }

  private var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: directory.file + "-wal")
    return attributes?[.size] as? Int ?? 0
  }

  @Test func `A write waits for another program's lock, then throws a busy error`() async throws {
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: impatient(.milliseconds(60)))
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE; INSERT INTO boat VALUES (1, 'Foreign')")
    #expect(await failure { try await service.add(2, "Bea") } == .busy)
    #expect(try await service.boatNames().isEmpty)
    try other.run("COMMIT")
    try await service.add(2, "Bea")
    #expect(try await service.boatNames() == ["Foreign", "Bea"])
  }

  @Test func `Waiting for a lock blocks no thread, and all waiting writes share one commit`()
    async throws
  {
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: impatient(.seconds(600)))
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let log = logSize
    let writes = (1...100).map { id in
      Task {
        try await service.write { transaction in
          try transaction.insert(Boat(id: id, name: "boat"), into: "boat")
          if id % 10 == 0 { throw Refused() }
        }
      }
    }
    await until { service.writer.queue.count >= 99 }
    try other.run("COMMIT")
    var refused = 0
    for write in writes {
      do { try await write.value } catch is Refused { refused += 1 }
    }
    #expect(refused == 10)
    #expect(try await service.boatNames().count == 90)
    // If each write had committed separately, each would have added at least one page.
    #expect((logSize - log) / 4096 < 10)
  }

  @Test(.timeLimit(.minutes(10)))
  func `A write that failed keeps its own error when the shared commit fails too`() async throws {
    let layer = try FaultLayer(directory)
    var configuration = impatient(.seconds(600))
    configuration.vfs = layer.name
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let writes = (1...4).map { id in
      Task {
        try await service.write { transaction in
          try transaction.insert(Boat(id: id, name: "boat"), into: "boat")
          if id == 2 { throw Refused() }
        }
      }
    }
    await until { service.writer.queue.count >= 3 }
    layer.arm(.write, nth: 1, code: 13, lasts: true)
    try other.run("COMMIT")
    var (refused, failed) = (0, 0)
    for write in writes {
      do { try await write.value } catch is Refused { refused += 1 } catch { failed += 1 }
    }
    layer.disarm()
    #expect(refused == 1)
    #expect(failed == 3)
    #expect(try await service.boatNames().isEmpty)
    try await service.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `Live queries see the changes of each write that shares a commit`() async throws {
    let service = try await SQLiteService(
      path: directory.file,
      migrations: boats + [Migration("crew", "CREATE TABLE crew (name TEXT)")],
      configuration: impatient(.seconds(600)))
    var boats = service.observe("SELECT name FROM boat", as: String.self).makeAsyncIterator()
    var crew = service.observe("SELECT name FROM crew", as: String.self).makeAsyncIterator()
    #expect(try await boats.next() == [])
    #expect(try await crew.next() == [])
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    // Either write can be the last one of the commit.
    let writes = [
      Task { try await service.add(1, "Dory") },
      Task {
        try await service.write { try $0.execute("INSERT INTO crew VALUES (\("Ada"))") }
      },
    ]
    await until { service.writer.queue.count >= 1 }
    try other.run("COMMIT")
    for write in writes { try await write.value }
    #expect(try await boats.next() == ["Dory"])
    #expect(try await crew.next() == ["Ada"])
  }

  @Test func `A deferred violation fails only the write that made it`() async throws {
    let service = try await SQLiteService(
      path: directory.file,
      migrations: boats + [
        Migration(
          "crew",
          "CREATE TABLE crew (boat INTEGER REFERENCES boat DEFERRABLE INITIALLY DEFERRED)")
      ], configuration: impatient(.seconds(600)))
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let writes = (1...3).map { id in
      let boat: Int? = id == 2 ? 9 : nil
      return Task { () -> PersistenceError.Kind? in
        await failure {
          try await service.write { try $0.execute("INSERT INTO crew VALUES (\(boat))") }
        }
      }
    }
    await until { service.writer.queue.count >= 2 }
    try other.run("COMMIT")
    var kinds: [PersistenceError.Kind?] = []
    for write in writes { kinds.append(await write.value) }
    #expect(kinds == [nil, .constraint(.foreignKey), nil])
    let count = try await service.read { try $0.row("SELECT count(*) FROM crew", as: Int.self) }
    #expect(count == 2)
  }

  @Test func `Writes that wait for one lock time out together`() async throws {
    let start = ContinuousClock.now
    func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
    var wait = LockWait()
    // Writes that wait only for other writes have no lock timeout.
    #expect(wait.start(of: start, now: after(7)) == after(7))
    wait.giveUp(since: after(7))
    #expect(wait.start(of: start, now: after(12)) == after(7))
    #expect(wait.start(of: after(9), now: after(12)) == after(9))
    wait.giveUp(since: after(12))
    #expect(wait.start(of: start, now: after(13)) == after(7))
    // A later write has its full timeout.
    #expect(wait.start(of: after(60), now: after(60)) == after(60))
    wait.end()
    #expect(wait.start(of: start, now: after(61)) == after(61))

    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: impatient(.milliseconds(60)))
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let writes = (1...20).map { id in
      Task { await failure { try await service.add(id, "boat") } }
    }
    for write in writes { #expect(await write.value == .busy) }
    try other.run("COMMIT")
    try await service.add(21, "late")
    #expect(try await service.boatNames() == ["late"])
  }

  @Test func `A cancelled waiting write never runs`() async throws {
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: impatient(.seconds(600)))
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let leader = Task { try await service.add(1, "leader") }
    let follower = Task { try await service.add(2, "follower") }
    await until { service.writer.queue.count >= 1 }
    follower.cancel()
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await follower.value }
    await #expect(throws: CancellationError.self) { try await leader.value }
    try other.run("COMMIT")
    try await service.add(3, "Cara")
    #expect(try await service.boatNames() == ["Cara"])
  }

  @Test func `Cancelling stops a running read`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let isRunning = Signal()
    let read = Task {
      try await service.read { transaction in
        isRunning.send()
        return try transaction.row(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
          """, as: Int.self)
      }
    }
    // Another thread cancels the read, because on one core the query occupies the only task thread.
    Thread { if isRunning.wait() { read.cancel() } }.start()
    await #expect(throws: CancellationError.self) { try await read.value }
    #expect(try await service.boatNames().isEmpty)
  }

  @Test func `Cancelling ends a waiting read`() async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    let pool = service.readers
    await pool.pause()
    let read = Task { try await service.boatNames() }
    await until { pool.waitingCount != 0 }
    read.cancel()
    await #expect(throws: CancellationError.self) { _ = try await read.value }
    pool.resume()
    #expect(try await service.boatNames().isEmpty)
  }

  @Test func `Concurrent reads and writes never see half a transaction`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...200 {
        group.addTask {
          try await service.write { transaction in
            try transaction.insert(Boat(id: id, name: "a"), into: "boat")
            try transaction.insert(Boat(id: -id, name: "b"), into: "boat")
          }
        }
        group.addTask {
          let count = try await service.read {
            try $0.row("SELECT count(*) FROM boat", as: Int.self) ?? -1
          }
          #expect(count % 2 == 0)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await service.boatNames().count == 400)
  }

  @Test func `The log stays small during continuous overlapping reads`() async throws {
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.checkpointPages = 50
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    var largest = 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while !Task.isCancelled { _ = try? await service.boatNames() }
        }
      }
      for _ in 1...scaled(1_000) {
        try await service.write {
          try $0.execute("REPLACE INTO boat VALUES (1, hex(zeroblob(6000)))")
        }
        largest = max(largest, logSize)
      }
      group.cancelAll()
    }
    // 1,000 commits of at least 4 pages each are 16 MB; the limit is 200 pages and one commit.
    #expect(largest < 300 * 4_120)
  }

  @Test func `Closing waits for writes, checkpoints to the main file and rejects later writes`()
    async throws
  {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let writes = (1...20).map { id in Task { try await service.add(id, "boat") } }
    for write in writes { try await write.value }
    try await service.close()
    try await service.close()
    #expect(logSize == 0)
    #expect(await failure { try await service.add(99, "late") } == .closed)
    #expect(await failure { _ = try await service.boatNames() } == .closed)
    let again = try await SQLiteService(path: directory.file, migrations: boats)
    #expect(try await again.boatNames().count == 20)
  }
}
