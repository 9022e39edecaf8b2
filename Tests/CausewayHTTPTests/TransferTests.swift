import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TransferTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: TransportKind.allCases)
  func `a download reports its progress and appears when it is complete`(_ transport: TransportKind)
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let content = String(repeating: "0123456789", count: 50_000)
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], content))
    }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "chart").path
    let progress = Log<NetworkProgress>()
    let response = try await network.download(
      .init(.get, "/chart"), to: path, progress: { progress.append($0) })
    #expect(response.status == 200)
    #expect(response.body.isEmpty)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    #expect(progress.all.last == .received(500_000, of: 500_000))
    #expect(progress.all.count > 1)
    #expect(try names() == ["chart"])
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o077 == 0)
  }

  @Test(arguments: TransportKind.allCases) func `a failed download keeps the existing file`(
    _ transport: TransportKind
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "chart").path
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let error = await failure { try await network.download(.init(.get, "/"), to: path) }
    #expect(error?.kind == .connectionLost)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try names() == ["chart"])
  }

  @Test(arguments: TransportKind.allCases)
  func `an error page is not stored as the downloaded file`(
    _ transport: TransportKind
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(404, [:], "no such chart"))
    }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "chart").path
    let error = await failure { try await network.download(.init(.get, "/"), to: path) }
    #expect(error?.status == 404)
    #expect(error?.bodyExcerpt == "no such chart")
    #expect(try names().isEmpty)
  }

  @Test func `a pipe without a writer is not uploaded and blocks no other request`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server)
    let path = folder.appending(path: "pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let error = await failure {
      try await network.response(for: .init(.put, "/", body: .file(path, type: "text/plain")))
    }
    #expect(error?.kind == .file)
    #expect(try await network.response(for: .init(.get, "/")).status == 200)
    #expect(server.requests.all.map(\.method) == ["GET"])
  }

  @Test(arguments: TransportKind.allCases)
  func `a download that cannot replace its file fails and leaves no other file`(
    _ transport: TransportKind
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], "depths"))
    }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "taken").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    let error = await failure { try await network.download(.init(.get, "/"), to: path) }
    #expect(error?.kind == .file)
    #expect(error?.message.contains(path) == true)
    #expect(try names() == ["taken"])
  }

  @Test(arguments: TransportKind.cancelling) func `a download larger than the limit is deleted`(
    _ transport: TransportKind
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      let block = [UInt8](repeating: 7, count: 1 << 16)
      while connection.send(block) { Thread.sleep(forTimeInterval: 0.001) }
    }
    let network = try makeService(server, transport: transport) { $0.downloadLimit = 1 << 20 }
    let path = folder.appending(path: "chart").path
    let error = await failure { try await network.download(.init(.get, "/"), to: path) }
    #expect(error?.kind == .tooLarge)
    #expect(try names().isEmpty)
  }

  /// Cancels a half-finished download.
  ///
  /// `whileReporting` runs during each progress report.
  private func checkThatCancellingLeavesNothing(
    _ transport: TransportKind, whileReporting: @escaping @Sendable () -> Void = {}
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      connection.waitForClose()
    }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "chart").path
    let arrived = Log<NetworkProgress>()
    let call = Task {
      try await network.download(
        .init(.get, "/"), to: path,
        progress: {
          arrived.append($0)
          whileReporting()
        })
    }
    await arrived.wait(for: 1)
    #expect(try names().count == 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try names().isEmpty)
  }

  @Test(arguments: TransportKind.cancelling)
  func `cancelling a download deletes its partial file`(
    _ transport: TransportKind
  ) async throws {
    try await checkThatCancellingLeavesNothing(transport)
  }

  @Test(arguments: TransportKind.cancelling)
  func `a cancelled download leaves no file while its transport still reports progress`(
    _ transport: TransportKind
  ) async throws {
    let goesOn = Signal()
    defer { goesOn.send() }
    // The transport's thread does not run for a while.
    try await checkThatCancellingLeavesNothing(transport) { _ = goesOn.wait() }
  }

  @Test(arguments: TransportKind.allCases)
  func `a missing folder throws an error that names it`(_ transport: TransportKind) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    let path = folder.appending(path: "missing/chart").path
    let error = await failure { try await network.download(.init(.get, "/"), to: path) }
    #expect(error?.kind == .file)
    #expect(error?.message.contains("missing/chart") == true)
    #expect(server.requests.all.isEmpty)
  }

  @Test(arguments: TransportKind.allCases)
  func `an upload from a file sends the whole file and reports its progress`(
    _ transport: TransportKind
  )
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let content = String(repeating: "0123456789", count: 40_000)
    let path = folder.appending(path: "photo").path
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    let progress = Log<NetworkProgress>()
    _ = try await network.response(
      for: .init(.put, "/photo", body: .file(path, type: "image/png")),
      progress: { progress.append($0) })
    let request = try #require(server.requests.all.first)
    #expect(request.headers["content-type"] == "image/png")
    #expect(request.text == content)
    #expect(progress.all.contains(.sent(400_000, of: 400_000)))
  }

  @Test(arguments: TransportKind.allCases)
  func `a missing upload file throws an error and sends nothing`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    let error = await failure {
      try await network.response(
        for: .init(.put, "/", body: .file("/does/not/exist", type: "image/png")))
    }
    #expect(error?.kind == .file)
    #expect(server.requests.all.isEmpty)
  }
}
