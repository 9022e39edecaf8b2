/// Files for one cache: each replaced in one step, checked when it is read, and together within a
/// limit.
///
/// ```swift
/// let files = DiskStore(directory: "/var/cache/harbor/pictures", bytes: 200_000_000) { error in
///   log("\(error)")
/// }
/// let pictures = ResourceCache(disk: .bytes(files) { "\($0)" }, loader: server.picture)
/// ```
///
/// The directory is the index: a file says whose value it holds and of when, and is dated with its
/// last use. So there is nothing that could be lost at a crash or disagree with the files. Values
/// that a cache returns from memory do not count as a use here.
///
/// A file that is damaged, or that the store has not written, is moved into the folder `damaged`,
/// which keeps the last few, and reported.
///
/// Isolation: a thread of its own, because disk operations block.
public actor DiskStore {
  /// Runs on the thread that waits for disks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    DiskThread.shared.asUnownedSerialExecutor()
  }

  /// Where the files are.
  public nonisolated let directory: String
  /// How much room the files may take, in bytes, with each counted in blocks of 4 KiB.
  public nonisolated let bytes: Int

  let files: any FileSystem
  let wallClock: WallClock
  let report: @Sendable (DiskStoreError) -> Void
  var contents: DiskContents?

  /// Makes a store; the directory is made and read at the first use.
  ///
  /// - Parameters:
  ///   - directory: A path that nothing else writes to.
  ///   - bytes: How much room the files may take.
  ///   - report: Called for damaged and foreign files, on the store's thread.
  public init(
    directory: String, bytes: Int, report: @escaping @Sendable (DiskStoreError) -> Void = { _ in }
  ) {
    self.init(
      directory: directory, bytes: bytes, files: PosixFiles(), wallClock: .system, report: report)
  }

  package init(
    directory: String, bytes: Int, files: any FileSystem, wallClock: WallClock,
    report: @escaping @Sendable (DiskStoreError) -> Void
  ) {
    self.directory = directory
    self.bytes = bytes
    self.files = files
    self.wallClock = wallClock
    self.report = report
  }

  /// How much room the files take, in bytes.
  ///
  /// - Throws: `DiskStoreError` if the directory cannot be used.
  public func usedBytes() throws(DiskStoreError) -> Int {
    try open()
    return contents?.bytes ?? 0
  }

  /// Lets another store use the directory; the next call takes it again.
  public func close() {
    contents = nil
  }

  func path(_ file: String) -> String { "\(directory)/\(file)" }

  /// A name that no other file has, also after a crash: leftovers are removed before the first use.
  func temporaryPath() -> String {
    let number = contents?.takeNumber() ?? 0
    return path("\(DiskContents.temporaryPrefix)\(number)")
  }

  /// Dates a file as used now; the order of files survives the process with it.
  func touch(_ file: String) {
    guard let time = contents?.takeTime(wallClock.milliseconds()) else { return }
    // Without the date the file only goes sooner than it should.
    try? files.setModified(path(file), to: time)
  }
}

extension DiskStore: ResourceStore {
  package func read(_ name: String) throws(DiskStoreError) -> StoredResource? {
    try open()
    let name = RecordName(name)
    guard contents?.use(name.file) == true else { return nil }
    do {
      guard let bytes = try files.read(path(name.file)) else {
        // The directory was deleted from outside.
        contents?.remove(name.file)
        return nil
      }
      let resource = try StoredRecord.decode(bytes, key: name.key)
      touch(name.file)
      return resource
    } catch let flaw as StoredRecord.Flaw {
      if flaw != .otherKey { setAside(name.file, DiskStoreError(flaw, file: path(name.file))) }
      return nil
    } catch let error as FileError {
      throw DiskStoreError(error)
    } catch {
      return nil
    }
  }

  package func write(
    _ resource: StoredResource, for name: String, if isWanted: @Sendable () -> Bool
  ) throws(DiskStoreError) {
    try open()
    let name = RecordName(name)
    let record = StoredRecord.encode(resource, key: name.key)
    let size = DiskContents.size(record.count)
    guard size <= bytes else { throw .tooLarge(bytes: record.count, limit: bytes) }
    // Removals run on this thread as well: they come either before this question or after the
    // file has been written.
    guard isWanted() else { return }
    do {
      try replace(name.file, with: record)
    } catch  where DiskStoreError(error) == .full(path: error.path) {
      // There is room: what this store keeps can be had again.
      evict(until: max((contents?.bytes ?? 0) - 2 * size, 0))
      do throws(FileError) {
        try replace(name.file, with: record)
      } catch {
        throw DiskStoreError(error)
      }
    } catch {
      throw DiskStoreError(error)
    }
    contents?.store(name.file, size: size)
    touch(name.file)
    evict(until: bytes)
  }

  package func remove(_ name: String) throws(DiskStoreError) {
    try open()
    let name = RecordName(name)
    // It is gone for this process even if the file cannot be removed.
    contents?.remove(name.file)
    do throws(FileError) {
      try files.remove(path(name.file))
      try files.synchronizeDirectory(directory)
    } catch {
      throw DiskStoreError(error)
    }
  }

  package func removeAll() throws(DiskStoreError) {
    try open()
    contents?.removeAll()
    var failure: FileError?
    for folder in [directory, damagedDirectory] {
      do throws(FileError) {
        for info in try files.list(folder) where info.kind != .directory {
          if folder == directory, info.name == DiskContents.lockName { continue }
          do throws(FileError) { try files.remove("\(folder)/\(info.name)") } catch {
            failure = error
          }
        }
        try files.synchronizeDirectory(folder)
      } catch {
        failure = error
      }
    }
    if let failure { throw DiskStoreError(failure) }
  }

  private func replace(_ file: String, with record: [UInt8]) throws(FileError) {
    try files.replace(path(file), in: directory, with: record, by: temporaryPath())
  }

  /// Removes the least recently used files until the rest fits into the limit.
  func evict(until limit: Int) {
    while let contents, contents.bytes > limit, let oldest = contents.removeOldest() {
      do throws(FileError) { try files.remove(path(oldest)) } catch {
        report(DiskStoreError(error))
      }
    }
  }
}
