import CausewayData
import CausewaySQLite
import CausewaySystem

/// The disk of a node: files in memory that follow the rules of a real disk.
///
/// A crash of the node keeps all files. After a power failure, only the bytes of synchronised files
/// and the names in synchronised directories are certainly on the disk. The seed decides which of
/// the other changes survive.
///
/// Isolation: only the thread of its trial may use it.
final class SimulatedDisk {
  /// A change of a directory that is not synchronised.
  private enum NameChange {
    case set(String, DiskFile)
    case createDirectory(String)
    case remove(String)
    case rename(String, to: String)

    func concerns(_ directory: String) -> Bool {
      switch self {
      case .set(let path, _), .createDirectory(let path), .remove(let path):
        SimulatedDisk.directory(of: path) == directory
      case .rename(let path, let newPath):
        SimulatedDisk.directory(of: path) == directory
          || SimulatedDisk.directory(of: newPath) == directory
      }
    }
  }

  /// The files and directories by their paths.
  private struct Names {
    var files: [String: DiskFile] = [:]
    var directories: Set<String>

    mutating func apply(_ change: NameChange) {
      switch change {
      case .set(let path, let file): files[path] = file
      case .createDirectory(let path): directories.insert(path)
      case .remove(let path): files[path] = nil
      case .rename(let path, let newPath):
        // The name may already be missing on the disk.
        if let file = files.removeValue(forKey: path) { files[newPath] = file }
      }
    }

    /// Removes everything below directories that do not exist.
    mutating func removeUnreachable() {
      while let lost = directories.first(where: { !isReachable($0) }) { directories.remove(lost) }
      files = files.filter { isReachable($0.key) }
    }

    private func isReachable(_ path: String) -> Bool {
      path == "/" || directories.contains(SimulatedDisk.directory(of: path))
    }
  }

  private struct WeakConnection {
    weak var connection: (any DatabaseConnection)?
  }

  /// The directory of all paths on the disk.
  let root: String
  var fault: DiskFault?
  /// The number of crashes so far; an open file belongs to the run between two crashes.
  private(set) var run = 0
  private var random: SimulationRandom
  private var names: Names
  private var durableNames: Names
  private var nameChanges: [NameChange] = []
  private var fileCount: UInt64 = 0
  private var openFiles: [FileHandleNumber: DiskFile] = [:]
  private var lastHandle: FileHandleNumber = 0
  private var lockedPaths: Set<String> = []
  private var connections: [WeakConnection] = []
  /// The due time of the last job of the disk's executor.
  private var lastDue = Duration.zero

  init(node: Int, random: SimulationRandom) {
    root = "/disk\(node)"
    names = Names(directories: ["/", root])
    durableNames = names
    self.random = random
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: - Crashes

  func opened(_ connection: any DatabaseConnection) {
    connections.append(WeakConnection(connection: connection))
  }

  /// Closes all files of the node's run.
  ///
  /// - Parameter losesPower: Whether changes that are not synchronised may be lost.
  func crash(losesPower: Bool) {
    run += 1
    for connection in connections { connection.connection?.abandon() }
    connections = []
    openFiles = [:]
    lockedPaths = []
    if losesPower { losePower() }
  }

  private func losePower() {
    for change in nameChanges.prefix(Int.random(in: 0...nameChanges.count, using: &random)) {
      durableNames.apply(change)
    }
    nameChanges = []
    durableNames.removeUnreachable()
    names = durableNames
    // Each file takes random numbers, so the order of the files must be fixed.
    for (_, file) in names.files.sorted(by: { $0.key < $1.key }) { file.losePower(&random) }
  }

  // MARK: - Faults

  /// Throws the error that the current fault causes in an operation that changes the disk.
  ///
  /// - Parameter grows: Whether the operation needs space.
  func checkFault(_ operation: String, _ path: String, grows: Bool) throws(FileError) {
    switch fault {
    case .full where grows: throw FileError(operation, path, code: ENOSPC)
    case .readOnly: throw FileError(operation, path, code: EROFS)
    case .failing where Bool.random(using: &random): throw FileError(operation, path, code: EIO)
    default: break
    }
  }

  /// Returns the number of bytes that a failing write stores.
  func tornSize(of count: Int) -> Int { Int.random(in: 0...count, using: &random) }

  /// Returns the time for the next job of the disk's executor; jobs run in order.
  func takeDue(now: Duration) -> Duration {
    let range = if case .slow(let range) = fault { range } else { Self.usualDelay }
    lastDue = max(lastDue + .nanoseconds(1), now + random.duration(in: range))
    return lastDue
  }

  private static let usualDelay = Duration.microseconds(20) ... .microseconds(500)

  // MARK: - Names

  /// The bytes of all files, by the path below the root.
  var contents: [String: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: names.files.map {
        (String($0.key.dropFirst(root.count + 1)), $0.value.bytes)
      }
    )
  }

