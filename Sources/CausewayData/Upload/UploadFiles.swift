import Foundation

/// The copies of the files that wait for their upload, in a folder for each account.
///
/// Runs on the thread of the disk.
actor UploadFiles {
  /// The number of bytes that are copied before other work of the disk's thread runs.
  private static let chunkSize = 1 << 20

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    DiskThread.shared.asUnownedSerialExecutor()
  }

  private let directory: String
  private let files: any FileSystem
  /// Copies whose entries are not stored yet.
  private var adding: Set<String> = []

  init(_ directory: String, files: any FileSystem = PosixFiles()) {
    self.directory = directory
    self.files = files
  }

  private func folder(of account: AccountID) -> String {
    "\(directory)/\(RecordName(account.rawValue).file)"
  }

  /// Copies a file, and returns its size.
  ///
  /// After this returns, the copy survives a crash. It is not swept until `endAdding`.
  func add(_ source: String, as name: String, of account: AccountID) async throws -> Int {
    adding.insert(name)
    let folder = folder(of: account)
    let attributes = try FileManager.default.attributesOfItem(atPath: source)
    // A pipe would block the thread.
    guard attributes[.type] as? FileAttributeType == .typeRegular,
      let input = FileHandle(forReadingAtPath: source)
    else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: source]) }
    defer { try? input.close() }
    do {
      try files.createDirectory(directory)
      try files.createDirectory(folder)
      let copy = try FileReplacement(
        of: "\(folder)/\(name)", by: "\(folder)/\(name).new", files: files)
      var size = 0
      do {
        while let bytes = try input.read(upToCount: Self.chunkSize), !bytes.isEmpty {
          try Task.checkCancellation()
          try copy.append(Array(bytes))
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

  /// Records that the entry of a copy is stored, or that it was not stored.
  func endAdding(_ name: String, of account: AccountID, isStored: Bool) {
    adding.remove(name)
    if !isStored { try? files.remove("\(folder(of: account))/\(name)") }
  }

  /// Returns bytes of a copy; `nil` if the file is missing or shorter.
  func bytes(_ name: String, of account: AccountID, at offset: Int, count: Int) -> [UInt8]? {
    guard count > 0 else { return [] }
    guard let file = FileHandle(forReadingAtPath: "\(folder(of: account))/\(name)") else {
      return nil
    }
    defer { try? file.close() }
    do {
      try file.seek(toOffset: UInt64(offset))
      let bytes = try file.read(upToCount: count) ?? Data()
      return bytes.count == count ? Array(bytes) : nil
    } catch {
      return nil
    }
  }

  /// The copies of an account that have an entry, or that have lost it.
  func names(of account: AccountID) -> [String] {
    let found = (try? files.list(folder(of: account))) ?? []
    return found.map(\.name).filter { name in
      // A copy in progress has the suffix `.new`.
      !adding.contains(name) && !adding.contains { name == $0 + ".new" }
    }
  }

  func remove(_ names: [String], of account: AccountID) {
    for name in names { try? files.remove("\(folder(of: account))/\(name)") }
  }

  /// Removes the copies of an account, or of all other accounts.
  func wipe(_ wipe: SessionParticipant.Wipe) throws {
    let manager = FileManager.default
    let all = ((try? files.list(directory)) ?? []).map { "\(directory)/\($0.name)" }
    let removed =
      switch wipe {
      case .only(let account): all.filter { $0 == folder(of: account) }
      case .allExcept(let account): all.filter { $0 != folder(of: account) }
      }
    for folder in removed { try manager.removeItem(atPath: folder) }
  }
}
