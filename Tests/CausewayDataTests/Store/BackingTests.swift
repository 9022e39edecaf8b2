import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

private struct Draft: Codable, Equatable, Sendable {
  var title: String
  var tags: [String] = []
}

@Suite("Store backings", .timeLimit(.minutes(10))) struct BackingTests {
  private let directory = TemporaryDirectory()
  private let reports = Log<DiskStoreError>()
  private var path: String { directory.path + "/inner/drafts" }

  private func fileBacking(_ files: any FileSystem = PosixFiles()) -> FileBacking<Int, Draft> {
    FileBacking(path: path, files: files) { [reports] in reports.append($0) }
  }

  private let first = StoreChanges(
    updated: [1: Draft(title: "one", tags: ["a"]), 2: Draft(title: "two 'quoted' é")])
  private let second = StoreChanges(updated: [1: Draft(title: "uno")], removed: [2, 9])

  private func check(_ make: () async throws -> any StoreBacking<Int, Draft>) async throws {
    var backing = try await make()
    #expect(try await backing.load() == [:])
    try await backing.save(first)
    backing = try await make()
    #expect(try await backing.load() == first.updated)
    try await backing.save(second)
    #expect(try await backing.load() == [1: Draft(title: "uno")])
    backing = try await make()
    #expect(try await backing.load() == [1: Draft(title: "uno")])
  }

  @Test func `a file keeps the saved values`() async throws {
    try await check { fileBacking() }
  }

  @Test func `a table keeps the saved values`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "odd \"table\"")
    ])
    try await check { DatabaseBacking<Int, Draft>(service, table: "odd \"table\"") }
    try await service.close()
  }

  @Test func `a key is the same row in every Unicode spelling`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<String, Int>.migration(table: "visit")
    ])
    let backing = DatabaseBacking<String, Int>(service, table: "visit")
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    try #require(composed == decomposed)
    try await backing.save(StoreChanges(updated: [composed: 1]))
    try await backing.save(StoreChanges(updated: [decomposed: 2]))
    #expect(try await backing.load() == [composed: 2])
    try await backing.save(StoreChanges(updated: [composed: 3]))
    try await backing.save(StoreChanges(removed: [decomposed]))
    #expect(try await backing.load() == [:])
    try await service.close()
  }

  @Test func `a table applies all of the changes or none`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "draft"),
      Migration(
        "refuse",
        """
        CREATE TRIGGER refuse BEFORE DELETE ON draft BEGIN SELECT RAISE(ABORT, 'no'); END
        """),
    ])
    let backing = DatabaseBacking<Int, Draft>(service, table: "draft")
    try await backing.save(first)
    await #expect(throws: PersistenceError.self) { try await backing.save(second) }
    #expect(try await backing.load() == first.updated)
    try await service.close()
  }

  @Test func `a file of other types is moved aside`() async throws {
    try await FileBacking<Int, Int>(path: path).save(StoreChanges(updated: [1: 1]))
    #expect(try await fileBacking().load() == [:])
    #expect(reports.all.count == 1)
  }

  @Test func `a file that cannot be read throws an error and does not count as empty`() async throws
  {
    try await fileBacking().save(first)
    let files = FaultyFiles()
    let backing = fileBacking(files)
    files.plant(.fails, at: 1, code: EIO)
    await #expect(throws: DiskStoreError.self) { try await backing.save(second) }
    #expect(try await backing.load() == first.updated)
  }

  @Test func `changes made to the file are visible when it is loaded again`() async throws {
    let backing = fileBacking()
    try await backing.save(first)
    let bytes = try directory.read("inner/drafts")
    try await backing.save(second)
    try directory.write(bytes, to: "inner/drafts")
    #expect(try await backing.load() == first.updated)
    try await backing.save(StoreChanges(updated: [3: Draft(title: "three")]))
    #expect(try await backing.load().keys.sorted() == [1, 2, 3])
  }

  @Test func `a file that other code replaced or removed is replaced with all values`() async throws
  {
    let backing = fileBacking()
    try await backing.save(first)
    let bytes = try directory.read("inner/drafts")
    try await backing.save(second)
    try directory.write(bytes, to: "inner/drafts")
    try await backing.save(StoreChanges(updated: [3: Draft(title: "three")]))
    #expect(try await backing.load() == [1: Draft(title: "uno"), 3: Draft(title: "three")])
    try FileManager.default.removeItem(atPath: path)
    try await backing.save(StoreChanges(updated: [4: Draft(title: "four")]))
    #expect(try await backing.load().keys.sorted() == [1, 3, 4])
    try FileManager.default.removeItem(atPath: directory.path + "/inner")
    try await backing.save(StoreChanges(removed: [4]))
    #expect(try await backing.load().keys.sorted() == [1, 3])
    await #expect(throws: DiskStoreError.self) { try await fileBacking().load() }
  }

  @Test func `a store whose folder was deleted locks the file of its next save`() async throws {
    let backing = fileBacking()
    try await backing.save(first)
    try FileManager.default.removeItem(atPath: directory.path + "/inner")
    #expect(try await backing.load() == [:])
    try await backing.save(second)
    await #expect {
      try await fileBacking().load()
    } throws: { isInUse($0, path) }
  }

  @Test func `a second store of a file is refused until the first one is closed`() async throws {
    let backing = fileBacking()
    try await backing.save(first)
    let other = fileBacking()
    await #expect {
      try await other.load()
    } throws: { isInUse($0, path) }
    await #expect {
      try await other.save(second)
    } throws: { isInUse($0, path) }
    #expect(try await backing.load() == first.updated)
    let clock = ManualClock()
    let store = await ObservableStore(backing: other, clock: clock)
    let loading = Task { try await store.waitUntilLoaded(atMost: .seconds(10)) }
    // The store pauses after its first load has failed, and the caller waits.
    await clock.sleepers(2)
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: StoreFailure.self) { try await loading.value }
    #expect(error?.description.contains("\(path) is used by another store") == true)
    try await store.close()
    await backing.close()
    try await other.save(second)
    await #expect {
      try await backing.save(first)
    } throws: { isInUse($0, path) }
    await other.close()
    #expect(try await backing.load() == [1: Draft(title: "uno")])
  }

  @Test func `values of a file that did not exist at first do not replace another store's`()
    async throws
  {
    let backing = fileBacking()
    #expect(try await backing.load() == [:])
    let other = fileBacking()
    try await other.save(first)
    await other.close()
    try await backing.save(second)
    #expect(try await backing.load() == [1: Draft(title: "uno")])
  }

  @MainActor
  @Test func `closing a store lets another one use its file`() async throws {
    let store = ObservableStore(backing: fileBacking())
    store[1] = Draft(title: "one")
    try await store.close()
    let other = fileBacking()
    #expect(try await other.load() == [1: Draft(title: "one")])
    withExtendedLifetime(store) {}
  }

  @Test(arguments: ["write", "synchronize", "close"])
  func `a full disk is reported with the path of the file`(operation: String) async throws {
    let files = FaultyFiles()
    try await fileBacking(files).save(first)
    let number = try #require(files.operations.firstIndex(of: operation)) + 1
    try FileManager.default.removeItem(atPath: directory.path)
    files.plant(.fails, at: number)
    await #expect(throws: DiskStoreError.full(path: path)) {
      try await fileBacking(files).save(first)
    }
    #expect(files.operations[number - 1] == operation)
  }

  @Test func `the name of a new file is on the disk before its save returns`() async throws {
    let files = FaultyFiles()
    try await fileBacking(files).save(first)
    #expect(files.operations.suffix(2) == ["rename", "synchronize directory"])
  }

  @Test func `the name of an earlier process's file is on the disk before a save returns`()
    async throws
  {
    try await fileBacking().save(first)
    let files = FaultyFiles()
    let backing = fileBacking(files)
    try await backing.save(second)
    #expect(files.operations.contains("synchronize directory"))
    #expect(!files.operations.contains("rename"))
    files.reset()
    try await backing.save(first)
    #expect(!files.operations.contains("synchronize directory"))
  }

  @Test func `a save after a failed synchronisation does not trust the file`() async throws {
    let files = FaultyFiles()
    let backing = fileBacking(files)
    try await backing.save(first)
    files.reset()
    try await backing.save(second)
    #expect(!files.operations.contains("rename"))
    let number = try #require(files.operations.firstIndex(of: "synchronize")) + 1
    files.plant(.fails, at: number, code: EIO)
    await #expect(throws: DiskStoreError.self) { try await backing.save(first) }
    #expect(files.operations[number - 1] == "synchronize")
    files.reset()
    try await backing.save(first)
    #expect(files.operations.contains("rename"))
  }

  /// The steps of a save: to a new file, to the end of the file, and to a file with the remains of
  /// an interrupted save.
  enum Start: CaseIterable {
    case noFile, file, remains
  }

  @Test(arguments: FaultyFiles.Fault.allCases, Start.allCases)
  func `after a failure at any operation the file contains all of a save or nothing of it`(
    fault: FaultyFiles.Fault, start: Start
  ) async throws {
    var number = 0
    var hasReachedEnd = false
    let old = start == .noFile ? [:] : first.updated
    let after = start == .noFile ? first.updated : [1: Draft(title: "uno")]
    let changes = start == .noFile ? first : second
    while !hasReachedEnd {
      number += 1
      try? FileManager.default.removeItem(atPath: directory.path)
      if start != .noFile { try await fileBacking().save(first) }
      if start == .remains {
        let bytes = try directory.read("inner/drafts")
        try directory.write(bytes + bytes.prefix(20), to: "inner/drafts")
      }
      let files = FaultyFiles()
      var hasSaved = false
      do {
        let backing = fileBacking(files)
        _ = try await backing.load()
        files.plant(fault, at: number)
        do {
          try await backing.save(changes)
          hasSaved = true
        } catch {
          #expect(error is DiskStoreError, "\(error)")
        }
        // A backing that continues to work saves its changes later.
        if fault == .fails, !hasSaved {
          try await backing.save(changes)
          #expect(try await backing.load() == after, "operation \(number)")
          hasSaved = true
        }
        hasReachedEnd = files.operations.count < number
      }
      let found = try await fileBacking().load()
      #expect(found == after || (!hasSaved && found == old), "operation \(number)")
      // The next save succeeds with any leftovers.
      try await fileBacking().save(changes)
      #expect(try await fileBacking().load() == after, "operation \(number)")
    }
    #expect(number >= 4)
    #expect(reports.all.isEmpty)
  }
}
