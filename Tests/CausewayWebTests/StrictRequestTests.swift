import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// Requests that two programs could parse differently, and requests of unusual size.
@Suite(.timeLimit(.minutes(10)))
struct StrictRequestTests {
  private static func server() -> WebServer {
    let server = WebServer(configuration: .patient)
    server.get("/items") { _ in .text("items") }
    server.post("/items") { request in .text("\(request.body.count)") }
    return server
  }

  @Test(arguments: [
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /items HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /items HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "GET /items HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    "GET /items HTTP/1.1\r\nHost: localhost\r\nX: a\rContent-Length: 5\r\n\r\n",
    "GET /items HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: null\r\n\r\n",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length:\r\n 5\r\n\r\nhello",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n 1\r\n\r\nhello",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "GET /items HTTP/1.1\r\n\r\n", "GET /items with spaces HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET http://evil.example/items HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func `an ambiguous request is rejected and the connection closed`(request: String) async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    await connection.send(request + "GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n")
    // Returns when the server closes the connection.
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 400") || answer.hasPrefix("HTTP/1.0 400"), "\(answer)")
    // The server does not read the following bytes as a request.
    #expect(!answer.contains(" 200 OK"), "\(answer)")
    #expect(answer.contains("X-Content-Type-Options: nosniff"), "\(answer)")
    connection.close()
    await server.stop()
  }

  /// The library itself answers these requests, and the server cannot add fields to the answers.
  @Test(arguments: [
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\nhello",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5, 5\r\n\r\nhello",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5\r\n\r\nhello",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
  ])
  func `a request that the library cannot read is rejected and the connection closed`(
    request: String
  ) async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    await connection.send(request + "GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
    #expect(!answer.contains(" 200 OK"), "\(answer)")
    connection.close()
    await server.stop()
  }

  @Test func `a length that no body can have is refused at once`() async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    await connection.send(
      "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9223372036854775808\r\n\r\n")
    #expect(await connection.read().hasPrefix("HTTP/1.1 413"))
    connection.close()
    await server.stop()
  }

  @Test func `an absolute address of this server is answered`() async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    await connection.send(
      "GET http://LOCALHOST/items HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await connection.read().hasPrefix("HTTP/1.1 200"))
    connection.close()
    await server.stop()
  }

  @Test func `a cookie field with 900 cookies is refused`() async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    let cookies = (0..<900).map { "c\($0)=0123456789" }.joined(separator: "; ")
    await connection.send(
      "GET /items HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookies)\r\n\r\n")
    // Returns when the server closes the connection.
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 431"), "\(answer.prefix(200))")
    connection.close()
    await server.stop()
  }

  @Test(arguments: [(256, 200), (257, 414), (1000, 414), (10_000, 414)])
  func `the number of items in a query is limited`(items: Int, status: Int) async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    let query = Array(repeating: "a", count: items).joined(separator: "&")
    await connection.send(
      "GET /items?\(query) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(200))")
    #expect(answer.contains("X-Content-Type-Options: nosniff"))
    connection.close()
    await server.stop()
  }
}
