import CausewayBasics
import CausewayExploration
import CausewaySystem

/// The file system of a node, for the stores, caches and token files of the data layer.
struct SimulatedFiles: FileSystem {
  let node: NodeID
  let executor: any SerialExecutor

  init(_ node: NodeID) {
    self.node = node
    executor = DiskExecutor(node)
  }

  private var time: Int64 {
    let trial = Trial.ofThread
    return trial.nodes[node.index].values.milliseconds(at: trial.scheduler.now) * 1_000_000
  }

  var hasOwners: Bool { false }

  /// Calls a closure with the disk, while no other step thread uses it.
  private func use<R, E: Error>(_ body: (SimulatedDisk) throws(E) -> R) throws(E) -> R {
    try Trial.use { trial throws(E) in try body(trial.nodes[node.index].disk) }
  }

  func createDirectory(_ path: String) throws(FileError) {
    try use { disk throws(FileError) in try disk.createDirectory(path) }
  }

  func list(_ path: String) throws(FileError) -> [FileInfo] {
    try use { disk throws(FileError) in
      try disk.checkPower("list", path)
      return try disk.list(path).map { entry in
        FileInfo(
          name: entry.name, kind: entry.file == nil ? .directory : .file,
          size: entry.file?.bytes.count ?? 0, modified: entry.file?.modified ?? 0)
      }
    }
  }

  func read(_ path: String) throws(FileError) -> [UInt8]? {
    try use { disk throws(FileError) in
      try disk.checkPower("read", path)
      return disk.file(at: path)?.bytes
    }
  }

  /// Replaces a file.
  ///
  /// After a crash, it has its old or its new contents.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = "\(path).part"
    // A crash may have left the temporary file.
    try remove(temporary)
    try replace(path, in: directory(of: path), with: bytes, by: temporary)
  }

  func create(_ path: String) throws(FileError) -> FileHandleNumber {
    try use { disk throws(FileError) in disk.open(try disk.create(path, modified: time)) }
  }

  func identity(_ path: String) -> FileIdentity? {
    use { disk in
      disk.file(at: path).map {
        FileIdentity(device: UInt64(node.index), number: $0.number, size: $0.bytes.count)
      }
    }
  }

  func openForAppending(
    _ path: String
  ) throws(FileError) -> (FileHandleNumber, size: Int)? {
    try use { disk throws(FileError) in
      try disk.checkPower("open", path)
      guard let file = disk.file(at: path) else { return nil }
      return (disk.open(file), file.bytes.count)
    }
  }

  func truncate(_ file: FileHandleNumber, to size: Int) throws(FileError) {
    try use { disk throws(FileError) in
      let target = try disk.openFile(file)
      try disk.perform(.truncate, "file \(file)") {
        target.resize(to: size)
        target.modified = time
      }
    }
  }

  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError) {
    try use { disk throws(FileError) in
      let target = try disk.openFile(file)
      bytes.withUnsafeBytes { Scheduler.ofThread?.note($0, of: "file \(file)") }
      try disk.write(bytes, to: target, at: target.bytes.count, "file \(file)")
      target.modified = time
    }
  }

  func synchronize(_ file: FileHandleNumber) throws(FileError) {
    try use { disk throws(FileError) in
      try disk.synchronize(try disk.openFile(file), "file \(file)")
    }
  }

  func close(_ file: FileHandleNumber) throws(FileError) {
    try use { disk throws(FileError) in disk.close(file) }
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    try use { disk throws(FileError) in try disk.rename(path, to: newPath) }
  }

  func synchronizeDirectory(_ path: String) throws(FileError) {
    try use { disk throws(FileError) in try disk.synchronizeDirectory(path) }
  }

  func remove(_ path: String) throws(FileError) {
    try use { disk throws(FileError) in try disk.remove(path) }
  }

  func setModified(_ path: String, to time: Int64) throws(FileError) {
    try use { disk throws(FileError) in
      guard let file = disk.file(at: path) else { throw FileError("date", path, code: ENOENT) }
      try disk.perform(.date, path) { file.modified = time }
    }
  }

  func lock(_ path: String) throws(FileError) -> any Sendable {
    try use { disk throws(FileError) in
      try disk.checkPower("lock", path)
      if disk.file(at: path) == nil { _ = try disk.create(path, modified: time) }
      guard disk.lock(path) else { throw FileError("lock", path, code: EWOULDBLOCK) }
      return DiskLock(path: path, node: node, run: disk.run)
    }
  }
}

/// Holds the lock of a path until it is released.
private final class DiskLock: Sendable {
  private let path: String
  private let node: NodeID
  private let run: Int

  init(path: String, node: NodeID, run: Int) {
    self.path = path
    self.node = node
    self.run = run
  }

  deinit {
    // After the trial, there is no lock.
    guard Trial.current != nil else { return }
    Trial.use { $0.nodes[node.index].disk.unlock(path, run: run) }
  }
}

/// Runs the blocking jobs of a node's disk, in the order of their calls, each after a delay.
final class DiskExecutor: SerialExecutor {
  private let node: NodeID

  init(_ node: NodeID) {
    self.node = node
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let trial = Trial.current else {
      // Otherwise the runtime would lose the job without a message.
      guard SimulatedTasks.takeEscaped(job) else {
        preconditionFailure("Only tasks of simulate(…) can use the disk of a simulated node")
      }
      return
    }
    let scheduler = trial.scheduler
    scheduler.lock()
    defer { scheduler.unlock() }
    let due = trial.nodes[node.index].disk.takeDue(now: scheduler.now)
    scheduler.enqueue(job, on: self, at: due)
  }
}
