import CausewayData
import Foundation
import Synchronization
import TestSupport

/// The system's file operations, with a planted fault.
///
/// The planted operation fails. If the process ends there, all later operations fail too.
final class FaultyFiles: FileSystem {
  enum Fault: Sendable, CaseIterable {
    /// The operation fails. A write is half done.
    case fails
    /// The process ends before the operation, or in the middle of a write.
    case endsBefore
    /// The process ends right after the operation.
    case endsAfter
  }

  private struct State {
    var operations: [String] = []
    var fault: (Fault, at: Int, code: Int32)?
  }

  private let files = PosixFiles()
  private let state = Mutex(State())

  /// The operations so far, including failed ones.
  var operations: [String] { state.withLock(\.operations) }

  /// Makes an operation fail.
  ///
  /// Counting starts at 1 with the next operation.
  func plant(_ fault: Fault, at number: Int, code: Int32 = ENOSPC) {
    state.withLock { $0 = State(fault: (fault, number, code)) }
  }

  /// Removes the planned fault, and counts from the beginning again.
  func reset() {
    state.withLock { $0 = State() }
  }

  private func perform<T>(
    _ operation: String, _ path: String, partly: (() -> Void)? = nil,
    _ body: () throws(FileError) -> T
  ) throws(FileError) -> T {
    let (isBefore, isAfter, code) = state.withLock { state in
      state.operations.append(operation)
      guard let (fault, number, code) = state.fault else { return (false, false, Int32(0)) }
      let count = state.operations.count
      return switch fault {
      case .fails: (count == number, false, code)
      case .endsBefore: (count >= number, false, code)
      case .endsAfter: (count > number, count == number, code)
      }
    }
    if isBefore {
      if state.withLock({ $0.operations.count == $0.fault?.at }) { partly?() }
      throw FileError(operation, path, code: code)
    }
    let result = try body()
    if isAfter { throw FileError(operation, path, code: code) }
    return result
  }

  func createDirectory(_ path: String) throws(FileError) {
    try perform("create directory", path) { () throws(FileError) in
      try files.createDirectory(path)
    }
  }

  func list(_ path: String) throws(FileError) -> [FileInfo] {
    try perform("list", path) { () throws(FileError) in try files.list(path) }
  }

  func read(_ path: String) throws(FileError) -> [UInt8]? {
    try perform("read", path) { () throws(FileError) in try files.read(path) }
  }

  func create(_ path: String) throws(FileError) -> FileHandleNumber {
    try perform("create", path) { () throws(FileError) in try files.create(path) }
  }

  /// Reading the identity is not an operation that can fail on its own.
  func identity(_ path: String) -> FileIdentity? { files.identity(path) }

  func openForAppending(
    _ path: String
  ) throws(FileError) -> (FileHandleNumber, size: Int)? {
    try perform("append", path) { () throws(FileError) in try files.openForAppending(path) }
  }

  func truncate(_ file: FileHandleNumber, to size: Int) throws(FileError) {
    try perform("truncate", "") { () throws(FileError) in try files.truncate(file, to: size) }
  }

  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError) {
    let half = { try? self.files.write(Array(bytes.prefix(bytes.count / 2)), to: file) }
    try perform("write", "", partly: { _ = half() }) { () throws(FileError) in
      try files.write(bytes, to: file)
    }
  }

  func synchronize(_ file: FileHandleNumber) throws(FileError) {
    try perform("synchronize", "") { () throws(FileError) in try files.synchronize(file) }
  }

  func close(_ file: FileHandleNumber) throws(FileError) {
    // The descriptor is always closed, as at the end of a process.
    try perform("close", "", partly: { try? self.files.close(file) }) { () throws(FileError) in
      try files.close(file)
    }
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    try perform("rename", path) { () throws(FileError) in try files.rename(path, to: newPath) }
  }

  func synchronizeDirectory(_ path: String) throws(FileError) {
    try perform("synchronize directory", path) { () throws(FileError) in
      try files.synchronizeDirectory(path)
    }
  }

  func remove(_ path: String) throws(FileError) {
    try perform("remove", path) { () throws(FileError) in try files.remove(path) }
  }

  func setModified(_ path: String, to time: Int64) throws(FileError) {
    try perform("date", path) { () throws(FileError) in try files.setModified(path, to: time) }
  }

  func lock(_ path: String) throws(FileError) -> any Sendable {
    try perform("lock", path) { () throws(FileError) in try files.lock(path) }
  }

  func lockHolder(_ path: String) -> Int32? { files.lockHolder(path) }
}

/// A directory that is removed at the end of the test.
final class TemporaryDirectory: Sendable {
  let path: String

  /// - Parameter isFast: Whether to use memory if the system offers such a place, because the test
  ///   syncs hundreds of files.
  init(isFast: Bool = false) {
    let files = FileManager.default
    let parent = isFast ? files.fastTemporaryDirectory : files.temporaryDirectory
    path = parent.path + "/causeway-\(UUID().uuidString)"
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The directory's files, by name.
  func files(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }
}
