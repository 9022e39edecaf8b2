import CausewayData
import CausewaySystem
import Foundation
import Testing

@testable import CausewaySync

/// The copies of files on a disk that fails.
struct UploadFilesTests {
  private let folder = TemporaryDirectory()
  private let disk = FaultyFiles()

  private func makeFiles() async throws -> (UploadFiles, source: String) {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    try folder.write([1, 2, 3], to: "photo")
    return (UploadFiles("\(folder.path)/data/copies", files: disk), "\(folder.path)/photo")
  }

  @Test func `a wipe that cannot list the copies fails`() async throws {
    let (files, source) = try await makeFiles()
    try await files.wipe(.only("ada"))
    _ = try await files.add(source, as: "copy", of: "ada")
    await files.endAdding("copy", of: "ada", isStored: true)
    for number in 1...2 {
      disk.plant(.fails, at: number, code: EACCES)
      await #expect(throws: DiskStoreError.self) { try await files.wipe(.only("ada")) }
    }
    disk.reset()
    #expect(try await files.names(of: "ada") == ["copy"])
    try await files.wipe(.allExcept("ada"))
    #expect(try await files.names(of: "ada") == ["copy"])
    try await files.wipe(.only("ada"))
    #expect(try await files.names(of: "ada").isEmpty)
  }

  @Test func `a copy cannot be stored before its new folders are on the disk`() async throws {
    let (files, source) = try await makeFiles()
    _ = try await files.add(source, as: "first", of: "ada")
    // One for the name of the existing folder, and one for each new name: `data`, `copies`, the
    // account's folder, and finally the copy.
    #expect(disk.operations.filter { $0 == "synchronize directory" }.count == 5)
    #expect(disk.operations.prefix { $0 != "create" }.last == "synchronize directory")
    disk.reset()
    _ = try await files.add(source, as: "second", of: "ada")
    #expect(disk.operations.filter { $0 == "synchronize directory" }.count == 1)
  }

  @Test func `a copy is not listed, and so not removed, before its entry is stored`()
    async throws
  {
    let (files, source) = try await makeFiles()
    _ = try await files.add(source, as: "stored", of: "ada")
    _ = try await files.add(source, as: "refused", of: "ada")
    #expect(try await files.names(of: "ada").isEmpty)
    await files.endAdding("stored", of: "ada", isStored: true)
    await files.endAdding("refused", of: "ada", isStored: false)
    #expect(try await files.names(of: "ada") == ["stored"])
  }

  @Test func `a part of a copy is read`() async throws {
    let (files, source) = try await makeFiles()
    _ = try await files.add(source, as: "copy", of: "ada")
    #expect(try await files.bytes("copy", of: "ada", at: 1, count: 2) == [2, 3])
    #expect(try await files.bytes("copy", of: "ada", at: 1, count: 3) == nil)
    #expect(try await files.bytes("copy", of: "ada", at: 9, count: 1) == nil)
    #expect(try await files.bytes("none", of: "ada", at: 0, count: 1) == nil)
  }
}
