public import CausewayBasics
import CausewaySystem
import Synchronization

/// The files of one cache, replaced atomically, verified when read, and limited in total size.
///
/// ```swift
/// let files = DiskStore(directory: "/var/cache/harbor/pictures", bytes: 200_000_000) { error in
///   log("\(error)")
/// }
/// let pictures = ResourceCache(disk: .bytes(files) { "\($0)" }, loader: server.picture)
/// ```
///
/// There is no index file. Each file contains its key and the date of its value, and its
/// modification date is the date of its last use. An index could be lost in a crash, or could
/// disagree with the files. The dates of reads are written at most once a second. A
/// value that the cache returns from memory does not count as a use here.
///
/// A damaged file is moved to the folder `damaged` and reported. The same applies to a file that
/// the store has not written. That folder keeps only the newest files.
///
/// If other code deletes the directory, the next write creates it again.
///
/// Isolation: a separate thread, because disk operations block.
public actor DiskStore {
  /// The executor of the thread for blocking disk operations.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    files.executor.asUnownedSerialExecutor()
  }

  /// The directory of the files.
  public nonisolated let directory: String
  /// The most disk space that the files may take, in bytes; each file counts in blocks of 4 KiB.
  public nonisolated let bytes: Int

  let files: any FileSystem
  let wallClock: WallClock
  let report: @Sendable (DiskStoreError) -> Void
  var contents: DiskContents? {
    didSet { recent.withLock { $0.isOpen = contents != nil } }
  }
  /// The reads on other threads that the store has not noted yet.
  nonisolated let recent = Mutex(RecentReads())

  /// Makes a store; the first use creates and reads the directory.
  ///
  /// - Parameters:
  ///   - directory: A path that no other code writes to.
  ///   - bytes: The most disk space that the files may take.
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

  /// The disk space that the files take, in bytes.
  ///
  /// - Throws: `DiskStoreError` if the directory cannot be used.
  public func usedBytes() throws(DiskStoreError) -> Int {
    try open()
    return contents?.bytes ?? 0
  }

  /// Unlocks the directory for another store; the next call locks it again.
  public func close() {
    noteReads()
    contents = nil
  }

  nonisolated func path(_ file: String) -> String { "\(directory)/\(file)" }

  /// A name that no other file has; files of an earlier process are removed before the first use.
  func temporaryPath() -> String {
    let number = contents?.takeNumber() ?? 0
    return path("\(DiskContents.temporaryPrefix)\(number)")
  }

  /// Sets the modification date of a file to now; the date is kept after the end of the process.
  func touch(_ file: String) {
    guard let time = contents?.takeTime(wallClock.milliseconds()) else { return }
    // If this fails, the only effect is that the file is removed too early.
    try? files.setModified(path(file), to: time)
  }
}

/// The files that were read on threads other than the store's thread.
struct RecentReads {
  var isOpen = false
  /// The number of the last read of each file.
  private var reads: [String: Int] = [:]
  private var lastNumber = 0
  /// When the reads were last noted, in milliseconds.
  private var notedAt: Int64?

  /// Adds a read; returns whether it is time to note the reads.
  mutating func add(_ file: String, at time: Int64) -> Bool {
    lastNumber += 1
    reads[file] = lastNumber
    if let notedAt, (notedAt..<(notedAt + 1_000)).contains(time) { return false }
    notedAt = time
    return true
  }

  /// Removes the reads, and returns their files in the order of the reads.
  mutating func take() -> [String] {
    defer { reads = [:] }
    return reads.sorted { $0.value < $1.value }.map(\.key)
  }
}

extension DiskStore: ResourceStore {
  package nonisolated var readsNow: Bool { files is PosixFiles && PosixFiles.canReadResident }

  /// Reads a file on the caller's thread if the system has it in memory.
  ///
  /// A change to the store's thread and back takes several times as long as the read.
  package nonisolated func readNow(_ name: String) -> StoredResource? {
    guard recent.withLock(\.isOpen) else { return nil }
    let name = RecordName(name)
    let headSize = StoredRecord.headerSize + name.key.utf8.count
    guard
      case .contents(let head, let rest) = files.readResident(path(name.file), headSize: headSize),
      // For all other files, the store's thread repeats the read, and sets damaged files aside.
      let resource = StoredRecord.decode(head: head, rest: rest, key: name.key)
    else { return nil }
    let time = wallClock.milliseconds()
    if recent.withLock({ $0.add(name.file, at: time) }) { Task { await noteReads() } }
    return resource
  }

  /// Records the reads on other threads in the order of use.
  func noteReads() {
    for file in recent.withLock({ $0.take() }) where contents?.use(file) == true { touch(file) }
  }

  package func read(_ name: String) throws(DiskStoreError) -> StoredResource? {
    try open()
    let name = RecordName(name)
    guard contents?.use(name.file) == true else { return nil }
    do {
      guard let bytes = try files.read(path(name.file)) else {
        // Other code has deleted the file.
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
    let name = RecordName(name)
    do throws(DiskStoreError) {
      try put(resource, name, isWanted)
    } catch {
      guard error.isMissing else { throw error }
      // Other code has deleted the directory, including the lock. The store starts over.
      contents = nil
      try put(resource, name, isWanted)
    }
  }

  private func put(
    _ resource: StoredResource, _ name: RecordName, _ isWanted: () -> Bool
  ) throws(DiskStoreError) {
    try open()
    let record = StoredRecord.encode(resource, key: name.key)
    let size = DiskContents.size(record.count)
    guard size <= bytes else { throw .tooLarge(bytes: record.count, limit: bytes) }
    noteReads()
    // Removals also run on this thread: either before this check, or after the file was written.
    guard isWanted() else { return }
    do {
      try replace(name.file, with: record)
    } catch  where DiskStoreError(error) == .full(path: error.path) {
      // The cache can load its values again, so the store deletes values to free space.
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
    // For this process the entry is removed, even if the file cannot be removed.
    contents?.remove(name.file)
    do throws(FileError) {
      try files.remove(path(name.file))
      try files.synchronizeDirectory(directory)
    } catch {
      // A deleted directory contains no value.
      guard error.code == ENOENT else { throw DiskStoreError(error) }
      contents = nil
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
        // A deleted directory contains no value; the next use creates it.
        if error.code == ENOENT { contents = nil } else { failure = error }
      }
    }
    if let failure { throw DiskStoreError(failure) }
  }

  private func replace(_ file: String, with record: [UInt8]) throws(FileError) {
    // The directory is not synchronised. After a power failure, the file may have its earlier
    // value, with the date of that value. Removals do synchronise the directory.
    try files.put(record, at: path(file), by: temporaryPath())
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
