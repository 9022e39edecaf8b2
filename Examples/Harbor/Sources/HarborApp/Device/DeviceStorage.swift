import CausewayData
import CausewaySQLite
import Foundation

/// The files of a device.
struct DeviceStorage: Sendable {
  var tokens: any TokenStore
  /// The files of the pictures.
  var pictures: DiskStore
  /// Makes the uploads of the pictures that a person chooses.
  var makeUploads: @Sendable (Outbox, PictureServer) -> FileUploads
  /// Opens the database and makes its schema current.
  var openDatabase: @Sendable ([Migration]) async throws -> SQLiteService
}

extension DeviceStorage {
  /// The files in a directory.
  init(_ directory: DataDirectory, report: @escaping @Sendable (any Error) -> Void) {
    self.init(
      tokens: FileTokenStore(path: directory.file("token")),
      pictures: DiskStore(directory: directory.file("pictures"), bytes: 50_000_000) { report($0) },
      makeUploads: {
        FileUploads(
          outbox: $0, server: $1, directory: directory.file("uploads"),
          collection: PictureServer.collection, partSize: PictureServer.partSize)
      },
      openDatabase: {
        Self.removeOldFiles(directory, report: report)
        return try await .harbor(directory.database, migrations: $0, report: report)
      })
  }

  /// Removes the files in which an earlier version kept what is in the database now.
  ///
  /// They may contain choices of an account that signs out later.
  private static func removeOldFiles(
    _ directory: DataDirectory, report: @Sendable (any Error) -> Void
  ) {
    for name in ["preferences", "choices"] {
      for suffix in ["", ".lock", ".damaged", ".new"] {
        let file = URL(filePath: directory.file(name + suffix))
        do {
          try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
        } catch {
          report(error)
        }
      }
    }
  }
}
