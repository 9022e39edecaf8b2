import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewayStores

@Suite("Damaged files", .timeLimit(.minutes(10))) struct DamageTests {
  private let directory = TemporaryDirectory(isFast: true)
  private let reports = Log<DiskStoreError>()
  private let resource = StoredResource(
    bytes: Array("value".utf8), validator: "etag", loadedAt: 1_234)
  private var name: String { RecordName("key").file }

  private func makeStore() -> DiskStore {
    DiskStore(directory: directory.path, bytes: 1_000_000) { [reports] in reports.append($0) }
  }

  /// Writes the resource, damages its file, and reads it.
  private func readDamaged(_ store: DiskStore, _ damage: ([UInt8]) -> [UInt8]) async throws
    -> StoredResource?
  {
    try await store.write(resource, for: "key") { true }
    try directory.write(damage(try directory.read(name)), to: name)
    return try await store.read("key")
  }

  @Test func `a flipped bit at any position is detected`() throws {
    let record = StoredRecord.encode(resource, key: "key")
    #expect(try StoredRecord.decode(record, key: "key") == resource)
    for offset in record.indices {
      for bit in 0..<8 {
        var damaged = record
        damaged[offset] ^= 1 << bit
        #expect(throws: StoredRecord.Flaw.self, "bit \(bit) of byte \(offset)") {
          try StoredRecord.decode(damaged, key: "key")
        }
      }
    }
  }

  @Test func `a damaged byte at any position moves the file aside and is reported`() async throws {
    let store = makeStore()
    let count = StoredRecord.encode(resource, key: "key").count
    for offset in 0..<count {
      let found = try await readDamaged(store) { bytes in
        var bytes = bytes
        bytes[offset] = ~bytes[offset]
        return bytes
      }
      #expect(found == nil)
      #expect(reports.all.count == offset + 1)
      #expect(!directory.files().contains(name))
    }
    #expect(reports.all.allSatisfy { if case .damaged = $0 { true } else { false } })
    #expect(directory.files(in: "damaged").count == 16)
  }

  @Test func `a file truncated at any length is detected`() async throws {
    let store = makeStore()
    let count = StoredRecord.encode(resource, key: "key").count
    for length in 0..<count {
      #expect(try await readDamaged(store) { Array($0.prefix(length)) } == nil)
    }
    let expected = DiskStoreError.damaged(file: "\(directory.path)/\(name)", .truncated)
    #expect(reports.all == Array(repeating: expected, count: count))
  }

  @Test func `trailing bytes after the end of a file are detected`() async throws {
    #expect(try await readDamaged(makeStore()) { $0 + [0] } == nil)
    #expect(reports.all == [.damaged(file: "\(directory.path)/\(name)", .tooLong)])
  }

  @Test func `a file of random bytes is detected`() async throws {
    let store = makeStore()
    var random = SeededRandom(seed: 3)
    for _ in 0..<200 {
      let length = Int.random(in: 0..<300, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(try await readDamaged(store) { _ in bytes } == nil)
      // With the correct magic number, the store also reads the lengths after it.
      #expect(try await readDamaged(store) { _ in Array("CWY2".utf8) + bytes } == nil)
    }
    #expect(reports.all.count == 400)
  }

  @Test func `the number of damaged files kept is limited`() async throws {
    let store = makeStore()
    for number in 0..<5 {
      let bytes = [UInt8](repeating: UInt8(number), count: 3_000_000)
      #expect(try await readDamaged(store) { _ in bytes } == nil)
    }
    #expect(directory.files(in: "damaged").count == 2)
    let kept = try directory.files(in: "damaged").map { try directory.read("damaged/\($0)")[0] }
    #expect(kept.sorted() == [3, 4])
  }

  @Test func `opening moves aside files that the store has not written`() async throws {
    let store = makeStore()
    try await store.write(resource, for: "key") { true }
    await store.close()
    try directory.write([1], to: "notes.txt")
    try directory.write([1], to: "r-6")
    try directory.write([1], to: "r-zz")
    try directory.write([1], to: "new-7")
    let path = directory.path
    try FileManager.default.createSymbolicLink(
      atPath: path + "/link", withDestinationPath: "/etc/passwd")
    try FileManager.default.createDirectory(
      atPath: path + "/folder", withIntermediateDirectories: false)
    #expect(mkfifo(path + "/pipe", 0o600) == 0)
    // A name that is not valid text.
    let odd = (path + "/").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
    close(open(odd, O_WRONLY | O_CREAT, 0o600))

    #expect(try await makeStore().read("key") == resource)
    #expect(reports.all.count == 7)
    #expect(reports.all.allSatisfy { if case .foreign = $0 { true } else { false } })
    for name in ["notes.txt", "r-6", "r-zz", "link", "pipe"] {
      #expect(directory.files(in: "damaged").contains { $0.hasSuffix("-" + name) }, "\(name)")
      #expect(!directory.files().contains(name))
    }
    #expect(!directory.files().contains("new-7"))
    #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
  }

  @Test func `a symbolic link in place of a file is not followed`() async throws {
    let store = makeStore()
    try await store.write(resource, for: "key") { true }
    let file = directory.path + "/" + name
    let bytes = try directory.read(name)
    try directory.write(bytes, to: "damaged/elsewhere")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: "damaged/elsewhere")
    await #expect(throws: DiskStoreError.self) { try await store.read("key") }
  }

  @Test(
    arguments: [
      (0, 0xEF46_DB37_51D8_E999), (3, 0xE5C7_BB45_33BC_65DD), (4, 0xFFCE_D860_4453_CC1E),
      (7, 0x14CC_643F_630C_72D2), (8, 0x884A_1736_14B8_1B8D), (31, 0xC346_D2B5_9B4D_8EE1),
      (32, 0xCBF5_9C51_16FF_32B4), (33, 0x0C53_5D1A_CAFB_8EAD), (63, 0xE26A_A9E2_A95F_8E4F),
      (100, 0x6AC1_E580_3216_6597), (1_000, 0xF306_F04A_A88B_54D3),
    ] as [(Int, UInt64)])
  func `the checksum equals the reference implementation's`(length: Int, sum: UInt64) {
    let bytes = (0..<length).map { UInt8($0 % 251) }
    #expect(XXH64.checksum(of: bytes) == sum)
    #expect(XXH64.checksum(of: ([0] + bytes)[1...]) == sum)
  }

  @Test func `the checksum with a seed equals the reference implementation's`() {
    let bytes = (0..<1_000).map { UInt8($0 % 251) }
    #expect(XXH64.checksum(of: bytes, seed: 1) == 0x3DD8_A345_CC37_DE33)
  }
}
