import CSQLite
import CausewayBasics
import CausewayExploration
import CausewaySystem

/// A file that a connection of SQLite has open.
final class VFSFile {
  let file: DiskFile
  /// `nil` for a temporary file.
  private let disk: SimulatedDisk?
  private let path: String
  private let run: Int
  /// Whether the first synchronisation also stores the name of the file.
  ///
  /// SQLite's own layer for Unix does this for new journals and logs.
  private var synchronizesName: Bool

  init(file: DiskFile, on disk: SimulatedDisk?, path: String, _ newFlags: Int32) {
    self.file = file
    self.disk = disk
    self.path = path
    run = disk?.run ?? 0
    synchronizesName =
      newFlags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL) != 0
  }

  var owner: ObjectIdentifier { ObjectIdentifier(self) }

  /// Whether the process that opened the file has crashed.
  var isDead: Bool { disk.map { !$0.isUsable(in: run) } ?? false }

  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    guard !isDead else { return InputOutputError.read }
    let end = min(file.bytes.count, offset + target.count)
    let count = max(0, end - offset)
    file.bytes.withUnsafeBytes { bytes in
      if count > 0 {
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      }
    }
    guard count < target.count else { return SQLITE_OK }
    // SQLite expects zeros after the end of the file.
    UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(
      as: UInt8.self, repeating: 0)
    return InputOutputError.shortRead
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    guard !isDead else { return InputOutputError.write }
    // Journals, and the headers in a log, contain random numbers that SQLite shares between threads.
    if !path.hasSuffix("-journal"), !path.hasSuffix("-wal") || bytes.count >= DiskFile.sectorSize {
      Scheduler.ofThread?.note(bytes, of: path)
    }
    let bytes = [UInt8](bytes)
    guard let disk else {
      file.write(bytes, at: offset)
      return SQLITE_OK
    }
    do throws(FileError) { try disk.write(bytes, to: file, at: offset, path) } catch {
      return Self.code(error, else: InputOutputError.write)
    }
    return SQLITE_OK
  }

  func truncate(to size: Int) -> Int32 {
    guard !isDead else { return InputOutputError.truncate }
    guard let disk else {
      file.resize(to: size)
      return SQLITE_OK
    }
    do throws(FileError) { try disk.perform(.truncate, path) { file.resize(to: size) } } catch {
      return Self.code(error, else: InputOutputError.truncate)
    }
    return SQLITE_OK
  }

  func synchronize() -> Int32 {
    guard !isDead else { return InputOutputError.synchronize }
    guard let disk else { return SQLITE_OK }
    do throws(FileError) {
      try disk.synchronize(file, path)
      if synchronizesName {
        try disk.synchronizeDirectory(SimulatedDisk.directory(of: path))
        synchronizesName = false
      }
      return SQLITE_OK
    } catch {
      return Self.code(error, else: InputOutputError.synchronize)
    }
  }

  private static func code(_ error: FileError, else code: Int32) -> Int32 {
    switch error.code {
    case ENOSPC: SQLITE_FULL
    case EROFS: SQLITE_READONLY
    default: code
    }
  }

  func close() {
    file.locks.unlock(owner, to: .none)
    file.locks.unmap(owner)
  }
}

/// Calls a closure with the file of SQLite's pointer, while no other step thread uses the disk.
private func use<R>(_ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (VFSFile?) -> R) -> R {
  Scheduler.ofThread?.lock()
  defer { Scheduler.ofThread?.unlock() }
  return body(
    file?.withMemoryRebound(to: FileSlot.self, capacity: 1) {
      $0.pointee.file?.takeUnretainedValue()
    })
}

/// The functions that SQLite calls for an open file.
let fileMethods = makeFileMethods()

