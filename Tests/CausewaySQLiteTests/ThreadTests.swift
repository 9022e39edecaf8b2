import CausewayData
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewaySQLite

/// Runs all jobs in order on one thread, as a simulation does.
private final class OneThread: TaskExecutor {
  static let name = "one thread"
  private let queue = Mutex<[UnownedJob]>([])
  private let signal = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [self] in
      Thread.current.threadDictionary[Self.name] = true
      while true {
        signal.wait()
        let job = queue.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let job else { return }
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { $0.append(job) }
    signal.signal()
  }

  /// Ends the thread.
  func end() {
    signal.signal()
  }
}

/// Delays a read on a thread that may be blocked.
private final class Latch: Sendable {
  let begun = Gate()
  private let semaphore = DispatchSemaphore(value: 0)

  /// Returns whether the gate was opened before the timeout.
  func wait() -> Bool {
    begun.open()
    return semaphore.wait(timeout: .now() + 300) == .success
  }

  func open() {
    semaphore.signal()
  }
}

@Suite(.timeLimit(.minutes(10))) struct ThreadTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(
    _ change: (inout SQLiteConfiguration) -> Void = { _ in }
  ) async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    configuration.foreignCommitInterval = nil
    change(&configuration)
    return try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
  }

  @Test func `Long reads and writes do not block the threads of other tasks`() async throws {
    // There are more operations than task threads in the process.
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let service = try await open { $0.readers = count }
    let latches = (0..<count).map { _ in Latch() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for latch in latches { group.addTask { try await service.read { _ in latch.wait() } } }
      for latch in latches { await latch.begun.wait() }
      let other = Task { @concurrent in await Task.yield() }
      await other.value
      for latch in latches { latch.open() }
      for try await wasOpened in group { #expect(wasOpened) }
    }
    let latch = Latch()
    async let written = service.write { _ in latch.wait() }
    await latch.begun.wait()
    latch.open()
    #expect(try await written)
    try await service.close()
  }

  @Test func `A long read delays neither writes nor other reads, for every log size`()
    async throws
  {
    let service = try await open { $0.checkpointPages = 1 }
    let latch = Latch()
    async let read = service.read { _ in latch.wait() }
    await latch.begun.wait()
    for id in 0..<40 { try await service.add(id, "boat \(id)") }
    #expect(try await service.boatNames().count == 40)
    latch.open()
    #expect(try await read)
    // When the read has ended, the log restarts.
    for id in 40..<80 { try await service.add(id, "boat \(id)") }
    let log = try FileManager.default.attributesOfItem(atPath: directory.file + "-wal")
    #expect((log[.size] as? Int ?? .max) < 40 * 4_096)
    try await service.close()
  }

  @Test func `Without threads of its own, a service runs all statements on the caller's executor`()
    async throws
  {
    let executor = OneThread()
    defer { executor.end() }
    try await Task(executorPreference: executor) {
      let service = try await open { $0.threads = nil }
      let areRight = Log<Bool>()
      try await service.write { _ in areRight.append(Self.isOn(OneThread.name)) }
      try await service.read { _ in areRight.append(Self.isOn(OneThread.name)) }
      #expect(areRight.all == [true, true])
      try await service.close()
    }.value
  }

  @Test func `At most half of the threads of all tasks run statements`() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let service = try await open { $0.readers = count }
    let latches = (0..<count).map { _ in Latch() }
    let areSeparate = Log<Bool>()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for latch in latches {
        group.addTask {
          try await service.read { _ in
            areSeparate.append(Self.isOn(BlockingThreads.sqlite.name))
            return latch.wait()
          }
        }
      }
      for latch in latches { await latch.begun.wait() }
      for latch in latches { latch.open() }
      for try await wasOpened in group { #expect(wasOpened) }
    }
    // The statements of other tests may take the places too.
    #expect(areSeparate.all.count { $0 } >= count - count / 2)
    try await service.close()
  }

  @MainActor @Test func `Statements of the main actor run on the threads of the service`()
    async throws
  {
    let service = try await open()
    let areSeparate = Log<Bool>()
    for _ in 0..<3 {
      try await service.write { _ in areSeparate.append(Self.isOn(BlockingThreads.sqlite.name)) }
      try await service.read { _ in areSeparate.append(Self.isOn(BlockingThreads.sqlite.name)) }
    }
    #expect(areSeparate.all == Array(repeating: true, count: 6))
    try await service.close()
  }

  private static func isOn(_ thread: String) -> Bool {
    Thread.current.threadDictionary[thread] != nil
  }
}
