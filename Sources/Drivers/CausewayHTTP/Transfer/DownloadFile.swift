import CausewayBasics
import CausewayNetwork
import CausewaySystem

/// The file of a download, which gets its final path only after the download is complete.
///
/// Only its owner can read the file, because it may contain data of a signed-in account. It is
/// written under another name in the same folder and then moved, so a failure keeps the previous
/// file. If a process was killed during a download, the next download to the same path deletes the
/// leftover file.
struct DownloadFile: Sendable {
  private let replacement: FileReplacement
  private let hold: PartLock

  /// Creates the file under its temporary name, and deletes the leftovers of earlier downloads.
  init(path: String) throws(NetworkError) {
    do throws(FileError) {
      (replacement, hold) = try Self.create(path)
    } catch {
      throw Self.error("could not be created", error)
    }
    PartName(path).removeLeftovers()
  }

  private static func create(_ path: String) throws(FileError) -> (FileReplacement, PartLock) {
    while true {
      let part = PartName(path).random()
      let replacement = try FileReplacement(of: path, by: part)
      do throws(FileError) {
        if let hold = try PartLock(part) { return (replacement, hold) }
      } catch {
        replacement.discard()
        throw error
      }
      // Another download treated this file as a leftover, and deleted it before it was locked. Each
      // download can do this only once.
      replacement.discard()
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    do throws(FileError) { try replacement.append(Array(bytes)) } catch {
      throw Self.error("could not be written", error)
    }
  }

  /// Moves the file to its path.
  ///
  /// If that fails, deletes the file.
  func commit() throws(NetworkError) {
    // The lock is held until the file is moved. Otherwise the compiler may release it earlier.
    defer { withExtendedLifetime(hold) {} }
    do throws(FileError) { try replacement.commit() } catch {
      throw Self.error("could not be stored", error)
    }
  }

  /// Deletes the unfinished file.
  func discard() {
    replacement.discard()
  }

  private static func error(_ what: String, _ error: FileError) -> NetworkError {
    NetworkError(
      .file, message: "the file \(error.path) \(what): \(String(cString: strerror(error.code)))")
  }
}
