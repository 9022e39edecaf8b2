import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

/// The file of a backing after damage, interrupted saves and many changes.
@Suite("Store file", .timeLimit(.minutes(10))) struct FileBackingLogTests {
  private let directory = TemporaryDirectory(isFast: true)
  private let reports = Log<DiskStoreError>()
  private var path: String { directory.path + "/drafts" }

  init() throws {
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: false)
  }

  private func backing() -> FileBacking<Int, String> {
    FileBacking(path: path) { [reports] in reports.append($0) }
  }

  /// Saves values several times; returns the bytes and the values after each save.
  private func saves() async throws -> (bytes: [[UInt8]], values: [[Int: String]]) {
    let backing = backing()
    let changes: [StoreChanges<Int, String>] = [
      StoreChanges(
        updated: Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, "value \($0) of 12") })),
      StoreChanges(updated: [3: "three", 20: "twenty", 21: "twenty-one"]),
      StoreChanges(removed: [4]),
      StoreChanges(updated: [5: "five", 22: "twenty-two"], removed: [6]),
    ]
    var bytes: [[UInt8]] = []
    var values: [[Int: String]] = []
    for change in changes {
      try await backing.save(change)
      bytes.append(try directory.read("drafts"))
      values.append(try await backing.load())
    }
    return (bytes, values)
  }

  private func load(_ bytes: [UInt8]) async throws -> [Int: String] {
    try directory.write(bytes, to: "drafts")
    return try await backing().load()
  }

  @Test func `a damaged byte at any place costs at most one value and is reported`() async throws {
    let (saved, states) = try await saves()
    let (good, values) = (try #require(saved.last), try #require(states.last))
    var costs = 0
    for offset in good.indices {
      var bytes = good
      bytes[offset] = ~bytes[offset]
      // Each load of a damaged file replaces it, so only some places are tried with the disk.
      let isLoaded = offset.isMultiple(of: 37)
      let found = isLoaded ? try await load(bytes) : try read(bytes)
      let changed = Set(found.keys).union(values.keys).filter { found[$0] != values[$0] }
      #expect(changed.count <= 1, "byte \(offset)")
      costs += changed.count
      // A key has no value, or a value that was saved.
      for key in changed {
        #expect(found[key] == nil || states.contains { $0[key] == found[key] }, "byte \(offset)")
      }
      guard isLoaded else { continue }
      #expect(reports.all.count == offset / 37 + 1)
      #expect(try directory.read("drafts.damaged") == bytes)
      // The file is whole again.
      #expect(try await backing().load() == found)
      #expect(reports.all.count == offset / 37 + 1)
    }
    #expect(costs > good.count / 2)
    #expect(reports.all.allSatisfy { $0 == .damaged(file: path, .checksum) })
  }

  /// The values that a damaged file contains.
  private func read(_ bytes: [UInt8]) throws -> [Int: String] {
    let contents = RecordLogContents(bytes)
    #expect(contents.flaw == .checksum)
    var values: [Int: String] = [:]
    for record in contents.records {
      let key = try JSONDecoder().decode(Int.self, from: Data(bytes[record.key]))
      values[key] = try record.value.map {
        try JSONDecoder().decode(String.self, from: Data(bytes[$0]))
      }
    }
    return values
  }

  @Test
  func `a file truncated at any place contains whole saves, or whole values of the first save`()
    async throws
  {
    let (saved, states) = try await saves()
    let good = try #require(saved.last)
    var reported = 0
    for length in good.indices
    where length.isMultiple(of: 7) || saved.contains(where: { $0.count == length }) {
      if length < saved[0].count { reported += 1 }
      let found = try await load(Array(good.prefix(length)))
      if let last = saved.lastIndex(where: { $0.count <= length }) {
        #expect(found == states[last], "\(length) bytes")
      } else {
        #expect(found.allSatisfy { states[0][$0.key] == $0.value }, "\(length) bytes")
      }
    }
    // The first batch is written before a rename. If it is truncated, the cause is not an
    // interrupted save.
    #expect(
      reports.all == Array(repeating: .damaged(file: path, .truncated), count: reported))
  }

  @Test func `an interrupted save whose content was not written is ignored`() async throws {
    let (saved, states) = try await saves()
    let (before, values) = (try #require(saved.last), try #require(states.last))
    var backing = backing()
    let long = String(repeating: "x", count: 3_000)
    try await backing.save(StoreChanges(updated: [1: "one", 2: long, 3: "drei"]))
    await backing.close()
    let whole = try directory.read("drafts")
    // The disk writes sectors in any order. A part that was not written is read as zeros.
    for sector in (before.count / 512)...(whole.count / 512) {
      var bytes = whole
      let hole = max(sector * 512, before.count)..<min((sector + 1) * 512, whole.count)
      for place in hole { bytes[place] = 0 }
      if sector.isMultiple(of: 2) { bytes += [UInt8](repeating: 0, count: 700) }
      #expect(try await load(bytes) == values, "sector \(sector)")
    }
    #expect(reports.all.isEmpty)
    backing = self.backing()
    try await backing.save(StoreChanges(updated: [30: "thirty"]))
    #expect(try await backing.load() == values.merging([30: "thirty"]) { $1 })
    #expect(try directory.read("drafts").count < before.count + 100)
  }

  @Test func `bytes of a value that look like a record are not a record`() {
    var inner = RecordLog.Batch(at: 0)
    inner.append(key: Array("1".utf8), value: Array("\"inner\"".utf8))
    let embedded = inner.finish()
    var outer = RecordLog.Batch(at: 0)
    outer.append(key: Array("2".utf8), value: embedded)
    outer.append(key: Array("3".utf8), value: Array("\"last\"".utf8))
    var bytes = outer.finish()
    #expect(RecordLogContents(bytes).records.count == 2)
    // Damages the header of the first record.
    bytes[40] ^= 1
    let contents = RecordLogContents(bytes)
    #expect(contents.records.map { Array(bytes[$0.key]) } == [Array("3".utf8)])
    #expect(contents.flaw == .checksum)
  }

  @Test func `a file of random bytes loads no values and is reported`() async throws {
    var random = SeededRandom(seed: 7)
    for count in 1...200 {
      var bytes = (0..<count * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count.isMultiple(of: 2) { bytes = Array("CWL\u{0}".utf8) + bytes }
      #expect(try await load(bytes) == [:])
      #expect(reports.all.count == count)
    }
  }

  @Test func `a change writes only the change, and the file does not grow without a limit`()
    async throws
  {
    let backing = backing()
    let values = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ($0, "value \($0)") })
    try await backing.save(StoreChanges(updated: values))
    let size = try directory.read("drafts").count
    try await backing.save(StoreChanges(updated: [7: "seven"]))
    #expect(try directory.read("drafts").count - size < 100)
    var largest = 0
    let filler = String(repeating: "x", count: 4_000)
    for number in 0..<100 {
      try await backing.save(StoreChanges(updated: [number % 5: "number \(number) \(filler)"]))
      largest = max(largest, try directory.read("drafts").count)
    }
    #expect(largest > size + 50_000 && largest <= 2 * (size + 5 * 4_100))
    var expected = values.merging([7: "seven"]) { $1 }
    for number in 95..<100 { expected[number % 5] = "number \(number) \(filler)" }
    #expect(try await backing.load() == expected)
    await backing.close()
    #expect(try await self.backing().load() == expected)
    #expect(reports.all.isEmpty)
  }

  @Test func `a file whose values were removed does not contain them`() async throws {
    let backing = backing()
    try await backing.save(StoreChanges(updated: [1: "secret one", 2: "secret two"]))
    try await backing.save(StoreChanges(updated: [1: "secret three"]))
    func secrets() throws -> Int {
      String(decoding: try directory.read("drafts"), as: UTF8.self)
        .components(separatedBy: "secret").count - 1
    }
    #expect(try secrets() == 3)
    try await backing.save(StoreChanges(removed: [2]))
    try await backing.removeDamaged()
    #expect(try secrets() == 1)
    try await backing.save(StoreChanges(removed: [1]))
    #expect(try secrets() == 0)
    #expect(directory.files() == ["drafts", "drafts.lock"])
  }

  @Test func `the remains of an interrupted save are removed with the earlier values`()
    async throws
  {
    var backing = backing()
    try await backing.save(StoreChanges(updated: [1: "one"]))
    let first = try directory.read("drafts")
    try await backing.save(StoreChanges(updated: [2: "secret"]))
    await backing.close()
    // The end of the last save was not written, so its values do not count.
    try directory.write(Array(try directory.read("drafts").dropLast()), to: "drafts")
    backing = self.backing()
    #expect(try await backing.load() == [1: "one"])
    try await backing.removeDamaged()
    #expect(try directory.read("drafts") == first)
    #expect(try await backing.load() == [1: "one"])
  }

  @Test func `a damaged file that could not be replaced is replaced with the removal`()
    async throws
  {
    try await backing().save(StoreChanges(updated: [1: "one", 2: "secret"]))
    var bytes = try directory.read("drafts")
    bytes[bytes.count - 3] ^= 1
    try directory.write(bytes, to: "drafts")
    let files = FaultyFiles()
    let backing = FileBacking<Int, String>(path: path, files: files) { [reports] in
      reports.append($0)
    }
    // The lock, the read and the removal of an earlier copy succeed; the copy fails.
    files.plant(.fails, at: 4)
    let values = try await backing.load()
    #expect(reports.all.count == 1 && values.count == 1)
    #expect(try directory.read("drafts") == bytes)
    files.reset()
    try await backing.removeDamaged()
    #expect(try directory.read("drafts") != bytes)
    #expect(try await backing.load() == values)
    #expect(reports.all.count == 1)
  }

  @Test func `a removal without a file creates none`() async throws {
    let backing = backing()
    #expect(try await backing.load() == [:])
    try await backing.removeDamaged()
    #expect(directory.files() == ["drafts.lock"])
  }

  @Test func `a larger file that other code renames to the path is not shortened and appended to`()
    async throws
  {
    let backing = backing()
    try await backing.save(StoreChanges(updated: [1: "one"]))
    let own = try directory.read("drafts")
    try directory.write(Array("other".utf8) + [UInt8](repeating: 7, count: own.count), to: "other")
    #expect(rename(directory.path + "/other", path) == 0)
    try await backing.save(StoreChanges(updated: [2: "two"]))
    await backing.close()
    #expect(try await self.backing().load() == [1: "one", 2: "two"])
    #expect(reports.all.isEmpty)
  }
}
