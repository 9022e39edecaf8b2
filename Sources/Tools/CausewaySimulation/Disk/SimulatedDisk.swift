import CausewayBasics
import CausewayExploration
import CausewaySQLite
import CausewaySystem

/// The trial of a disk's node.
protocol DiskOwner: AnyObject {
  /// Adds a line to the timeline of a node.
  func log(_ text: @autoclosure () -> String, _ node: NodeID?)

  /// Ends the run of a node in the middle of an operation of its disk.
  func crashInside(_ id: NodeID, _ place: String, losesPower: Bool, for pause: Duration)
}

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

  /// The directory that contains all paths.
  let root: String
  var fault: DiskFault?
  /// The crash at one of the next operations; `nil` if there is none.
  var outage: DiskOutage?
  /// The number of next writes that go to another sector of their file.
  var strayWrites = 0
  /// Whether a power failure can store a part of a sector.
  var tearsSectors = false
  /// Whether the node has crashed inside the current step.
  private var isOff = false
  private let node: NodeID
  private weak var owner: (any DiskOwner)?
  /// The number of crashes so far; an open file belongs to the run between two crashes.
  private(set) var run = 0
  private var random: ForkedRandom
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

  init(node: NodeID, random: ForkedRandom, owner: any DiskOwner) {
    self.node = node
    self.owner = owner
    root = "/disk\(node.index)"
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
  /// - Parameter power: Decides which changes that are not synchronised are left; `nil` keeps them
  ///   all.
  func crash(power: SimulationRandom? = nil) {
    run += 1
    isOff = false
    outage = nil
    for connection in connections { connection.connection?.abandon() }
    connections = []
    openFiles = [:]
    lockedPaths = []
    if var power { losePower(&power) }
  }

  /// Removes everything at the end of a trial.
  ///
  /// Tasks that never end retain the disk, and closed connections of SQLite may retain files.
  func drop() {
    crash()
    for file in [names, durableNames].flatMap(\.files.values) { file.drop() }
    names = Names(directories: [])
    durableNames = names
    nameChanges = []
  }

  /// Returns a source of random numbers for one power failure.
  func takeRandom() -> SimulationRandom { SimulationRandom(seed: random.next()) }

  private func losePower(_ random: inout SimulationRandom) {
    let keptNames = Int.random(in: 0...nameChanges.count, using: &random)
    for change in nameChanges.prefix(keptNames) { durableNames.apply(change) }
    if keptNames < nameChanges.count {
      owner?.log("the last \(nameChanges.count - keptNames) changes of names are lost", node)
    }
    nameChanges = []
    durableNames.removeUnreachable()
    names = durableNames
    // Each file takes random numbers, so the order of the files must be fixed.
    for (path, file) in filesByPath {
      if let loss = file.losePower(&random, tearsSectors: tearsSectors) {
        owner?.log("\(path) \(loss)", node)
      }
    }
  }

  private var filesByPath: [(key: String, value: DiskFile)] {
    names.files.sorted { $0.key < $1.key }
  }

  /// Changes one bit of a file; the change stays on the disk.
  func flipBit(_ random: inout SimulationRandom) {
    let files = filesByPath.map(\.value).filter { !$0.bytes.isEmpty }
    files.randomElement(using: &random)?.flipBit(&random)
  }

  // MARK: - Operations

  /// Performs an operation that changes the disk, or throws the error of the current fault.
  ///
  /// A crash can happen before or after each operation. The program then gets an error too, because
  /// its job cannot be ended at this place.
  ///
  /// - Parameters:
  ///   - grows: Whether the operation needs space.
  ///   - failure: The effect if the operation fails.
  ///   - effect: The effect otherwise.
  func perform(
    _ operation: Operation, _ path: String, grows: Bool = false, failure: () -> Void = {},
    _ effect: () -> Void
  ) throws(FileError) {
    try checkPower(operation.rawValue, path)
    func error(_ code: Int32) -> FileError { FileError(operation.rawValue, path, code: code) }
    switch fault {
    case .full where grows: throw error(ENOSPC)
    case .readOnly: throw error(EROFS)
    case .failing where Bool.random(using: &random),
      .failingSync where operation == .synchronize && Bool.random(using: &random):
      failure()
      throw error(EIO)
    default: break
    }
    guard let outage = takeOutage(operation) else { return effect() }
    if outage.isAfter { effect() }
    owner?.crashInside(
      node, "\(outage.isAfter ? "after" : "before") an operation (\(operation.rawValue) \(path))",
      losesPower: outage.power != nil, for: outage.down)
    isOff = true
    run += 1
    if var power = outage.power { losePower(&power) }
    throw error(EIO)
  }

  enum Operation: String {
    case write, truncate, synchronize, create, rename, remove, date
    case createDirectory = "create the directory"
    case synchronizeDirectory = "synchronize the directory"
  }

  /// Makes every later operation of the current step fail, because the node ends after the step.
  func turnOff() { isOff = true }

  /// Throws an error if the node has crashed inside the current step.
  func checkPower(_ operation: String, _ path: String) throws(FileError) {
    if isOff { throw FileError(operation, path, code: EIO) }
  }

  /// Whether a file that was opened in a run of the node can be used.
  func isUsable(in run: Int) -> Bool { run == self.run && !isOff }

  /// Returns the outage that happens at this operation of the node's program.
  private func takeOutage(_ operation: Operation) -> DiskOutage? {
    guard var outage, let scheduler = Scheduler.ofThread,
      scheduler.current.node == node.index, scheduler.isCurrentAlive,
      operation == .synchronize || operation == .synchronizeDirectory
        || !outage.countsOnlySynchronizations
    else { return nil }
    outage.count -= 1
    self.outage = outage.count > 0 ? outage : nil
    return outage.count > 0 ? nil : outage
  }

  /// Writes bytes to a file; a stray write goes to another place in it.
  func write(_ bytes: [UInt8], to file: DiskFile, at offset: Int, _ path: String) throws(FileError)
  {
    try perform(.write, path, grows: offset + bytes.count > file.bytes.count) {
      // A failed write may have stored a part of its bytes.
      let size = Int.random(in: 0...bytes.count, using: &random)
      file.write(Array(bytes.prefix(size)), at: offset)
    } _: {
      let sectors = file.bytes.count / DiskFile.sectorSize
      guard strayWrites > 0, sectors > 0 else { return file.write(bytes, at: offset) }
      strayWrites -= 1
      let sector = Int.random(in: 0..<sectors, using: &random)
      file.write(bytes, at: sector * DiskFile.sectorSize)
    }
  }

  /// Stores the changes of a file on the disk.
  func synchronize(_ file: DiskFile, _ path: String) throws(FileError) {
    try perform(.synchronize, path) {
      if case .failingSync = fault { file.dropChanges(&random) }
    } _: {
      file.synchronize()
    }
  }

  /// Returns the time for the next job of the disk's executor; jobs run in order.
  func takeDue(now: Duration) -> Duration {
    let range = if case .slow(let range) = fault { range } else { Self.usualDelay }
    let (least, most) = (range.lowerBound.microseconds, range.upperBound.microseconds)
    let delay = Duration.microseconds(Int64.random(in: least...most, using: &random))
    lastDue = max(lastDue + .nanoseconds(1), now + delay)
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
    try checkPower("create", path)
    guard names.directories.contains(Self.directory(of: path)) else {
      throw FileError("create", path, code: ENOENT)
    }
    guard names.files[path] == nil, !names.directories.contains(path) else {
      throw FileError("create", path, code: EEXIST)
    }
    let file = makeFile(modified: modified)
    try perform(.create, path, grows: true) { change(.set(path, file)) }
    return file
  }

  /// Makes a file without a name.
  func makeFile(modified: Int64) -> DiskFile {
    fileCount += 1
    return DiskFile(number: fileCount, modified: modified)
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    try checkPower("rename", path)
    guard names.files[path] != nil, names.directories.contains(Self.directory(of: newPath)) else {
      throw FileError("rename", path, code: ENOENT)
    }
    try perform(.rename, path) { change(.rename(path, to: newPath)) }
  }

  func remove(_ path: String) throws(FileError) {
    try checkPower("remove", path)
    guard names.files[path] != nil else { return }
    try perform(.remove, path) { change(.remove(path)) }
  }

  func synchronizeDirectory(_ path: String) throws(FileError) {
    try perform(.synchronizeDirectory, path) {
      for change in nameChanges where change.concerns(path) {
        durableNames.apply(change)
      }
      nameChanges.removeAll { $0.concerns(path) }
    }
  }

  /// The files of a directory, in the order of their creation.
  func list(_ path: String) throws(FileError) -> [(name: String, file: DiskFile?)] {
    try checkPower("list", path)
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
    try checkPower("create the directory", path)
    if names.directories.contains(path) { return }
    try createDirectory(Self.directory(of: path))
    try perform(.createDirectory, path, grows: true) { change(.createDirectory(path)) }
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