private func makeFileMethods() -> sqlite3_io_methods {
  var methods = sqlite3_io_methods()
  methods.iVersion = 2
  methods.xClose = { pointer in
    use(pointer) { $0?.close() }
    pointer?.withMemoryRebound(to: FileSlot.self, capacity: 1) { slot in
      slot.pointee.file?.release()
      slot.pointee.file = nil
    }
    return SQLITE_OK
  }
  methods.xRead = { file, bytes, count, offset in
    let target = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    return use(file) { $0?.read(target, at: Int(offset)) ?? InputOutputError.read }
  }
  methods.xWrite = { file, bytes, count, offset in
    let source = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    return use(file) { $0?.write(source, at: Int(offset)) ?? InputOutputError.write }
  }
  methods.xTruncate = { file, size in
    use(file) { $0?.truncate(to: Int(size)) ?? InputOutputError.truncate }
  }
  methods.xSync = { file, _ in use(file) { $0?.synchronize() ?? InputOutputError.synchronize } }
  methods.xFileSize = { file, size in
    use(file) { file in
      guard let file, !file.isDead else { return InputOutputError.size }
      size?.pointee = sqlite3_int64(file.file.bytes.count)
      return SQLITE_OK
    }
  }
  methods.xLock = { file, level in
    use(file) { file in
      guard let file, !file.isDead, let level = FileLocks.Level(rawValue: level)
      else { return InputOutputError.lock }
      return file.file.locks.lock(file.owner, level) ? SQLITE_OK : SQLITE_BUSY
    }
  }
  methods.xUnlock = { file, level in
    use(file) { file in
      guard let file, let level = FileLocks.Level(rawValue: level)
      else { return InputOutputError.unlock }
      file.file.locks.unlock(file.owner, to: level)
      return SQLITE_OK
    }
  }
  methods.xCheckReservedLock = { file, result in
    result?.pointee = use(file) { $0?.file.locks.isReserved == true ? 1 : 0 }
    return SQLITE_OK
  }
  methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
  methods.xSectorSize = { _ in Int32(DiskFile.sectorSize) }
  // A write changes only its own bytes, as SQLite's layer for Unix assumes by default. Otherwise,
  // SQLite fills the last sector of each commit, and synchronises only a part of these bytes.
  methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
  methods.xShmMap = { file, index, size, extends, region in
    use(file) { file in
      guard let file, !file.isDead else { return InputOutputError.indexMap }
      region?.pointee = file.file.locks.region(
        Int(index), size: Int(size), for: file.owner, extends: extends != 0)
      return SQLITE_OK
    }
  }
  methods.xShmLock = { file, offset, count, flags in
    use(file) { file in
      guard let file, !file.isDead else { return InputOutputError.indexLock }
      let isAllowed = file.file.locks.change(
        Int(offset)..<Int(offset + count), of: file.owner,
        isShared: flags & SQLITE_SHM_SHARED != 0, locks: flags & SQLITE_SHM_LOCK != 0)
      return isAllowed ? SQLITE_OK : SQLITE_BUSY
    }
  }
  // A lock orders the memory of the step threads. Without step threads, all connections run on one
  // thread.
  methods.xShmBarrier = { file in use(file) { _ in } }
  methods.xShmUnmap = { file, _ in
    use(file) { file in
      guard let file else { return InputOutputError.indexMap }
      file.file.locks.unmap(file.owner)
      return SQLITE_OK
    }
  }
  return methods
}

/// The codes of SQLite's input and output errors, whose C macros Swift does not import.
enum InputOutputError {
  static let read = SQLITE_IOERR | 1 << 8
  static let shortRead = SQLITE_IOERR | 2 << 8
  static let write = SQLITE_IOERR | 3 << 8
  static let synchronize = SQLITE_IOERR | 4 << 8
  static let truncate = SQLITE_IOERR | 6 << 8
  static let size = SQLITE_IOERR | 7 << 8
  static let unlock = SQLITE_IOERR | 8 << 8
  static let delete = SQLITE_IOERR | 10 << 8
  static let lock = SQLITE_IOERR | 15 << 8
  static let indexLock = SQLITE_IOERR | 20 << 8
  static let indexMap = SQLITE_IOERR | 21 << 8
  static let deleteMissing = SQLITE_IOERR | 23 << 8
}
