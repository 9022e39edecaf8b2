import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Files that fail", .timeLimit(.minutes(10))) struct FaultTests {
  private func resource(_ text: String) -> StoredResource {
    StoredResource(bytes: Array(text.utf8), validator: nil, loadedAt: 1)
  }

  @Test func `a file is synchronised before its rename, and the rename before the write returns`()
    async throws
  {
    let directory = TemporaryDirectory()
    let files = FaultyFiles()
    let store = DiskStore(
      directory: directory.path, bytes: 100_000, files: files, wallClock: .system,
      report: { _ in })
    _ = try await store.read("key")
    files.reset()
    try await store.write(resource("one"), for: "key") { true }
    #expect(
      files.operations
        == ["create", "write", "synchronize", "close", "rename", "date"])
  }

  @Test(arguments: FaultyFiles.Fault.allCases)
  func `after a failure or crash at any operation the old or the new value is readable`(
    fault: FaultyFiles.Fault
  ) async throws {
    var number = 0
    var hasReachedEnd = false
    while !hasReachedEnd {
      number += 1
      let directory = TemporaryDirectory()
      let files = FaultyFiles()
      let reports = Log<DiskStoreError>()
      let store = DiskStore(
        directory: directory.path, bytes: 3 * 4_096, files: files, wallClock: .system,
        report: { reports.append($0) })
      try await store.write(resource("other"), for: "other") { true }
      try await store.write(resource("old"), for: "key") { true }
      try await store.write(resource("third"), for: "third") { true }

      files.plant(fault, at: number)
      var hasWritten = false
      do {
        try await store.write(resource("new"), for: "key") { true }
        hasWritten = true
      } catch {
        // The write threw a typed error, so the old or the new value may be stored.
      }
      hasReachedEnd = files.operations.count < number
      await store.close()

      let later = DiskStore(directory: directory.path, bytes: 3 * 4_096) { reports.append($0) }
      let found = try await later.read("key")
      if hasWritten {
        #expect(found == resource("new"), "operation \(number)")
      } else {
        // A full disk may evict other values, and the old value if it is the oldest.
        #expect([nil, resource("old"), resource("new")].contains(found), "operation \(number)")
      }
      if fault != .fails {
        #expect(found != nil, "operation \(number)")
        #expect(try await later.read("other") == resource("other"))
      }
      #expect(directory.files().allSatisfy { !$0.hasPrefix("new-") }, "operation \(number)")
      #expect(directory.files(in: "damaged").isEmpty, "operation \(number)")
    }
    #expect(number >= 7)
  }

  @Test(arguments: [ENOSPC, EIO, EACCES])
  func `opening can fail at any operation and succeeds when retried`(code: Int32) async throws {
    let directory = TemporaryDirectory()
    let plain = DiskStore(directory: directory.path, bytes: 100_000)
    try await plain.write(resource("one"), for: "key") { true }
    await plain.close()
    try directory.write([1], to: "new-3")
    var number = 0
    var hasReachedEnd = false
    while !hasReachedEnd {
      number += 1
      let files = FaultyFiles()
      let store = DiskStore(
        directory: directory.path, bytes: 100_000, files: files, wallClock: .system,
        report: { _ in })
      files.plant(.fails, at: number, code: code)
      _ = try? await store.read("key")
      hasReachedEnd = files.operations.count < number
      files.reset()
      #expect(try await store.read("key") == resource("one"), "operation \(number)")
      await store.close()
    }
    #expect(number >= 5)
  }

  @Test func `a full disk makes the store evict files to free space`() async throws {
    let directory = TemporaryDirectory()
    let files = FaultyFiles()
    let store = DiskStore(
      directory: directory.path, bytes: 100_000, files: files, wallClock: .system,
      report: { _ in })
    for number in 0..<10 { try await store.write(resource("x"), for: "\(number)") { true } }
    files.plant(.fails, at: 2)
    try await store.write(resource("new"), for: "new") { true }
    #expect(try await store.read("new") == resource("new"))
    #expect(try await store.read("0") == nil)
    #expect(try await store.read("9") != nil)
  }

  @Test func `a disk that stays full throws a typed error`() async throws {
    let directory = TemporaryDirectory()
    let files = FaultyFiles()
    let store = DiskStore(
      directory: directory.path, bytes: 100_000, files: files, wallClock: .system,
      report: { _ in })
    _ = try await store.read("1")
    files.plant(.endsBefore, at: 1)
    let error = await #expect(throws: DiskStoreError.self) {
      try await store.write(resource("new"), for: "new") { true }
    }
    guard case .full = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a failed removal throws, and the value stays unreadable in this process`()
    async throws
  {
    let directory = TemporaryDirectory()
    let files = FaultyFiles()
    let store = DiskStore(
      directory: directory.path, bytes: 100_000, files: files, wallClock: .system,
      report: { _ in })
    try await store.write(resource("one"), for: "key") { true }
    files.plant(.fails, at: 1, code: EIO)
    await #expect(throws: DiskStoreError.self) { try await store.remove("key") }
    #expect(try await store.read("key") == nil)
  }
}
