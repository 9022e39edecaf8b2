import CausewaySQLite
import Foundation
import TestSupport
import Testing

@testable import CausewayData

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

  @Test func `a damaged file is moved aside and reported, for every damaged byte`() async throws {
    try await fileBacking().save(first)
    let good = try directory.read("inner/drafts")
    for offset in good.indices {
      var bytes = good
      bytes[offset] ^= 0x10
      try directory.write(bytes, to: "inner/drafts")
      let backing = fileBacking()
      #expect(try await backing.load() == [:])
      #expect(reports.all.count == offset + 1)
      #expect(try directory.read("inner/drafts.damaged") == bytes)
    }
    for length in good.indices {
      try directory.write(Array(good.prefix(length)), to: "inner/drafts")
      #expect(try await fileBacking().load() == [:])
    }
    #expect(reports.all.count == 2 * good.count)
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
    try await fileBacking().save(second)
    #expect(try await backing.load() == [1: Draft(title: "uno")])
    try await backing.save(StoreChanges(updated: [3: Draft(title: "three")]))
    #expect(try await fileBacking().load().keys.sorted() == [1, 3])
  }

  @Test(arguments: [("write", 4), ("synchronize", 5), ("close", 6)])
  func `a full disk is reported with the path of the file`(operation: String, number: Int)
    async throws
  {
    let files = FaultyFiles()
    let backing = fileBacking(files)
    _ = try await backing.load()
    files.plant(.fails, at: number)
    await #expect(throws: DiskStoreError.full(path: path)) { try await backing.save(first) }
    #expect(files.operations[number - 1] == operation)
  }

  @Test(arguments: FaultyFiles.Fault.allCases)
  func `after a failure at any operation the file contains all of a save or nothing of it`(
    fault: FaultyFiles.Fault
  ) async throws {
    var number = 0
    var hasReachedEnd = false
    while !hasReachedEnd {
      number += 1
      try? FileManager.default.removeItem(atPath: directory.path)
      try await fileBacking().save(first)
      let files = FaultyFiles()
      let backing = fileBacking(files)
      _ = try await backing.load()
      files.plant(fault, at: number)
      var hasSaved = false
      do {
        try await backing.save(second)
        hasSaved = true
      } catch {
        #expect(error is DiskStoreError, "\(error)")
      }
      hasReachedEnd = files.operations.count < number
      let found = try await fileBacking().load()
      let after = [1: Draft(title: "uno")]
      #expect(found == after || (!hasSaved && found == first.updated), "operation \(number)")
      // The next save succeeds with any leftovers.
      try await fileBacking().save(second)
      #expect(try await fileBacking().load() == after, "operation \(number)")
    }
    #expect(number >= 9)
    #expect(reports.all.isEmpty)
  }
}
