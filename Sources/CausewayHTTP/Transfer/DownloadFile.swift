import CausewayData
import CausewaySystem

/// A file that appears at its path when all of it is there.
///
/// Only its owner can read it: what a server sends to a signed-in account is nobody else's.
/// It is written beside its path and moved there: a failure leaves what was there before.
/// What a process that was killed has left beside it goes when the next download to the path begins.
struct DownloadFile: Sendable {
  private let replacement: FileReplacement
  private let hold: PartLock

  /// Creates the file beside its path, and deletes what earlier ones have left there.
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
      // Another download has begun just now and taken it for a leftover, before it was held. That
      // happens at most once for each of them.
      replacement.discard()
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    do throws(FileError) { try replacement.append(Array(bytes)) } catch {
      throw Self.error("could not be written", error)
    }
  }

  /// Moves the file to its path; deletes what there is of it when that fails.
  func commit() throws(NetworkError) {
    // Until the file has its place; without this, the compiler may let go of it sooner.
    defer { withExtendedLifetime(hold) {} }
    do throws(FileError) { try replacement.commit() } catch {
      throw Self.error("could not be stored", error)
    }
  }

  /// Deletes what there is of it.
  func discard() {
    replacement.discard()
  }

  private static func error(_ what: String, _ error: FileError) -> NetworkError {
    NetworkError(
      .file, message: "the file \(error.path) \(what): \(String(cString: strerror(error.code)))")
  }
}
