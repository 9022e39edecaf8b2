import CausewayData
import Foundation

/// A file that appears at its path when all of it is there.
///
/// Only its owner can read it: what a server sends to a signed-in account is nobody else's.
/// It is written beside its path and moved there: a failure leaves what was there before.
struct DownloadFile: Sendable {
  private let replacement: FileReplacement

  /// Creates the file beside its path.
  init(path: String) throws(NetworkError) {
    let partPath = "\(path).\(UUID().uuidString.prefix(8)).part"
    do throws(FileError) {
      replacement = try FileReplacement(of: path, by: partPath)
    } catch {
      throw Self.error("could not be created", error)
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    do throws(FileError) { try replacement.append(Array(bytes)) } catch {
      throw Self.error("could not be written", error)
    }
  }

  /// Moves the file to its path; deletes what there is of it when that fails.
  func commit() throws(NetworkError) {
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
