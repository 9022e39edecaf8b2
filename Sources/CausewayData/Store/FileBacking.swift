import Foundation

/// Keeps a store's values as JSON in one file, replaced in one step and checked when it is read.
///
/// For values that fit into memory several times over: each save writes the whole file. The file
/// belongs to one store of one process.
///
/// A damaged file is set aside under the same name with `.damaged` at its end, reported, and the
/// store begins anew.
///
/// Isolation: a thread of its own, because disk operations block.
public actor FileBacking<Key: Codable & Hashable & Sendable, Value: Codable & Sendable>:
  StoreBacking
{
  /// Runs on the thread that waits for disks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    DiskThread.shared.asUnownedSerialExecutor()
  }

  private let path: String
  private let files: any FileSystem
  private let report: @Sendable (DiskStoreError) -> Void
  private let wallClock = WallClock.system
  /// What the file has; `nil` until it was read.
  private var values: [Key: Value]?

  /// Keeps values in a file.
  ///
  /// - Parameters:
  ///   - path: The file; it and its directory are made at the first save.
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

  /// All values; none if there is no file, or it is damaged.
  ///
  /// - Throws: `DiskStoreError` if the file cannot be read.
  public func load() throws -> [Key: Value] {
    let loaded = try mapping { () throws(FileError) in try files.read(path) }.map(decode) ?? [:]
    values = loaded
    return loaded
  }

  /// Replaces the file with one that has the changes.
  ///
  /// - Throws: `DiskStoreError` if it cannot be written; the file is unchanged then.
  public func save(_ changes: StoreChanges<Key, Value>) throws {
    // What the file had when it was read or written last: nothing else changes it while it is used.
    var values = try self.values ?? load()
    changes.apply(to: &values)
    let resource = StoredResource(
      bytes: [UInt8](try JSONEncoder().encode(values)), validator: nil,
      loadedAt: wallClock.milliseconds())
    let record = StoredRecord.encode(resource, key: Self.recordKey)
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try mapping { () throws(FileError) in
      if !directory.isEmpty { try files.createDirectory(directory) }
      // A process may have ended before the file had its place.
      try files.remove(newPath)
      try files.replace(
        path, in: directory.isEmpty ? "/" : directory, with: record, by: newPath)
    }
    self.values = values
  }

  /// Removes the file that was set aside as damaged, and what a save that ended early has left.
  ///
  /// - Throws: `DiskStoreError`.
  public func removeDamaged() throws {
    try mapping { () throws(FileError) in
      try files.remove(damagedPath)
      try files.remove(newPath)
    }
  }

  private var damagedPath: String { path + ".damaged" }
  /// Where new contents are until all of them are there.
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
      // The bytes are right, but they are not these types'.
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
