import Foundation

/// Stores values as JSON in one file, which is replaced atomically and verified when it is read.
///
/// Use it for values that fit into memory several times over: each save writes the whole file. Only
/// one store of one process may use the file.
///
/// A damaged file is renamed with the suffix `.damaged` and reported. The store then begins without
/// values.
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
  private let wallClock = WallClock.system
  /// The values in the file; `nil` until the file was read.
  private var values: [Key: Value]?

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

  /// Returns all values, or none if there is no file or the file is damaged.
  ///
  /// - Throws: `DiskStoreError` if the file cannot be read.
  public func load() throws -> [Key: Value] {
    let loaded = try mapping { () throws(FileError) in try files.read(path) }.map(decode) ?? [:]
    values = loaded
    return loaded
  }

  /// Replaces the file with a file that contains the changes.
  ///
  /// - Throws: `DiskStoreError` if it cannot be written; the file is unchanged then.
  public func save(_ changes: StoreChanges<Key, Value>) throws {
    // These are the values of the last read or write; nothing else changes the file in the
    // meantime.
    var values = try self.values ?? load()
    changes.apply(to: &values)
    let resource = StoredResource(
      bytes: [UInt8](try JSONEncoder().encode(values)), validator: nil,
      loadedAt: wallClock.milliseconds())
    let record = StoredRecord.encode(resource, key: Self.recordKey)
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try mapping { () throws(FileError) in
      if !directory.isEmpty { try files.createDirectory(directory) }
      // An earlier process may have ended before it renamed the new file.
      try files.remove(newPath)
      try files.replace(
        path, in: directory.isEmpty ? "/" : directory, with: record, by: newPath)
    }
    self.values = values
  }

  /// Removes the damaged file that was set aside, and the remains of an interrupted save.
  ///
  /// - Throws: `DiskStoreError`.
  public func removeDamaged() throws {
    try mapping { () throws(FileError) in
      try files.remove(damagedPath)
      try files.remove(newPath)
    }
  }

  private var damagedPath: String { path + ".damaged" }
  /// The path of the new contents until they are complete.
  private var newPath: String { path + ".new" }

  private static var recordKey: String { "store" }

  private func decode(_ bytes: [UInt8]) throws(DiskStoreError) -> [Key: Value] {
    let flaw: StoredRecord.Flaw
    do {
      let resource = try StoredRecord.decode(bytes, key: Self.recordKey)
      return try JSONDecoder().decode([Key: Value].self, from: Data(resource.bytes))
    } catch let found as StoredRecord.Flaw {
      flaw = found
    } catch {
      // The bytes are intact, but they do not decode to these types.
      flaw = .notARecord
    }
    try mapping { () throws(FileError) in try files.rename(path, to: damagedPath) }
    report(DiskStoreError(flaw, file: path))
    return [:]
  }

  private func mapping<T>(_ body: () throws(FileError) -> T) throws(DiskStoreError) -> T {
    do throws(FileError) { return try body() } catch { throw DiskStoreError(error) }
  }
}
