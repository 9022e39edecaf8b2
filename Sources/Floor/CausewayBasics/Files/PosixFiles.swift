import CausewaySystem

/// The file system of the operating system.
package struct PosixFiles: FileSystem {
  package init() {}

  package func createDirectory(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw FileError("create the directory", path, code: errno)
    }
    try createDirectory(String(path[..<slash]))
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw FileError("create the directory", path, code: errno)
    }
  }

  package func list(_ path: String) throws(FileError) -> [FileInfo] {
    guard let directory = opendir(path) else { throw FileError("list", path, code: errno) }
    defer { closedir(directory) }
    var entries: [FileInfo] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        if errno != 0 { throw FileError("list", path, code: errno) }
        return entries
      }
      let found: FileInfo? = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          info($0, in: dirfd(directory))
        }
      }
      // The file was removed after the directory was read.
      if let found { entries.append(found) }
    }
  }

  /// - Parameter name: The name in the directory, which may not be valid text.
  private func info(_ name: UnsafePointer<CChar>, in directory: Int32) -> FileInfo? {
    var status = stat()
    let text = String(cString: name)
    guard text != ".", text != "..",
      fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let kind: FileInfo.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      default: .other
      }
    // A date out of range comes from a wrong clock or disk. Such a file counts as the oldest.
    let (seconds, isBeyond) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return FileInfo(
      name: text, kind: kind, size: Int(status.st_size),
      modified: isBeyond ? 0 : seconds &+ Int64(time.tv_nsec))
  }

  package func read(_ path: String) throws(FileError) -> [UInt8]? {
    try read(path, at: 0, count: nil)
  }

  package func read(_ path: String, at offset: Int, count: Int) throws(FileError) -> [UInt8]? {
    try read(path, at: offset, count: Optional(count))
  }

  private func read(
    _ path: String, at offset: Int, count limit: Int?
  ) throws(FileError) -> [UInt8]? {
    // Opens the file without following links, and without waiting for the writer of a pipe.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 {
      if errno == ENOENT { return nil }
      throw FileError("open", path, code: errno)
    }
    defer { _ = systemClose(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError("read", path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError("read", path, code: EINVAL)
    }
    guard let fileSize = Int(exactly: status.st_size) else {
      throw FileError("read", path, code: EFBIG)
    }
    let size = min(max(fileSize - offset, 0), limit ?? fileSize)
    if offset > 0, lseek(file, off_t(offset), SEEK_SET) < 0 {
      throw FileError("read", path, code: errno)
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let result = systemRead(file, buffer.baseAddress.map { $0 + count }, size - count)
        if result < 0 {
          if errno == EINTR { continue }
          failure = errno
          return
        }
        if result == 0 { return }
        count += result
      }
    }
    if failure != 0 { throw FileError("read", path, code: failure) }
    return bytes
  }

  package func readResident(_ path: String, headSize: Int) -> ResidentFile {
    guard let readNow = Self.readNow else { return .unknown }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 { return errno == ENOENT ? .absent : .unknown }
    defer { _ = systemClose(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let size = Int(exactly: status.st_size), size >= headSize
    else { return .unknown }
    var isComplete = false
    var rest: [UInt8] = []
    let head = [UInt8](unsafeUninitializedCapacity: headSize) { head, headCount in
      rest = [UInt8](unsafeUninitializedCapacity: size - headSize) { rest, restCount in
        let parts = [
          iovec(iov_base: head.baseAddress, iov_len: headSize),
          iovec(iov_base: rest.baseAddress, iov_len: size - headSize),
        ]
        isComplete = readNow(file, parts, 2, 0, Self.withoutWaiting) == size
        (headCount, restCount) = isComplete ? (headSize, size - headSize) : (0, 0)
      }
    }
    return isComplete ? .contents(head: head, rest: rest) : .unknown
  }

  /// Whether ``readResident(_:headSize:)`` can read on this system.
  package static var canReadResident: Bool { readNow != nil }

  private typealias ReadNow =
    @convention(c) (Int32, UnsafePointer<iovec>, Int32, off_t, Int32) -> Int

  #if os(Linux)
    /// The C function `preadv2`, which Swift's overlay of the C library lacks.
    private static let readNow: ReadNow? = dlsym(nil, "preadv2").map {
      // The C type of the function: `off_t` has 64 bits.
      unsafeBitCast($0, to: ReadNow.self)
    }
    /// `RWF_NOWAIT`: the call fails instead of waiting for the disk.
    private static let withoutWaiting: Int32 = 8
  #else
    private static let readNow: ReadNow? = nil
    private static let withoutWaiting: Int32 = 0
  #endif

  package func create(_ path: String) throws(FileError) -> FileHandleNumber {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file < 0 { throw FileError("create", path, code: errno) }
    return file
  }

  package func identity(_ path: String) -> FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      size: Int(clamping: status.st_size))
  }

  package func createIfMissing(_ path: String) {
    guard identity(path) == nil else { return }
    // The file gets its final name only after it is closed. If this process had the file open at
    // another place, closing it here would release SQLite's locks on it.
    let part = "\(path).new-\(UInt64.random(in: 0...UInt64.max))"
    guard let file = try? create(part) else { return }
    try? close(file)
    link(part, path)
    unlink(part)
  }

  package func openForAppending(
    _ path: String
  ) throws(FileError) -> (FileHandleNumber, size: Int)? {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 {
      if errno == ENOENT { return nil }
      throw FileError("open", path, code: errno)
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = systemClose(file)
      throw FileError("open", path, code: EINVAL)
    }
    return (file, Int(clamping: status.st_size))
  }

  package func truncate(_ file: FileHandleNumber, to size: Int) throws(FileError) {
    if ftruncate(file, off_t(size)) != 0 {
      throw FileError("truncate", "file \(file)", code: errno)
    }
  }

  package func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError) {
    let failure = bytes.withUnsafeBytes { buffer -> Int32 in
      var written = 0
      while written < buffer.count {
        let result = systemWrite(
          file, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        if result < 0 {
          if errno == EINTR { continue }
          return errno
        }
        written += result
      }
      return 0
    }
    if failure != 0 { throw FileError("write", "file \(file)", code: failure) }
  }

  package func synchronize(_ file: FileHandleNumber) throws(FileError) {
    if systemSynchronize(file) != 0 { throw FileError("synchronize", "file \(file)", code: errno) }
  }

  package func close(_ file: FileHandleNumber) throws(FileError) {
    if systemClose(file) != 0 { throw FileError("close", "file \(file)", code: errno) }
  }

  package func rename(_ path: String, to newPath: String) throws(FileError) {
    if systemRename(path, newPath) != 0 { throw FileError("rename", path, code: errno) }
  }

  package func synchronizeDirectory(_ path: String) throws(FileError) {
    let directory = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    if directory < 0 { throw FileError("open", path, code: errno) }
    defer { _ = systemClose(directory) }
    // Some file systems do not support this for directories, and do not need it.
    if systemSynchronize(directory) != 0, errno != EINVAL {
      throw FileError("synchronize", path, code: errno)
    }
  }

  package func remove(_ path: String) throws(FileError) {
    if unlink(path) != 0, errno != ENOENT { throw FileError("remove", path, code: errno) }
  }

  package func setModified(_ path: String, to time: Int64) throws(FileError) {
    var date = timespec()
    date.tv_sec = time_t(time / 1_000_000_000)
    date.tv_nsec = Int(time % 1_000_000_000)
    if utimensat(AT_FDCWD, path, [date, date], AT_SYMLINK_NOFOLLOW) != 0 {
      throw FileError("date", path, code: errno)
    }
  }

  package func lock(_ path: String) throws(FileError) -> any Sendable {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if file < 0 { throw FileError("open", path, code: errno) }
    if flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      _ = systemClose(file)
      throw FileError("lock", path, code: code)
    }
    return FileLock(file)
  }

  package func lockExisting(_ path: String) throws(FileError) -> (any Sendable)? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return nil }
    if flock(file, LOCK_EX) != 0 {
      let code = errno
      _ = systemClose(file)
      throw FileError("lock", path, code: code)
    }
    return FileLock(file)
  }
}

/// Keeps a locked file open.
private final class FileLock: Sendable {
  private let file: Int32

  init(_ file: Int32) {
    self.file = file
  }

  deinit {
    // Unlocks explicitly. A child process that is starting has copies of all descriptors until its
    // program runs, and these copies would keep the lock.
    flock(file, LOCK_UN)
    _ = systemClose(file)
  }
}

// These functions call the system's functions. Inside the type, the system's functions are hidden
// by methods with the same names.

private func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}

private func systemRename(_ path: String, _ newPath: String) -> Int32 {
  rename(path, newPath)
}

private func systemSynchronize(_ file: Int32) -> Int32 {
  #if canImport(Darwin)
    // On Apple systems `fsync` does not flush the drive's cache. Some file systems support only
    // `fsync`.
    if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(file)
}
