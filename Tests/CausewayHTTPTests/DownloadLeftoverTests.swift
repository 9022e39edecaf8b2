import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayHTTP

/// The leftovers of killed downloads, and similar files that must not be deleted.
@Suite(.timeLimit(.minutes(10)))
struct DownloadLeftoverTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "chart").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  private func put(_ name: String, _ text: String = "half") throws {
    try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `a partial file is deleted if its download was killed, and kept if it is running`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let goesOn = Signal()
    let server = try RawServer { request, connection in
      guard request.target == "/slow" else {
        connection.send(RawServer.answer(200, [:], "quick"))
        return
      }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
      _ = goesOn.wait()
      connection.send("done")
    }
    let network = try makeService(server)
    let arrived = Log<NetworkProgress>()
    let slow = Task {
      try await network.download(
        .init(.get, "/slow"), to: path, progress: { arrived.append($0) })
    }
    await arrived.wait(for: 1)
    let running = try #require(try names().first)
    // The state after a process was killed: a partial file that no process writes.
    try #require(running.wholeMatch(of: /chart\.causeway-[0-9A-F]{8}\.part/) != nil)
    let leftover = PartName(path).random()
    try put(String(leftover.dropFirst(folder.path.count + 1)))
    #expect(try names().count == 2)

    _ = try await network.download(.init(.get, "/"), to: path)
    #expect(try names() == [running, "chart"])
    #expect(try text() == "quick")

    goesOn.send()
    _ = try await slow.value
    #expect(try names() == ["chart"])
    #expect(try text() == "halfdone")
  }

  @Test func `files of other programs are not deleted as leftovers`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let others: Set = [
      "chart.part", "chart.20240101.part", "chart.causeway-.part", "chart.causeway-0000AAAA",
      "chart.causeway-0000AAAAB.part", "chart.causeway-0000AAAX.part",
      "old.chart.causeway-0000AAAA.part", "chart.old.causeway-0000AAAA.part",
      "causeway-0000AAAA.part",
    ]
    for name in others { try put(name) }
    try put("chart.causeway-0000AAAA.part")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "chart.causeway-0000BBBB.part"),
      withIntermediateDirectories: true)
    try DownloadFile(path: path).commit()
    #expect(try names() == others.union(["chart", "chart.causeway-0000BBBB.part"]))
  }

  @Test func `a locked partial file is not deleted until its process ends`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let part = PartName(path).random()
    try put(String(part.dropFirst(folder.path.count + 1)))
    var hold = try PartLock(part)
    #expect(hold?.isExclusive == true)
    #expect(try PartLock(part) == nil)
    PartName(path).removeLeftovers()
    #expect(try names().count == 1)
    // The system does the same when a process ends.
    hold = nil
    PartName(path).removeLeftovers()
    #expect(try names().isEmpty)
    #expect(try PartLock(part) == nil)
  }

  @Test func `a partial file deleted between opening and locking is not locked`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let part = PartName(path).random()
    let descriptor = open(part, O_RDWR | O_CREAT, 0o600)
    try #require(unlink(part) == 0)
    #expect(PartLock(descriptor) == nil)
  }

  @Test func `concurrent downloads to one path do not delete each other's partial files`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = path
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask { @concurrent in
          for round in 0..<150 {
            do throws(NetworkError) {
              let file = try DownloadFile(path: path)
              for byte in "\(number) \(round)".utf8 {
                try withUnsafeBytes(of: byte) { bytes throws(NetworkError) in
                  try file.append(bytes)
                }
              }
              if round % 3 == 0 { file.discard() } else { try file.commit() }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(try names() == ["chart"])
    #expect(try text().wholeMatch(of: /\d \d+/) != nil)
  }
}
