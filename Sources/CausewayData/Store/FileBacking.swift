import CausewaySystem
import Foundation

/// Stores values as JSON in one file; a save appends the changed values.
///
/// Use it for values that fit into memory several times over. When most of the file is out of date,
/// a save writes a new file with the current values and replaces the old one. After a crash or a
/// loss of power, the file contains all of a save or nothing of it.
///
/// Each value has a checksum. If some bytes of the file are damaged, the store begins with the
/// values that are whole. A damaged change leaves the previous value of its key. The damage is
/// reported, and the damaged file is copied to a file with the suffix `.damaged`.
///
/// One store at a time can use the file: another one gets ``DiskStoreError/inUse(directory:)``. A
/// file with the suffix `.lock` is locked for this purpose. ``close()`` and the end of the process
/// unlock it.
///
/// Isolation: a separate thread, because disk operations block.
public actor FileBacking<Key: Codable & Hashable & Sendable, Value: Codable & Sendable>:
  StoreBacking
{
  /// The executor of the thread for blocking disk operations.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    DiskThread.shared.asUnownedSerialExecutor()
  }

  private let path: String
  private let files: any FileSystem
  private let report: @Sendable (DiskStoreError) -> Void

  /// Keeps the file for this store; `nil` if no store may use the values below.
  private var lock: (any Sendable)?
  /// Whether the file was read since it was locked.
  private var isLoaded = false
  /// The values in the file.
  private var values: [Key: Value] = [:]
  /// The end of the last save in the file.
  private var end = 0
  /// The size of the file when it was last replaced.
  private var firstEnd = 0
  /// The size of the file, with the remains of an interrupted save behind `end`.
  private var size = 0
  /// The file that has these values; other code may rename another file to its path.
  private var identity: FileIdentity?
  /// Whether the next save must replace the file, because the file is damaged or missing.
  private var needsReplacement = true

  /// Creates a backing for a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file; the first save creates the file and its directory.
  ///   - report: Called for a damaged file, on the backing's thread.
  public init(path: String, report: @escaping @Sendable (DiskStoreError) -> Void = { _ in }) {
    self.init(path: path, files: PosixFiles(), report: report)
  }

  package init(
    path: String, files: any FileSystem, report: @escaping @Sendable (DiskStoreError) -> Void
  ) {
    self.path = path
    self.files = files
    self.report = report
  }

  /// Returns all values that are whole, or none if there is no file.
  ///
  /// - Throws: `DiskStoreError` if the file cannot be read, or another store uses it.
  public func load() throws -> [Key: Value] {
    forget()
    // Without a directory, there is nothing to lock and nothing to read.
    guard try mapping({ () throws(FileError) in try takeLock(creatingDirectory: false) }) else {
      return [:]
    }
    // Before the contents: if the file is replaced in between, the next save replaces it too.
    identity = files.identity(path)
    let bytes = try mapping { () throws(FileError) in try files.read(path) }
    isLoaded = true
    guard let bytes else { return [:] }
    size = bytes.count
    let contents = RecordLogContents(bytes)
    let (values, areAllDecoded) = decode(contents.records, bytes)
    (self.values, end, firstEnd) = (values, contents.end, contents.firstEnd)
    needsReplacement = false
    if let flaw = contents.flaw ?? (areAllDecoded ? nil : .notARecord) {
      needsReplacement = true
      report(DiskStoreError(flaw, file: path))
      // If this fails, for example because the disk is full, the next load finds the same damage.
      try? setAside(bytes)
    }
    return values
  }

  /// Appends the changes to the file, or replaces the file.
  ///
  /// - Throws: `DiskStoreError` if it cannot be written, or another store uses the file; the file
  ///   is unchanged then.
  /// - Complexity: O(changes) on average. A save that replaces the file takes O(values).
  public func save(_ changes: StoreChanges<Key, Value>) throws {
    if !isLoaded { _ = try load() }
    _ = try mapping { () throws(FileError) in try takeLock(creatingDirectory: true) }
    if !isLoaded { _ = try load() }
    if !needsReplacement, !leavesNothing(changes), let batch = try batch(changes) {
      let hasRoom = end + batch.count <= 2 * max(firstEnd, Self.smallFile)
      if try hasRoom && mapping({ () throws(FileError) in try append(batch) }) {
        changes.apply(to: &values)
        return
      }
    }
    var next = values
    changes.apply(to: &next)
    try replace(with: next)
  }

  /// Removes the damaged file that was set aside, the remains of an interrupted save, and earlier
  /// values.
  ///
  /// - Throws: `DiskStoreError`.
  public func removeDamaged() async throws {
    // `async`, so that a caller of this type does not get the default of the protocol.
    try mapping { () throws(FileError) in
      try files.remove(damagedPath)
      try files.remove(newPath)
    }
    // Without a file, there is nothing to replace.
    if isLoaded, size > firstEnd || needsReplacement && size > 0 { try replace(with: values) }
  }

  /// Unlocks the file for another store; the next call locks and reads it again.
  public func close() async {
    forget()
    lock = nil
  }

  private var damagedPath: String { path + ".damaged" }
  /// The path of the new contents until they are complete.
  private var newPath: String { path + ".new" }
  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A file of this size in bytes is not replaced because of its size.
  private static var smallFile: Int { 65_536 }

  private func forget() {
    (values, end, firstEnd, size, identity) = ([:], 0, 0, 0, nil)
    isLoaded = false
    needsReplacement = true
  }

  /// Locks the file, unless it is locked; returns `false` without its directory.
  ///
  /// Values that were read before are forgotten, because another store may have changed the file.
  private func takeLock(creatingDirectory: Bool) throws(FileError) -> Bool {
    if lock != nil { return true }
    forget()
    do throws(FileError) {
      lock = try files.lock(path + ".lock")
    } catch {
      guard error.code == ENOENT else { throw error }
      guard creatingDirectory else { return false }
      try files.createDirectory(directory)
      lock = try files.lock(path + ".lock")
    }
    return true
  }

  /// Whether the changes remove all values.
  ///
  /// The file is replaced then, so that it does not contain the removed values.
  private func leavesNothing(_ changes: StoreChanges<Key, Value>) -> Bool {
    changes.updated.isEmpty && changes.removed.count >= values.count
      && values.keys.allSatisfy(changes.removed.contains)
  }

  /// The changes as a batch for the end of the file; `nil` if there are none.
  private func batch(_ changes: StoreChanges<Key, Value>) throws -> [UInt8]? {
    let encoder = JSONEncoder()
    var batch = RecordLog.Batch(at: end)
    for (key, value) in changes.updated {
      batch.append(key: try encoder.encode(key), value: try encoder.encode(value))
    }
    for key in changes.removed where values[key] != nil {
      batch.append(key: try encoder.encode(key), value: Data?.none)
    }
    return batch.finish()
  }

  /// Appends a batch; returns `false` if other code has changed or removed the file.
  private func append(_ batch: [UInt8]) throws(FileError) -> Bool {
    guard let (file, size) = try files.openForAppending(path) else { return false }
    guard size >= end, files.identity(path) == identity else {
      try files.close(file)
      return false
    }
    do throws(FileError) {
      if size > end {
        // The remains of an interrupted save. Without the wait, they could mix with the new ones
        // when the power fails.
        try files.truncate(file, to: end)
        try files.synchronize(file)
      }
      try files.write(batch, to: file)
      try files.synchronize(file)
    } catch {
      // If the file cannot be shortened, a part of the batch stays behind the end.
      self.size = max(size, end + batch.count)
      if (try? files.truncate(file, to: end)) != nil { self.size = end }
      try? files.close(file)
      // After a failed synchronisation, the system may not know which bytes are on the disk.
      if error.operation == "synchronize" { needsReplacement = true }
      throw FileError(error.operation, path, code: error.code)
    }
    // The bytes are on the disk already.
    try? files.close(file)
    end += batch.count
    self.size = end
    return true
  }

  /// Replaces the file with a file that contains only these values.
  private func replace(with next: [Key: Value]) throws {
    let encoder = JSONEncoder()
    var batch = RecordLog.Batch(at: 0, capacity: firstEnd)
    for (key, value) in next {
      batch.append(key: try encoder.encode(key), value: try encoder.encode(value))
    }
    let bytes = batch.finish()
    try mapping { () throws(FileError) in
      do throws(FileError) {
        try put(bytes, at: path)
      } catch {
        guard error.code == ENOENT else { throw error }
        // Other code has deleted the directory, with the lock.
        lock = nil
        try files.createDirectory(directory)
        lock = try files.lock(path + ".lock")
        try put(bytes, at: path)
      }
    }
    (values, end, firstEnd, size) = (next, bytes.count, bytes.count, bytes.count)
    identity = files.identity(path)
    needsReplacement = false
  }

  private func put(_ bytes: [UInt8], at path: String) throws(FileError) {
    // An earlier process may have ended before it renamed the new file.
    try files.remove(newPath)
    try files.replace(path, in: directory, with: bytes, by: newPath)
  }

  /// Copies a damaged file, and replaces it with its whole values.
  private func setAside(_ bytes: [UInt8]) throws {
    try put(bytes, at: damagedPath)
    try replace(with: values)
  }

  /// Returns the last values of all keys, and whether all records could be decoded.
  private func decode(
    _ records: [RecordLog.Record], _ bytes: [UInt8]
  ) -> (values: [Key: Value], areAllDecoded: Bool) {
    let keys = decode(records.map(\.key), bytes, as: Key.self)
    var latest: [Key: Range<Int>] = [:]
    var areAllDecoded = true
    for (key, record) in zip(keys, records) {
      if let key { latest[key] = record.value } else { areAllDecoded = false }
    }
    let found = decode(latest.map(\.value), bytes, as: Value.self)
    var values: [Key: Value] = [:]
    values.reserveCapacity(latest.count)
    for (key, value) in zip(latest.keys, found) {
      if let value { values[key] = value } else { areAllDecoded = false }
    }
    return (values, areAllDecoded)
  }

  /// Decodes parts of the file; `nil` for a part that is not of the type.
  private func decode<Part: Decodable>(
    _ parts: [Range<Int>], _ bytes: [UInt8], as type: Part.Type
  ) -> [Part?] {
    // One array is decoded several times faster than its elements.
    var text = Data(capacity: parts.reduce(2) { $0 + $1.count + 1 })
    for part in parts {
      text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      text.append(contentsOf: bytes[part])
    }
    text.append(UInt8(ascii: "]"))
    let decoder = JSONDecoder()
    if let all = try? decoder.decode([Part].self, from: text), all.count == parts.count {
      return all
    }
    return parts.map { try? decoder.decode(Part.self, from: Data(bytes[$0])) }
  }

  private func mapping<T>(_ body: () throws(FileError) -> T) throws(DiskStoreError) -> T {
    do throws(FileError) {
      return try body()
    } catch {
      throw error.operation == "lock" && error.code == EWOULDBLOCK
        ? .inUse(directory: path) : DiskStoreError(error)
    }
  }
}
