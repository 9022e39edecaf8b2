import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Disk store", .timeLimit(.minutes(10))) struct DiskStoreTests {
  private let directory = TemporaryDirectory()
  private let reports = Log<DiskStoreError>()

  private func makeStore(bytes: Int = 1_000_000) -> DiskStore {
    DiskStore(directory: directory.path, bytes: bytes) { [reports] in reports.append($0) }
  }

  private func resource(_ text: String, validator: String? = nil) -> StoredResource {
    StoredResource(bytes: Array(text.utf8), validator: validator, loadedAt: 1_234)
  }

  /// A copy of this process's descriptor of a file.
  ///
  /// A child process holds such a copy while it starts.
  private func copyOfDescriptor(of path: String) throws -> Int32 {
    var wanted = stat()
    try #require(lstat(path, &wanted) == 0)
    for descriptor in Int32(3)..<4096 {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_ino == wanted.st_ino,
        status.st_dev == wanted.st_dev
      {
        return dup(descriptor)
      }
    }
    throw POSIXError(.ENOENT)
  }

  @Test func `a closed store releases its directory even while a child process starts`()
    async throws
  {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { true }
    let copy = try copyOfDescriptor(of: directory.path + "/" + DiskContents.lockName)
    defer { close(copy) }
    await store.close()
    #expect(try await makeStore().read("1") == resource("one"))
  }

  @Test func `a written value can be read, also by another store`() async throws {
    let store = makeStore()
    let empty = StoredResource(bytes: [], validator: "", loadedAt: -1)
    try await store.write(resource("one", validator: "etag"), for: "1") { true }
    try await store.write(empty, for: "") { true }
    try await store.write(resource("two"), for: "1") { true }
    #expect(try await store.read("1") == resource("two"))
    await store.close()
    let other = makeStore()
    #expect(try await other.read("1") == resource("two"))
    #expect(try await other.read("") == empty)
    #expect(try await other.read("2") == nil)
    #expect(reports.all.isEmpty)
  }

  @Test func `two stores do not share a directory`() async throws {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { true }
    await #expect {
      try await makeStore().read("1")
    } throws: { isInUse($0, directory.path) }
  }

  @Test(arguments: [
    "../../escape", "/etc/passwd", "..", ".", "", "a/b", "a\0b", "CON", "é", "e\u{301}", "É",
    "lock",
    "damaged", "new-1", "r-61", String(repeating: "x", count: 100),
    String(repeating: "x", count: 101), String(repeating: "x", count: 100_000),
  ])
  func `a key's file is inside the directory for every key`(key: String) async throws {
    let store = makeStore()
    try await store.write(resource(key), for: key) { true }
    #expect(try await store.read(key) == resource(key))
    let files = directory.files().filter { $0 != "lock" && $0 != "damaged" }
    #expect(files.count == 1)
    #expect(files.allSatisfy { RecordName.isRecord($0) && $0.utf8.count <= 255 })
    await store.close()
    #expect(try await makeStore().read(key) == resource(key))
  }

  @Test func `different keys use different files`() {
    var random = SeededRandom(seed: 1)
    var names: Set<String> = []
    var keys: Set<String> = ["A", "a", "aA", "Aa", "1", "01"]
    for _ in 0..<10_000 {
      let length = Int.random(in: 0..<150, using: &random)
      keys.insert(String((0..<length).map { _ in "abAB01/.".randomElement(using: &random) ?? "a" }))
    }
    for key in keys { names.insert(RecordName(key).file.lowercased()) }
    #expect(names.count == keys.count)
  }

  @Test func `equal keys use the same file even if their Unicode spelling differs`() {
    #expect(RecordName("é") == RecordName("e\u{301}"))
  }

  @Test func `a file renamed to another key is not read as that key's value`() async throws {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { true }
    await store.close()
    let bytes = try directory.read(RecordName("1").file)
    try directory.write(bytes, to: RecordName("2").file)
    let other = makeStore()
    #expect(try await other.read("2") == nil)
    #expect(try await other.read("1") == resource("one"))
    #expect(reports.all.isEmpty)
  }

  @Test
  func `the files stay within the limit and the least recent are removed, also after a restart`()
    async throws
  {
    let store = makeStore(bytes: 5 * 4_096)
    for number in 0..<5 { try await store.write(resource("x"), for: "\(number)") { true } }
    #expect(try await store.usedBytes() == 5 * 4_096)
    _ = try await store.read("0")
    await store.close()
    let other = makeStore(bytes: 5 * 4_096)
    try await other.write(resource(String(repeating: "x", count: 5_000)), for: "5") { true }
    #expect(try await other.usedBytes() == 5 * 4_096)
    for (number, isThere) in [true, false, false, true, true, true].enumerated() {
      #expect(try await (other.read("\(number)") != nil) == isThere, "\(number)")
    }
    await other.close()
    let smaller = makeStore(bytes: 2 * 4_096)
    #expect(try await smaller.usedBytes() == 2 * 4_096)
    #expect(directory.files().filter(RecordName.isRecord).count == 1)
  }

  @Test(.enabled(if: PosixFiles.canReadResident))
  func `a read without the store's thread counts as a use, also after a restart`() async throws {
    var store = makeStore(bytes: 3 * 4_096)
    for key in ["a", "b", "c"] { try await store.write(resource(key), for: key) { true } }
    #expect(await store.readWhenResident("b") == resource("b"))
    #expect(await store.readWhenResident("a") == resource("a"))
    try await store.write(resource("d"), for: "d") { true }
    #expect(store.readNow("c") == nil)
    #expect(await store.readWhenResident("b") == resource("b"))
    await store.close()
    #expect(store.readNow("b") == nil)
    store = makeStore(bytes: 3 * 4_096)
    try await store.write(resource("e"), for: "e") { true }
    #expect(store.readNow("a") == nil)
    #expect(await store.readWhenResident("b") == resource("b"))
    #expect(reports.all.isEmpty)
  }

  @Test(.enabled(if: PosixFiles.canReadResident))
  func `a read without the store's thread returns no damaged file`() async throws {
    let store = makeStore()
    try await store.write(resource("one", validator: "etag"), for: "1") { true }
    let name = RecordName("1").file
    let good = try directory.read(name)
    #expect(store.readNow("1") == resource("one", validator: "etag"))
    #expect(store.readNow("2") == nil)
    for offset in good.indices {
      var bytes = good
      bytes[offset] ^= 4
      try directory.write(bytes, to: name)
      #expect(store.readNow("1") == nil, "byte \(offset)")
    }
    for length in good.indices {
      try directory.write(Array(good.prefix(length)), to: name)
      #expect(store.readNow("1") == nil, "\(length) bytes")
    }
    try directory.write(good + [0], to: name)
    #expect(store.readNow("1") == nil)
    #expect(reports.all.isEmpty)
    #expect(try await store.read("1") == nil)
    #expect(reports.all.count == 1)
  }

  @Test func `files used while the clock was set back still count as the most recent`()
    async throws
  {
    func store(at time: Int64) -> DiskStore {
      DiskStore(
        directory: directory.path, bytes: 3 * 4_096, files: PosixFiles(),
        wallClock: WallClock { time }, report: { _ in })
    }
    var first = store(at: 1_000_000)
    for key in ["a", "b", "c"] { try await first.write(resource(key), for: key) { true } }
    await first.close()
    first = store(at: 0)
    _ = try await first.read("a")
    await first.close()
    let second = store(at: 0)
    try await second.write(resource("d"), for: "d") { true }
    #expect(try await second.read("a") != nil)
    #expect(try await second.read("b") == nil)
  }

  @Test func `a file dated centuries ahead does not crash the process`() async throws {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { true }
    await store.close()
    let path = "\(directory.path)/\(RecordName("1").file)"
    let date = timespec(tv_sec: 10_000_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path, [date, date], 0) == 0)
    let other = makeStore()
    #expect(try await other.read("1") == resource("one"))
    try await other.write(resource("two"), for: "2") { true }
    #expect(try await other.read("2") == resource("two"))
  }

  @Test func `a resource larger than the store is rejected`() async throws {
    let store = makeStore(bytes: 8_000)
    try await store.write(resource("one"), for: "1") { true }
    let large = resource(String(repeating: "x", count: 9_000))
    await #expect(throws: DiskStoreError.self) { try await store.write(large, for: "2") { true } }
    #expect(try await store.read("1") == resource("one"))
  }

  @Test func `removing a key deletes its file, and removing everything deletes leftovers too`()
    async throws
  {
    let store = makeStore()
    for key in ["1", "2", "3"] { try await store.write(resource(key), for: key) { true } }
    try await store.remove("1")
    #expect(try await store.read("1") == nil)
    try directory.write([1, 2, 3], to: RecordName("2").file)
    _ = try await store.read("2")
    #expect(directory.files(in: "damaged").count == 1)
    try await store.removeAll()
    #expect(directory.files() == ["damaged", "lock"])
    #expect(directory.files(in: "damaged").isEmpty)
    #expect(try await store.usedBytes() == 0)
  }

  @Test func `a write whose value is no longer wanted stores nothing`() async throws {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { false }
    #expect(try await store.read("1") == nil)
  }

  @Test func `a store works again after its directory was deleted`() async throws {
    let store = makeStore()
    try await store.write(resource("one"), for: "1") { true }
    try FileManager.default.removeItem(atPath: directory.path)
    #expect(try await store.read("1") == nil)
    try await store.write(resource("two"), for: "2") { true }
    #expect(try await store.read("2") == resource("two"))
    #expect(try await store.usedBytes() == 4_096)
    // The new directory is locked too.
    await #expect {
      try await makeStore().read("2")
    } throws: { isInUse($0, directory.path) }
    #expect(reports.all.isEmpty)
  }

  @Test func `removals succeed after the directory was deleted`() async throws {
    let store = makeStore()
    for key in ["1", "2"] {
      try await store.write(resource(key), for: key) { true }
      try FileManager.default.removeItem(atPath: directory.path)
      if key == "1" { try await store.remove("1") } else { try await store.removeAll() }
      #expect(try await store.read(key) == nil)
    }
    try await store.write(resource("three"), for: "3") { true }
    #expect(try await store.read("3") == resource("three"))
  }

  @Test func `a directory that cannot be created throws an error that names it`() async throws {
    try "file".write(toFile: directory.path, atomically: true, encoding: .utf8)
    let error = await #expect(throws: DiskStoreError.self) { try await makeStore().read("1") }
    #expect("\(try #require(error))".contains(directory.path))
  }
}

extension DiskStore {
  /// Reads a file without the store's thread, and tries again while that is not possible.
  fileprivate func readWhenResident(_ key: String) async -> StoredResource? {
    for _ in 0..<10_000 {
      if let resource = readNow(key) { return resource }
      await Task.yield()
    }
    return nil
  }
}
