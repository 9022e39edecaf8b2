import CSQLite
import CausewayBasics
import CausewayExploration
import CausewaySystem

/// The layer between SQLite and the disks of simulated nodes.
///
/// SQLite calls it on the threads of the trial. A path begins with the root of its disk. The layer
/// has shared memory, so databases use the write-ahead log as on a real disk.
enum SimulatedVFS {
  static let name = "causeway-simulation"

  /// Registers the layer with SQLite, once in a process.
  static func register() { _ = registered }

  /// SQLite keeps pointers to the layer and to its name, so neither is ever freed.
  private static let registered: Void = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: fileMethods)
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: sqlite3_vfs())
    vfs.pointee.iVersion = 1
    vfs.pointee.szOsFile = Int32(MemoryLayout<FileSlot>.size)
    vfs.pointee.mxPathname = 512
    vfs.pointee.zName = UnsafePointer(strdup(name))
    vfs.pointee.pAppData = UnsafeMutableRawPointer(methods)
    vfs.pointee.xOpen = { SimulatedVFS.open($0, $1, $2, $3, $4) }
    vfs.pointee.xDelete = { _, path, synchronizes in
      delete(path, synchronizesDirectory: synchronizes != 0)
    }
    vfs.pointee.xAccess = { _, path, _, result in
      Scheduler.ofThread?.lock()
      defer { Scheduler.ofThread?.unlock() }
      result?.pointee = find(path).flatMap { $0.disk.file(at: $0.path) } == nil ? 0 : 1
      return SQLITE_OK
    }
    vfs.pointee.xFullPathname = { _, path, count, result in
      guard let path, let result, strlen(path) < count else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
    vfs.pointee.xRandomness = { _, count, bytes in
      // SQLite calls `xRandomness` only on the default layer, and this layer is not the default.
      if let bytes { memset(bytes, 0, Int(count)) }
      return count
    }
    // Time passes only when no task can run.
    vfs.pointee.xSleep = { _, microseconds in microseconds }
    vfs.pointee.xCurrentTime = { _, days in
      let seconds = (Scheduler.ofThread?.now ?? .zero) / .seconds(1)
      // The Julian day of 1970-01-01 is 2440587.5.
      days?.pointee = 2_440_587.5 + (SimulatedSystem.startOfTime + seconds) / 86_400
      return SQLITE_OK
    }
    vfs.pointee.xGetLastError = { _, _, _ in 0 }
    sqlite3_vfs_register(vfs, 0)
  }()

  /// The disk of a path; `nil` outside a trial.
  private static func find(
    _ path: UnsafePointer<CChar>?
  ) -> (disk: SimulatedDisk, path: String)? {
    guard let path, let trial = Trial.current else { return nil }
    let text = String(cString: path)
    guard let disk = trial.nodes.first(where: { text.hasPrefix($0.disk.root + "/") })?.disk
    else { return nil }
    return (disk, text)
  }

  private static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    Scheduler.ofThread?.lock()
    defer { Scheduler.ofThread?.unlock() }
    file?.pointee.pMethods = nil
    guard let file, let methods = vfs?.pointee.pAppData else { return SQLITE_CANTOPEN }
    let opened: VFSFile
    if path == nil {
      // A temporary file, which only this connection uses.
      opened = VFSFile(file: DiskFile(number: 0, modified: 0), on: nil, path: "", flags)
    } else {
      guard let (disk, path) = find(path) else { return SQLITE_CANTOPEN }
      let isNew = disk.file(at: path) == nil
      guard !isNew || flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
      do throws(FileError) {
        try disk.checkPower("open", path)
        let content: DiskFile
        if let existing = disk.file(at: path) {
          content = existing
        } else {
          content = try disk.create(path, modified: 0)
        }
        // SQLite asks to create a log that may exist: a process can end before the name is on the disk.
        opened = VFSFile(
          file: content, on: disk, path: path, flags & SQLITE_OPEN_CREATE == 0 ? 0 : flags)
      } catch {
        return error.code == ENOSPC ? SQLITE_FULL : SQLITE_CANTOPEN
      }
    }
    outFlags?.pointee = flags
    file.withMemoryRebound(to: FileSlot.self, capacity: 1) { slot in
      slot.pointee.file = Unmanaged.passRetained(opened)
    }
    file.pointee.pMethods = UnsafePointer(
      methods.assumingMemoryBound(to: sqlite3_io_methods.self))
    return SQLITE_OK
  }

  private static func delete(
    _ path: UnsafePointer<CChar>?, synchronizesDirectory: Bool
  ) -> Int32 {
    Scheduler.ofThread?.lock()
    defer { Scheduler.ofThread?.unlock() }
    guard let (disk, path) = find(path) else { return InputOutputError.delete }
    guard disk.file(at: path) != nil else { return InputOutputError.deleteMissing }
    do throws(FileError) {
      try disk.remove(path)
      if synchronizesDirectory {
        try disk.synchronizeDirectory(SimulatedDisk.directory(of: path))
      }
      return SQLITE_OK
    } catch {
      return InputOutputError.delete
    }
  }
}

/// The memory that SQLite gives to each open file.
struct FileSlot {
  var base: sqlite3_file
  var file: Unmanaged<VFSFile>?
}
