public import CausewayBasics
import CausewaySystem
import Foundation

/// Stores values as JSON in one file; a save appends only the changed values.
///
/// All values are kept in memory several times, so use it only for a limited amount of data. When
/// most of the file is out of date, a save writes a new file with the current values, and replaces
/// the old one. After a crash or a power failure, the file contains either all changes of a save or
/// none.
///
/// Each value has a checksum. If a part of the file is damaged, the store begins with the undamaged
/// values. If a change of a key is damaged, the key has its previous value. The damage is reported,
/// and the damaged file is copied to a file with the suffix `.damaged`.
///
/// Only one store at a time can use the file. A second store gets
/// ``DiskStoreError/inUse(directory:process:)``. For this purpose, the store locks a file with the
/// suffix `.lock`. ``close()`` and the end of the process unlock it.
///
/// Isolation: a separate thread, because disk operations block.
public actor FileBacking<Key: Codable & Hashable & Sendable, Value: Codable & Sendable>:
  StoreBacking
{
  /// The executor of the thread for blocking disk operations.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    files.executor.asUnownedSerialExecutor()
  }

  private let path: String
  private let files: any FileSystem
  private let report: @Sendable (DiskStoreError) -> Void

  /// Holds the lock of the file.
  ///
  /// If it is `nil`, the values below must not be used.
  private var lock: (any Sendable)?
  /// Whether the file was read after it was locked.
  private var isLoaded = false
  /// The values that the file contains.
  private var values: [Key: Value] = [:]
  /// The end of the last save in the file.
  private var end = 0
  /// The size of the file when it was last replaced; its first batch ends there.
  private var firstEnd = 0
  /// The size of the file, with the remains of an interrupted save behind `end`.
  private var size = 0
  /// The file that has these values; other code may rename another file to its path.
  private var identity: FileIdentity?
  /// Whether the next save must replace the file, because the file is damaged or missing.
  private var needsReplacement = true
  /// Whether the name of the file is certainly on the disk.
  private var isNameDurable = false

  /// Makes a backing for a file.
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

  /// Returns all undamaged values; no values if there is no file.
  ///
  /// - Throws: `DiskStoreError` if the file cannot be read, or if another store uses it.
  public func load() throws -> [Key: Value] {
    reset()
    // Without a directory, there is nothing to lock and nothing to read.
    guard try mapping({ () throws(FileError) in try takeLock(creatingDirectory: false) }) else {
      return [:]
    }
    // The identity is read before the contents. If other code replaces the file in between, the
    // next save replaces it again.
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
      // If this fails, for example because the disk is full, the next load detects the damage
      // again.
      try? setAside(bytes)
    }
    return values
  }

  /// Appends the changes to the file, or replaces the file.
  ///
  /// - Throws: `DiskStoreError` if the file cannot be written, or if another store uses it. In both
  ///   cases the file is unchanged.
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

  /// Removes all data that is not a current value.
  ///
  /// Such data is a damaged file that was set aside, the remains of an interrupted save, and
  /// earlier values.
  ///
  /// - Throws: `DiskStoreError`.
  public func removeDamaged() async throws {
    // This is `async`. Otherwise a call on this type would use the protocol's default
    // implementation.
    try mapping { () throws(FileError) in
      try files.remove(damagedPath)
      try files.remove(newPath)
    }
    // Without a file, there is nothing to replace.
    if isLoaded, size > firstEnd || needsReplacement && size > 0 { try replace(with: values) }
  }

  /// Unlocks the file for another store.
  ///
  /// The next call of another function locks and reads the file again.
  public func close() async {
    reset()
    lock = nil
  }

  private var damagedPath: String { path + ".damaged" }
  /// The path of a new file until it is complete.
  private var newPath: String { path + ".new" }
  private var directory: String { files.directory(of: path) }

  /// A file up to this size, in bytes, is never replaced to save space.
  private static var smallFile: Int { 65_536 }

  /// Drops the values in memory; the next use reads the file again.
  private func reset() {
    (values, end, firstEnd, size, identity) = ([:], 0, 0, 0, nil)
    isLoaded = false
    needsReplacement = true
    isNameDurable = false
  }

  /// Locks the file, if it is not locked; returns `false` if its directory does not exist.
  ///
  /// The values in memory are dropped, because another store may have changed the file.
  private func takeLock(creatingDirectory: Bool) throws(FileError) -> Bool {
    if lock != nil { return true }
    reset()
    do throws(FileError) {
      lock = try files.lock(path + ".lock")
    } catch {
      guard error.code == ENOENT else { throw error }
      guard creatingDirectory else { return false }
      try files.createDurableDirectory(directory)
      lock = try files.lock(path + ".lock")
    }
    return true
  }

  /// Whether no value is left after the changes.
  ///
  /// In this case the file is replaced. Otherwise it would still contain the removed values.
  private func leavesNothing(_ changes: StoreChanges<Key, Value>) -> Bool {
    changes.updated.isEmpty && changes.removed.count >= values.count
      && values.keys.allSatisfy(changes.removed.contains)
  }

  /// The changes as a batch to append to the file; `nil` if there are none.
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
    guard size >= end, files.identity(path)?.isSameFile(as: identity) == true else {
      try files.close(file)
      return false
    }
    do throws(FileError) {
      if !isNameDurable {
        // An earlier process may have ended between the renaming of the file and the
        // synchronisation of its name. A power failure would then remove the whole file.
        try files.synchronizeDirectory(directory)
        isNameDurable = true
      }
      if size > end {
        // The file has the remains of an interrupted save. They are removed, and the removal is
        // synchronised, before the new bytes are written. Otherwise a power failure could mix the
        // remains with the new bytes.
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
      // After a failed synchronisation, it is not known which bytes are on the disk.
      if error.operation == "synchronize" { needsReplacement = true }
      throw FileError(error.operation, path, code: error.code)
    }
    // The bytes are already on the disk.
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
        // An earlier process may have ended before it synchronised a new directory.
        if identity == nil, try files.createDurableDirectory(directory) { try lockAgain() }
        try put(bytes, at: path)
      } catch {
        guard error.code == ENOENT else { throw error }
        try files.createDurableDirectory(directory)
        try lockAgain()
        try put(bytes, at: path)
      }
    }
    (values, end, firstEnd, size) = (next, bytes.count, bytes.count, bytes.count)
    identity = files.identity(path)
    needsReplacement = false
    isNameDurable = true
  }

  /// Locks a new file after other code has deleted the directory, including the locked file.
  private func lockAgain() throws(FileError) {
    lock = nil
    lock = try files.lock(path + ".lock")
  }

  private func put(_ bytes: [UInt8], at path: String) throws(FileError) {
    // A process may have ended before it renamed its new file.
    try files.remove(newPath)
    try files.replace(path, in: directory, with: bytes, by: newPath)
  }

  /// Copies a damaged file, and replaces it with a file of its undamaged values.
  private func setAside(_ bytes: [UInt8]) throws {
    try put(bytes, at: damagedPath)
    try replace(with: values)
  }

  /// Returns the last value of each key, and whether all records could be decoded.
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

  /// Decodes parts of the file; a part that does not fit the type gives `nil`.
  private func decode<Part: Decodable>(
    _ parts: [Range<Int>], _ bytes: [UInt8], as type: Part.Type
  ) -> [Part?] {
    // Decoding one array is several times faster than decoding its elements one by one.
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
        ? .inUse(directory: path, process: files.lockHolder(path + ".lock")) : DiskStoreError(error)
    }
  }
}
