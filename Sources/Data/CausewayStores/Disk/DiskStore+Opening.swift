import CausewayBasics
import CausewaySystem

extension DiskStore {
  /// The largest number of damaged files that are kept, and the largest number of bytes in them.
  private static let damagedLimit = (count: 16, bytes: 8_000_000)

  var damagedDirectory: String { path(DiskContents.damagedName) }

  /// Locks and reads the directory, unless it is open.
  ///
  /// - Complexity: O(files).
  func open() throws(DiskStoreError) {
    guard contents == nil else { return }
    do throws(FileError) {
      try files.createDirectory(directory)
      try files.createDirectory(damagedDirectory)
      let lock = try files.lock(path(DiskContents.lockName))
      var records: [FileInfo] = []
      var foreign: [FileInfo] = []
      for file in try files.list(directory) {
        if file.kind == .file, RecordName.isRecord(file.name) {
          records.append(file)
        } else if file.kind == .file, file.name.hasPrefix(DiskContents.temporaryPrefix) {
          // This file is left over from a process that ended before it renamed the file.
          try files.remove(path(file.name))
        } else if file.name != DiskContents.lockName, file.name != DiskContents.damagedName {
          foreign.append(file)
        }
      }
      contents = DiskContents(lock: lock, files: records)
      for file in foreign { setAside(foreign: file) }
      evict(until: bytes)
    } catch {
      throw error.operation == "lock" && error.code == EWOULDBLOCK
        ? .inUse(directory: directory, process: files.lockHolder(error.path))
        : DiskStoreError(error)
    }
  }

  private func setAside(foreign file: FileInfo) {
    let error = DiskStoreError.foreign(file: path(file.name))
    // A directory is not moved, because its contents are unknown. Its size does not count.
    if file.kind == .directory { report(error) } else { setAside(file.name, error) }
  }

  /// Moves a file to the damaged files, or removes it if the move fails.
  ///
  /// Reports the file.
  func setAside(_ file: String, _ error: DiskStoreError) {
    contents?.remove(file)
    let time = contents?.takeTime(wallClock.milliseconds()) ?? 0
    let newPath = "\(damagedDirectory)/\(time)-\(file.suffix(200))"
    do throws(FileError) {
      try files.rename(path(file), to: newPath)
      try? files.setModified(newPath, to: time)
      try pruneDamaged()
    } catch {
      try? files.remove(path(file))
    }
    report(error)
  }

  /// Removes the oldest damaged files beyond the limit.
  private func pruneDamaged() throws(FileError) {
    var room = Self.damagedLimit
    let damaged = try files.list(damagedDirectory).filter { $0.kind != .directory }
    for file in damaged.sorted(by: { $0.modified > $1.modified }) {
      room.count -= 1
      room.bytes -= file.size
      if room.count < 0 || room.bytes < 0 {
        try files.remove("\(damagedDirectory)/\(file.name)")
      }
    }
  }
}
