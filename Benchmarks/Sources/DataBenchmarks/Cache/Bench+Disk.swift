import CausewayData
import CausewaySQLite
import Foundation

extension Bench {
  /// Measures values that are read from and written to files.
  mutating func measureDisk() async throws {
    for size in [4_096, 100_000] {
      try await measureReading(size)
      try await measureStoring(size)
    }
    try await measureBacking()
  }

  private mutating func measureReading(_ size: Int) async throws {
    let directory = try BenchDirectory()
    let count = 200
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for key in 0..<count { try PlainFile.write(bytes, to: "\(directory.path)/plain-\(key)") }
    var policy = ResourcePolicy()
    // The cache keeps nothing in memory, so each value is read from its file.
    policy.memoryBytes = 0
    let store = DiskStore(directory: directory.path + "/cache", bytes: 1_000_000_000)
    let cache = ResourceCache<Int, [UInt8]>(
      policy: policy, disk: .bytes(store) { "\($0)" }, size: { $0.count }, loader: { _ in bytes })
    await cache.prefetch(0..<count)
    _ = try await store.usedBytes()
    await measure(
      "reading \(size) bytes from the disk", target: "<= 2 x plain", operations: count,
      floor: { count in
        for key in 0..<count {
          precondition(PlainFile.read("\(directory.path)/plain-\(key)").count == size)
        }
      },
      work: { count in await readAll(count, size, cache) })
  }

  private mutating func measureStoring(_ size: Int) async throws {
    let directory = try BenchDirectory()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var policy = ResourcePolicy()
    // The next load begins after the previous value was written.
    policy.parallelLoads = 1
    let store = DiskStore(directory: directory.path + "/cache", bytes: 1_000_000_000)
    let cache = ResourceCache<Int, [UInt8]>(
      policy: policy, disk: .bytes(store) { "\($0)" }, size: { $0.count }, loader: { _ in bytes })
    var next = 0
    await measure(
      "storing \(size) bytes on the disk", target: "<= 1.2 x plain", operations: 50,
      floor: { count in
        for key in next..<(next + count) {
          try? PlainFile.write(bytes, to: "\(directory.path)/plain-\(key)")
        }
      },
      work: { count in
        for key in next..<(next + count) { _ = try? await cache.value(for: key) }
        next += count
      })
  }

  private mutating func measureBacking() async throws {
    let directory = try BenchDirectory()
    let count = 100_000
    let service = try await SQLiteService(
      path: directory.path + "/store.sqlite",
      migrations: [DatabaseBacking<Int, String>.migration(table: "value")])
    let backing = DatabaseBacking<Int, String>(service, table: "value")
    let values = (0..<count).map { ($0, "the value of the key \($0)") }
    try await backing.save(StoreChanges(updated: Dictionary(uniqueKeysWithValues: values)))
    let log = try PlainLog(directory.path + "/plain")
    var number = 0
    await measure(
      "a change of one of 100,000 keys in a table", target: "<= 1 ms", operations: 20,
      floor: { count in
        for _ in 0..<count { log.append([UInt8](repeating: 120, count: 64)) }
      },
      work: { count in
        for _ in 0..<count {
          number += 1
          try? await backing.save(StoreChanges(updated: [number % 100_000: "changed \(number)"]))
        }
      })
    if measuresFloors, filter == nil || "a load of 100,000 keys".contains(filter ?? "") {
      let clock = ContinuousClock()
      let time = try await clock.measure { _ = try await backing.load() }
      print("a load of 100,000 keys from a table: \(time)")
    }
    try await service.close()
  }
}

/// Reads values as a service does: not on the main actor.
@concurrent
private func readAll(_ count: Int, _ size: Int, _ cache: ResourceCache<Int, [UInt8]>) async {
  for key in 0..<count {
    let value = try? await cache.value(for: key)
    precondition(value?.count == size)
  }
}

/// A temporary directory, which is removed with its last reference.
private final class BenchDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/causeway-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The minimum cost of a file: only the system calls.
private enum PlainFile {
  /// Replaces a file; after a crash, it has either its old or its new contents.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path + ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    precondition(bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) } > 0)
    precondition(fsync(file) == 0)
    close(file)
    precondition(rename(path + ".new", path) == 0)
  }

  static func read(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    precondition(fstat(file, &status) == 0)
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = Foundation.read(file, buffer.baseAddress, size)
    }
  }
}

/// A file to which lines are appended; when `append` returns, the line is on the disk.
private final class PlainLog {
  private let file: Int32

  init(_ path: String) throws {
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  deinit { close(file) }

  func append(_ bytes: [UInt8]) {
    precondition(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
    precondition(fsync(file) == 0)
  }
}