  func file(at path: String) -> DiskFile? { names.files[path] }

  func create(_ path: String, modified: Int64) throws(FileError) -> DiskFile {
    guard names.directories.contains(Self.directory(of: path)) else {
      throw FileError("create", path, code: ENOENT)
    }
    guard names.files[path] == nil, !names.directories.contains(path) else {
      throw FileError("create", path, code: EEXIST)
    }
    try checkFault("create", path, grows: true)
    let file = makeFile(modified: modified)
    change(.set(path, file))
    return file
  }

  /// Makes a file without a name.
  func makeFile(modified: Int64) -> DiskFile {
    fileCount += 1
    return DiskFile(number: fileCount, modified: modified)
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    guard names.files[path] != nil, names.directories.contains(Self.directory(of: newPath)) else {
      throw FileError("rename", path, code: ENOENT)
    }
    try checkFault("rename", path, grows: false)
    change(.rename(path, to: newPath))
  }

  func remove(_ path: String) throws(FileError) {
    guard names.files[path] != nil else { return }
    try checkFault("remove", path, grows: false)
    change(.remove(path))
  }

  func synchronizeDirectory(_ path: String) throws(FileError) {
    try checkFault("synchronize", path, grows: false)
    for change in nameChanges where change.concerns(path) {
      durableNames.apply(change)
    }
    nameChanges.removeAll { $0.concerns(path) }
  }

  /// The files of a directory, in the order of their creation.
  func list(_ path: String) throws(FileError) -> [(name: String, file: DiskFile?)] {
    guard names.directories.contains(path) else { throw FileError("list", path, code: ENOENT) }
    let files = names.files.filter { Self.directory(of: $0.key) == path }
      .sorted { $0.value.number < $1.value.number }
      .map { (name: String($0.key.dropFirst(path.count + 1)), file: Optional($0.value)) }
    let folders = names.directories.filter { $0 != path && Self.directory(of: $0) == path }.sorted()
      .map { (name: String($0.dropFirst(path.count + 1)), file: DiskFile?.none) }
    return files + folders
  }

  /// Creates a directory and its parents.
  func createDirectory(_ path: String) throws(FileError) {
    if names.directories.contains(path) { return }
    try checkFault("create the directory", path, grows: true)
    try createDirectory(Self.directory(of: path))
    change(.createDirectory(path))
  }

  private func change(_ change: NameChange) {
    nameChanges.append(change)
    names.apply(change)
  }

  // MARK: - Open files

  func open(_ file: DiskFile) -> FileHandleNumber {
    lastHandle += 1
    openFiles[lastHandle] = file
    return lastHandle
  }

  func openFile(_ number: FileHandleNumber) throws(FileError) -> DiskFile {
    guard let file = openFiles[number] else {
      throw FileError("use", "file \(number)", code: EBADF)
    }
    return file
  }

  func close(_ number: FileHandleNumber) {
    openFiles[number] = nil
  }

  /// Locks a path for the current run; returns whether it was free.
  func lock(_ path: String) -> Bool { lockedPaths.insert(path).inserted }

  func unlock(_ path: String, run: Int) {
    if run == self.run { lockedPaths.remove(path) }
  }
}
