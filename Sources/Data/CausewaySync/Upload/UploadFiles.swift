import CausewayBasics
import CausewaySystem
import Foundation

/// Copies of the files to upload, in a folder for each account.
///
/// Runs on the executor of the file system.
actor UploadFiles {
  /// The number of bytes to copy before other work of the disk's thread may run.
  private static let chunkSize = 1 << 20

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    files.executor.asUnownedSerialExecutor()
  }

  private let directory: String
  private nonisolated let files: any FileSystem
  /// The accounts' folders that a crash cannot remove, because their creation is synchronised.
  private var durableFolders: Set<String> = []
  /// Copies whose entries are not stored yet.
  private var adding: Set<String> = []

  init(_ directory: String, files: any FileSystem = PosixFiles()) {
    self.directory = directory
    self.files = files
  }

  private func folder(of account: AccountID) -> String {
    "\(directory)/\(RecordName(account.rawValue).file)"
  }

  /// Creates the folder of an account.
  private func createFolder(_ folder: String) throws(FileError) {
    guard !durableFolders.contains(folder) else { return try files.createDirectory(folder) }
    try files.createDurableDirectory(folder)
    durableFolders.insert(folder)
  }

  /// Copies a file, and returns its size.
  ///
  /// After this returns, a crash cannot remove the copy. `names(of:)` omits it until `endAdding`.
  func add(_ source: String, as name: String, of account: AccountID) async throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: source)
    // A pipe would block the thread.
    guard attributes[.type] as? FileAttributeType == .typeRegular,
      let input = FileHandle(forReadingAtPath: source)
    else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: source]) }
    defer { try? input.close() }
    return try await add(as: name, of: account) {
      try input.read(upToCount: Self.chunkSize).map { Array($0) } ?? []
    }
  }

  /// Stores bytes as a copy; the rest is as for a file.
  func add(_ bytes: [UInt8], as name: String, of account: AccountID) async throws -> Int {
    var rest = bytes[...]
    return try await add(as: name, of: account) {
      defer { rest = rest.dropFirst(Self.chunkSize) }
      return Array(rest.prefix(Self.chunkSize))
    }
  }

  /// - Parameter read: Returns the next bytes; none at the end.
  private func add(
    as name: String, of account: AccountID, read: () throws -> [UInt8]
  ) async throws -> Int {
    adding.insert(name)
    let folder = folder(of: account)
    do {
      try createFolder(folder)
      let copy = try FileReplacement(
        of: "\(folder)/\(name)", by: "\(folder)/\(name).new", files: files)
      var size = 0
      do {
        while case let bytes = try read(), !bytes.isEmpty {
          try Task.checkCancellation()
          try copy.append(bytes)
          size += bytes.count
          await Task.yield()
        }
      } catch {
        copy.discard()
        throw error
      }
      try copy.commit()
      try files.synchronizeDirectory(folder)
      return size
    } catch let error as FileError {
      throw DiskStoreError(error)
    }
  }

  /// Ends the addition of a copy; removes the copy if its entry was not stored.
  func endAdding(_ name: String, of account: AccountID, isStored: Bool) {
    adding.remove(name)
    if !isStored { try? files.remove("\(folder(of: account))/\(name)") }
  }

  /// Returns bytes of a copy; `nil` if the file is missing or shorter.
  ///
  /// - Throws: `DiskStoreError` if the system cannot read the file now.
  func bytes(
    _ name: String, of account: AccountID, at offset: Int, count: Int
  ) throws(DiskStoreError) -> [UInt8]? {
    guard count > 0 else { return [] }
    do throws(FileError) {
      let bytes = try files.read("\(folder(of: account))/\(name)", at: offset, count: count)
      return bytes?.count == count ? bytes : nil
    } catch {
      throw DiskStoreError(error)
    }
  }

  /// The copies of an account, except the copies that are still being added.
  func names(of account: AccountID) throws(DiskStoreError) -> [String] {
    try contents(of: folder(of: account)).map(\.name).filter { name in
      // A copy in progress has the suffix `.new`.
      !adding.contains(name) && !adding.contains { name == $0 + ".new" }
    }
  }

  func remove(_ names: [String], of account: AccountID) throws(DiskStoreError) {
    try remove(names, in: folder(of: account))
  }

  /// Removes the copies of an account, or of all accounts except one; the empty folders stay.
  ///
  /// - Parameter kept: The copies that stay; `nil` for all copies of an account.
  /// - Throws: `DiskStoreError` if some copies may still exist.
  func wipe(
    _ wipe: SessionParticipant.Wipe, keeping kept: [AccountID: Set<String>?] = [:]
  ) throws(DiskStoreError) {
    let kept = Dictionary(
      kept.map { (folder(of: $0), $1) }, uniquingKeysWith: { first, _ in first })
    for item in try contents(of: directory) where item.kind == .directory {
      let folder = "\(directory)/\(item.name)"
      let isWiped =
        switch wipe {
        case .only(let account): folder == self.folder(of: account)
        case .allExcept(let account): folder != self.folder(of: account)
        }
      guard isWiped, let names = kept[folder, default: []] else { continue }
      try remove(contents(of: folder).map(\.name).filter { !names.contains($0) }, in: folder)
    }
  }

  private func remove(_ names: [String], in folder: String) throws(DiskStoreError) {
    guard !names.isEmpty else { return }
    do throws(FileError) {
      for name in names { try files.remove("\(folder)/\(name)") }
      // Until the folder is synchronised, a crash can restore the files.
      try files.synchronizeDirectory(folder)
    } catch {
      throw DiskStoreError(error)
    }
  }

  /// The entries of a directory; none if it does not exist.
  private func contents(of directory: String) throws(DiskStoreError) -> [FileInfo] {
    do throws(FileError) { return try files.list(directory) } catch {
      if error.code == ENOENT { return [] }
      throw DiskStoreError(error)
    }
  }
}
