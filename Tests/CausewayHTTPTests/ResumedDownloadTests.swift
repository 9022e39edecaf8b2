import CausewayData
import CausewayHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A download whose connection is lost` {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-\(UUID().uuidString)")
  /// No part of this text occurs twice.
  private let content = String((0..<40_000).map { "\(10_000 + $0)" }.joined().prefix(200_000))

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The head of a response whose connection ends before its body does.
  private static func head(
    _ status: Int = 200, _ fields: [String: String], length: Int
  ) -> String {
    "HTTP/1.1 \(status) Text\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined()
      + "Content-Length: \(length)\r\nConnection: close\r\n\r\n"
  }

  private func service(
    _ server: RawServer, _ transport: TransportKind, attempts: Int = 3
  ) throws -> HTTPNetworkService {
    try makeService(server, transport: transport) {
      $0.retry = NetworkRetryPolicy(attempts: attempts, firstDelay: .milliseconds(1))
    }
  }

  private func ranges(_ server: RawServer) -> [String?] {
    server.requests.all.map { $0.headers["range"] }
  }

  private func download(
    _ network: HTTPNetworkService, _ progress: Log<NetworkProgress> = Log()
  ) async throws -> (text: String, response: NetworkResponse) {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "chart").path
    let response = try await network.download(
      .init(.get, "/chart"), to: path, progress: { progress.append($0) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["chart"])
    return (try String(contentsOfFile: path, encoding: .utf8), response)
  }

  @Test(
    arguments: TransportKind.allCases,
    [["ETag": "\"v1\""], ["Last-Modified": "Sun, 29 Nov 2026 01:00:00 GMT"]])
  func `asks for the rest, even after more failures than the policy retries`(
    _ transport: TransportKind, validator: [String: String]
  ) async throws {
    let content = content
    let server = try RawServer { request, connection in
      let start = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      let rest = content.dropFirst(start)
      var fields = validator
      if start > 0 {
        fields["Content-Range"] = "bytes \(start)-\(content.count - 1)/\(content.count)"
      }
      connection.send(Self.head(start > 0 ? 206 : 200, fields, length: rest.count))
      // Every connection delivers a fifth.
      connection.send(String(rest.prefix(40_000)))
    }
    let progress = Log<NetworkProgress>()
    let (text, response) = try await download(service(server, transport, attempts: 2), progress)
    #expect(text == content)
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(response.headers["content-range"] == nil)
    #expect(
      ranges(server)
        == [nil, "bytes=40000-", "bytes=80000-", "bytes=120000-", "bytes=160000-"])
    #expect(
      server.requests.all.dropFirst().allSatisfy {
        $0.headers["if-range"] == validator.values.first
          && $0.headers["accept-encoding"] == "identity"
      })
    #expect(progress.all.last == .received(200_000, of: 200_000))
  }

  /// Sends half of the content, and leaves the later requests to the closure.
  private func halved(
    _ fields: [String: String], length: Int = 200_000,
    _ second: @escaping @Sendable (RawServer.Request, RawConnection) -> Void
  ) throws -> RawServer {
    let content = content
    return try RawServer { request, connection in
      guard request.number == 0 else { return second(request, connection) }
      connection.send(Self.head(200, fields, length: length))
      connection.send(String(content.prefix(100_000)))
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `begins again if the content has changed or the server ignores the range`(
    _ transport: TransportKind
  ) async throws {
    let server = try halved(["ETag": "\"v1\""]) { _, connection in
      connection.send(RawServer.answer(200, ["ETag": "\"v2\""], "new content"))
    }
    #expect(try await download(service(server, transport)).text == "new content")
    #expect(ranges(server) == [nil, "bytes=100000-"])
  }

  @Test(
    arguments: TransportKind.allCases,
    [
      ["Content-Range": "bytes 99999-199999/200000", "ETag": "\"v1\""],
      ["Content-Range": "bytes 100000-199999/200000", "ETag": "\"v2\""],
      ["ETag": "\"v1\""],
    ])
  func `rejects a part that does not continue the file`(
    _ transport: TransportKind, fields: [String: String]
  ) async throws {
    let content = content
    let server = try halved(["ETag": "\"v1\""]) { request, connection in
      if request.headers["range"] == nil {
        connection.send(RawServer.answer(200, [:], content))
      } else {
        connection.send(RawServer.answer(206, fields, String(content.suffix(100_000))))
      }
    }
    #expect(try await download(service(server, transport)).text == content)
    #expect(ranges(server).last == .some(nil))
  }

  @Test(arguments: TransportKind.allCases)
  func `begins again if the server refuses the range`(_ transport: TransportKind) async throws {
    let content = content
    let server = try halved(["ETag": "\"v1\""]) { request, connection in
      connection.send(
        request.headers["range"] == nil
          ? RawServer.answer(200, [:], content) : RawServer.answer(416, [:], "no"))
    }
    #expect(try await download(service(server, transport, attempts: 2)).text == content)
    #expect(ranges(server) == [nil, "bytes=100000-", nil])
  }

  @Test(
    arguments: TransportKind.allCases,
    [
      [:], ["ETag": "W/\"v1\""], ["ETag": "\"v1\"", "Accept-Ranges": "none"],
      [
        "Last-Modified": "Sun, 29 Nov 2026 01:00:00 GMT",
        "Date": "Sun, 29 Nov 2026 01:00:00 GMT",
      ],
    ])
  func `begins again without a strong validator`(
    _ transport: TransportKind, fields: [String: String]
  ) async throws {
    let content = content
    let server = try halved(fields) { _, connection in
      connection.send(RawServer.answer(200, [:], content))
    }
    #expect(try await download(service(server, transport)).text == content)
    #expect(ranges(server) == [nil, nil])
  }

  @Test(arguments: TransportKind.allCases)
  func `ends if all its parts together exceed the limit`(_ transport: TransportKind) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let content = content
    let server = try halved(["ETag": "\"v1\""], length: 150_000) { _, connection in
      connection.send(
        RawServer.answer(
          206, ["ETag": "\"v1\"", "Content-Range": "bytes 100000-199999/*"],
          String(content.suffix(100_000))))
    }
    let network = try makeService(server, transport: transport) {
      $0.retry = NetworkRetryPolicy(attempts: 2, firstDelay: .milliseconds(1))
    }
    var request = NetworkRequest(.get, "/chart")
    request.bodyLimit = 199_999
    let path = folder.appending(path: "chart").path
    let small = request
    let error = await failure { try await network.download(small, to: path) }
    #expect(error?.kind == .tooLarge)
    #expect(ranges(server).count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
