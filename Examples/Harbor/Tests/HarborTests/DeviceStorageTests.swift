import CausewaySQLite
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborApp

@Suite("A device's files", .timeLimit(.minutes(5))) struct DeviceStorageTests {
  @Test func `the files of an earlier version's choices are removed`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let old = ["preferences", "preferences.lock", "choices", "choices.lock", "choices.damaged"]
    for name in old {
      try Data("a choice of ana's".utf8).write(to: folder.appending(path: name))
    }
    let reports = Log<String>()
    let storage = DeviceStorage(DataDirectory(path: folder.path)) { reports.append("\($0)") }
    let store = try await storage.openDatabase(DeviceSchema.migrations)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.contains("device.sqlite") && Set(files).isDisjoint(with: old))
    try await store.close()
    #expect(reports.all == [])
  }
}
