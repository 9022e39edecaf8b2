import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Cache with a disk", .timeLimit(.minutes(10))) struct PersistedCacheTests {
  private let shelf = Shelf()
  private let directory = TemporaryDirectory()
  private let time = WallTime()
  private let failures = Log<String>()

  private func disk(_ files: any FileSystem = PosixFiles()) -> (
    DiskStore, ResourceDisk<Int, String>
  ) {
    let store = DiskStore(
      directory: directory.path, bytes: 1_000_000, files: files, wallClock: .system,
      report: { _ in })
    return (store, .json(store) { "\($0)" })
  }

  private func cache(_ disk: ResourceDisk<Int, String>) -> ResourceCache<Int, String> {
    makeCache(
      of: shelf, disk: disk, wallClock: WallClock { [time] in time.value },
      ignoresCancellation: true
    ) { [failures] key, error in failures.append("\(key): \(error)") }
  }

  /// Loads a key in a cache, releases the cache, and returns a new one on the same files.
  private func restart(_ keys: [Int] = [1]) async throws -> ResourceCache<Int, String> {
    let (store, disk) = disk()
    let first = cache(disk)
    for key in keys { _ = try await first.value(for: key) }
    await first.quiet()
    await store.close()
    return cache(self.disk().1)
  }

  @Test func `a value survives a restart of the process`() async throws {
    let cache = try await restart()
    time.value += 9_000
    #expect(cache.cached(1) == nil)
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(cache.cached(1) == "1.1")
    #expect(shelf.requests.all.count == 1)
  }

  // A sanitizer makes the test so slow that the system may remove the file from memory.
  @Test(.enabled(if: PosixFiles.canReadResident && !isSanitized))
  func `a value that the system has in memory does not wait for the disk's thread`() async throws {
    let (store, disk) = disk()
    var policy = ResourcePolicy.plain
    policy.memoryBytes = 0
    let cache = makeCache(
      of: shelf, policy, disk: disk, wallClock: WallClock { [time] in time.value })
    _ = try await cache.value(for: 1)
    await cache.quiet()
    let (isBusy, isOver) = (Gate(), Signal())
    let busy = Task {
      let other = StoredResource(bytes: [1], validator: nil, loadedAt: 0)
      try await store.write(other, for: "other") {
        isBusy.open()
        return isOver.wait()
      }
    }
    await isBusy.wait()
    // The system has the file in memory now.
    _ = try directory.read("r-31")
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(cache.isQuiet)
    isOver.send()
    try await busy.value
    #expect(shelf.requests.all.count == 1)
  }

  @Test func `a stale value from disk is returned and refreshed in the background`() async throws {
    let cache = try await restart()
    time.value += 15_000
    var updates = cache.updates().makeAsyncIterator()
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(await updates.next(isolation: nil)?.value == "1.2")
  }

  @Test func `a value from disk keeps its age`() async throws {
    let clock = ManualClock()
    _ = try await restart()
    time.value += 8_000
    let next = makeCache(
      of: shelf, clock: clock, disk: disk().1, wallClock: WallClock { [time] in time.value })
    #expect(try await next.value(for: 1) == "1.1")
    clock.advance(by: .seconds(1))
    #expect(await next.refreshStale() == 0)
    clock.advance(by: .seconds(1))
    #expect(await next.refreshStale() == 1)
  }

  @Test func `an expired value from disk is used to revalidate`() async throws {
    shelf.answer(1, .value("one", validator: "etag"))
    let cache = try await restart()
    time.value += 100_000
    shelf.answer(1, .notModified())
    #expect(try await cache.value(for: 1) == "one")
    #expect(shelf.requests.all.last == .init(key: 1, validator: "etag"))
  }

  @Test(arguments: [true, false])
  func `a value that may not be stored also removes the stored one`(
    isConfirmed: Bool
  ) async throws {
    shelf.answer(1, .value("one", validator: "etag"))
    let cache = try await restart()
    #expect(try await cache.value(for: 1) == "one")
    #expect(directory.files().filter(RecordName.isRecord).count == 1)
    shelf.answer(
      1, isConfirmed ? .notModified(mayStore: false) : .value("secret", mayStore: false))
    #expect(try await cache.refresh(1) == (isConfirmed ? "one" : "secret"))
    await cache.quiet()
    #expect(cache.cached(1) == (isConfirmed ? "one" : "secret"))
    #expect(directory.files().filter(RecordName.isRecord).isEmpty)
  }

  @Test func `a confirmed value is stored with its new validator`() async throws {
    shelf.answer(1, .value("one", validator: "old"))
    let cache = try await restart()
    #expect(try await cache.value(for: 1) == "one")
    shelf.answer(1, .notModified(validator: "new"))
    #expect(try await cache.refresh(1) == "one")
    await cache.quiet()
    #expect(try await cache.refresh(1) == "one")
    #expect(shelf.requests.all.last?.validator == "new")
  }

  @Test func `a restart keeps the time for which the server calls a value fresh`() async throws {
    var policy = ResourcePolicy.plain
    policy.serverFreshness = .zero ... .seconds(1_000)
    func open(_ disk: ResourceDisk<Int, String>) -> ResourceCache<Int, String> {
      makeCache(of: shelf, policy, disk: disk, wallClock: WallClock { [time] in time.value })
    }
    shelf.answer(1, .value("one", validator: "etag", freshFor: .seconds(500)))
    shelf.answer(2, .value("two", freshFor: .zero))
    let (store, disk) = disk()
    let first = open(disk)
    for key in [1, 2] { _ = try await first.value(for: key) }
    await first.quiet()
    await store.close()
    let second = open(self.disk().1)
    time.value += 499_000
    #expect(try await second.value(for: 1) == "one")
    #expect(second.status(of: 1).isFresh)
    time.value -= 490_000
    shelf.answer(2, .value("new"))
    #expect(try await second.value(for: 2) == "two")
    await second.quiet()
    #expect(second.cached(2) == "new")
    #expect(shelf.requests.all.map(\.key) == [1, 2, 2])
  }

  @Test func `a value with a date in the future does not stay fresh`() async throws {
    let cache = try await restart()
    time.value = 0
    var updates = cache.updates().makeAsyncIterator()
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(await updates.next(isolation: nil)?.value == "1.2")
  }

  @Test func `a value that cannot be decoded is loaded again and reported`() async throws {
    let cache = try await restart()
    let name = RecordName("1").file
    let record = StoredRecord.encode(
      StoredResource(bytes: Array("no JSON".utf8), validator: nil, loadedAt: time.value), key: "1")
    try directory.write(record, to: name)
    #expect(try await cache.value(for: 1) == "1.2")
    #expect(failures.all.count == 1)
  }

  @Test func `a removed key is not read from disk again`() async throws {
    let cache = try await restart([1, 2])
    try await cache.remove(1)
    #expect(try await cache.value(for: 1) == "1.3")
    #expect(try await cache.value(for: 2) == "2.2")
    try await cache.removeAll()
    await cache.quiet()
    #expect(directory.files().filter(RecordName.isRecord).isEmpty)
    #expect(try await cache.value(for: 2) == "2.4")
  }

  @Test(arguments: 0..<UInt64(30))
  func `after many concurrent operations the removed values stay removed`(seed: UInt64) async throws
  {
    let (store, disk) = disk()
    let cache = cache(disk)
    var random = SeededRandom(seed: seed)
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<60 {
      let key = Int.random(in: 0..<4, using: &random)
      let choice = Int.random(in: 0..<8, using: &random)
      tasks.append(
        Task {
          switch choice {
          case 0, 1, 2: _ = try? await cache.value(for: key)
          case 3, 4: _ = try? await cache.refresh(key)
          case 5: try? await cache.remove(key)
          case 6: cache.trim()
          default: try? await cache.removeAll()
          }
        })
      if Int.random(in: 0..<5, using: &random) == 0 { await tasks.randomElement()?.value }
      if Int.random(in: 0..<7, using: &random) == 0 { tasks.randomElement()?.cancel() }
    }
    try await cache.removeAll()
    // The earlier callers now fail or finish. They may load new values after the removal.
    for task in tasks { await task.value }
    for key in 0..<4 { try await cache.remove(key) }
    await cache.quiet()
    #expect(cache.memoryCount == 0)
    #expect(try await store.usedBytes() == 0)
    #expect(directory.files().filter(RecordName.isRecord).isEmpty)
    #expect(failures.all.isEmpty)
  }

  @Test func `a failing disk is reported, and the cache continues in memory`() async throws {
    let files = FaultyFiles()
    let cache = cache(disk(files).1)
    files.plant(.endsBefore, at: 1, code: EIO)
    for key in 0..<5 { #expect(try await cache.value(for: key).hasPrefix("\(key).")) }
    await cache.quiet()
    #expect(failures.all.count >= 5)
    for key in 0..<5 { #expect(cache.cached(key) != nil) }
  }

  @Test(arguments: 1...5)
  func `an older value does not return when the newer one could not be written`(
    operation: Int
  ) async throws {
    let files = FaultyFiles()
    let (store, disk) = disk(files)
    let first = cache(disk)
    _ = try await first.value(for: 1)
    await first.quiet()
    files.plant(.fails, at: operation, code: EIO)
    try await first.refresh(1)
    await first.quiet()
    #expect(failures.all.count == 1)
    await store.close()
    let second = cache(self.disk().1)
    #expect(try await second.value(for: 1) == "1.3")
  }
}

/// A clock that the user can set.
private final class WallTime: Sendable {
  private let milliseconds = Mutex<Int64>(1_000_000)

  var value: Int64 {
    get { milliseconds.withLock(\.self) }
    set { milliseconds.withLock { $0 = newValue } }
  }
}
