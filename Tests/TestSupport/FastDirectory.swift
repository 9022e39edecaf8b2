public import Foundation

extension FileManager {
  /// A directory in memory if the system offers one, for tests that synchronise hundreds of files.
  public var fastTemporaryDirectory: URL {
    isWritableFile(atPath: "/dev/shm") ? URL(filePath: "/dev/shm") : temporaryDirectory
  }
}
