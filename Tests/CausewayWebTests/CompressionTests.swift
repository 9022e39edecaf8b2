import Causeway
import Foundation
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct CompressionTests {
  private static let text = String(repeating: "Fly a kite. ", count: 1_000)

  private static func server() -> WebServer {
    let server = WebServer(configuration: .patient)
    server.get("/text") { _ in .text(text) }
    server.get("/short") { _ in .text("short") }
    server.get("/picture") { _ in
      Response(.ok, type: "image/png", bytes: [UInt8](repeating: 7, count: 10_000))
    }
    server.asset("/page.css", text.utf8)
    return server
  }

  /// The header fields and the number of bytes of a response.
  private func answer(
    _ address: ServerAddress, _ path: String, _ fields: [String]
  ) async throws -> String {
    let connection = try RawConnection(address)
    await connection.send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + fields.map { "\($0)\r\n" }.joined() + "\r\n")
    let answer = await connection.read()
    connection.close()
    return answer.firstRange(of: "\r\n\r\n").map { String(answer[..<$0.lowerBound]) } ?? answer
  }

  @Test(arguments: ["/text", "/page.css"])
  func `a body is compressed for a client that accepts gzip`(path: String) async throws {
    let server = Self.server()
    let address = try await server.start()
    // Foundation's client requests compressed bodies and decodes them.
    let decoded = try await Client(address).get(path)
    #expect(decoded.text == Self.text)
    let raw = try await answer(address, path, ["Accept-Encoding: br, gzip"])
    #expect(raw.contains("Content-Encoding: gzip"))
    #expect(raw.contains("Vary: Accept-Encoding"))
    let length = try #require(raw.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
    #expect(length < Self.text.utf8.count / 10)
    let plain = try await answer(address, path, [])
    #expect(!plain.contains("Content-Encoding"))
    #expect(plain.contains("Vary: Accept-Encoding"))
    #expect(plain.contains("Content-Length: \(Self.text.utf8.count)"))
    await server.stop()
  }

  @Test(arguments: ["/short", "/picture"])
  func `short bodies and pictures are not compressed`(path: String) async throws {
    let server = Self.server()
    let raw = try await answer(try await server.start(), path, ["Accept-Encoding: gzip"])
    #expect(!raw.contains("Content-Encoding"))
    await server.stop()
  }

  @Test func `a part of a file is not compressed, and a compressed file has a weak tag`()
    async throws
  {
    let server = Self.server()
    let address = try await server.start()
    let gzip = "Accept-Encoding: gzip"
    let part = try await answer(address, "/page.css", [gzip, "Range: bytes=0-4999"])
    #expect(part.contains(" 206 ") && part.contains("Content-Length: 5000"))
    let whole = try await answer(address, "/page.css", [gzip])
    let tag = try #require(whole.firstMatch(of: /ETag: (W\/"[^"]+")/)?.1)
    let again = try await answer(address, "/page.css", [gzip, "If-None-Match: \(tag)"])
    #expect(again.contains(" 304 "))
    // A cache needs the field in each answer.
    #expect(again.contains("Vary: Accept-Encoding") && part.contains("Vary: Accept-Encoding"))
    await server.stop()
  }

  @Test func `routes with equal entity tags keep their own bodies`() async throws {
    let server = WebServer(configuration: .patient)
    for name in ["a", "b"] {
      server.get("/\(name)") { _ in
        var response = Response.text(name + Self.text)
        response.headers["ETag"] = #""same""#
        return response
      }
    }
    let client = Client(try await server.start())
    for name in ["a", "b", "a"] {
      #expect(try await client.get("/\(name)").text == name + Self.text)
    }
    await server.stop()
  }

  @Test func `a page is compressed, and its text is the same`() async throws {
    let server = try WebServer.board()
    let template = try PageTemplate(Board.page + Self.text)
    server.page("/long", template) { _ in ViewModel(Board()) }
    let address = try await server.start()
    let raw = try await answer(address, "/long", ["Accept-Encoding: gzip"])
    #expect(raw.contains("Content-Encoding: gzip"))
    #expect(raw.contains("Vary: Accept, Accept-Encoding"))
    let page = try await Client(address).get("/long")
    #expect(page.text.hasSuffix(Self.text) && page.text.contains("causeway-session"))
    await server.stop()
  }

  @Test(
    arguments: [
      ("gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("GZIP", true), ("*", true),
      ("gzip;q=0", false), ("gzip; q=0.0, *", false), ("br", false), ("", false),
      ("identity, *;q=0", false),
    ])
  func `the field Accept-Encoding is read with its weights`(field: String, expected: Bool) {
    #expect(Compression.acceptsGzip(field) == expected)
    #expect(!Compression.acceptsGzip(nil))
  }
}
