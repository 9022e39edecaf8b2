import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// Bytes that a proxy and the server could split into requests at different places.
///
/// A second request follows each of them on the same connection.
@Suite(.timeLimit(.minutes(10)))
struct HostileRequestTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: String
    var status = 400

    var testDescription: String { name }

    /// A request with another first line and other fields.
    init(_ name: String, bytes: String, status: Int = 400) {
      (self.name, self.bytes, self.status) = (name, bytes, status)
    }

    /// A request with another address.
    init(_ name: String, address: String, status: Int = 400) {
      self.init(
        name, bytes: "GET \(address) HTTP/1.1\r\nHost: localhost\r\n\r\n", status: status)
    }

    /// A request with additional lines after `Host`.
    init(_ name: String, lines: String, body: String = "", status: Int = 400) {
      self.init(
        name, bytes: "POST /items HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n\r\n\(body)",
        status: status)
    }

    /// A request with a body in chunks.
    init(_ name: String, chunks: String) {
      self.init(name, lines: "Transfer-Encoding: chunked", body: chunks, status: 411)
    }
  }

  private static let hiddenRequest = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"

  static let heads: [Attack] = [
    Attack("a field without a name", lines: ": x"),
    Attack("a field without a name after others", lines: "X: a\r\nY: b\r\n:"),
    Attack(
      "a first field without a name", bytes: "GET /items HTTP/1.1\r\n: x\r\nHost: localhost\r\n\r\n"
    ),
    Attack("a line that starts with NUL", lines: "X: a\r\n\0Y: b"),
    Attack("a line that is NUL", lines: "X: a\r\n\0"),
    Attack("NUL in Host", bytes: "GET /items HTTP/1.1\r\nHost: localhost\0.evil.example\r\n\r\n"),
    Attack("NUL in a value", lines: "X: a\0b"),
    Attack("NUL at the end of a value", lines: "X: a\0"),
    Attack("NUL before a value", lines: "X: \0a"),
    Attack("NUL in a name", lines: "X\0Y: a"),
    Attack("NUL in Transfer-Encoding", lines: "Transfer-Encoding: chunked\0x", body: "0\r\n\r\n"),
    Attack("NUL in Content-Length", lines: "Content-Length: 0\0 5"),
    Attack("NUL in the address", address: "/items\0/x"),
    Attack("NUL in the query", address: "/items?a\0=b"),
    Attack("NUL in the method", bytes: "GET\0X /items HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Attack(
      "NUL in the version", bytes: "GET /items HTTP/1.1\0\r\nHost: localhost\r\n\r\n"),
    Attack("lines that end with LF", bytes: "GET /items HTTP/1.1\nHost: localhost\n\n"),
    Attack(
      "a request line that ends with LF", bytes: "GET /items HTTP/1.1\nHost: localhost\r\n\r\n"),
    Attack("a field that ends with LF", lines: "X: a\nY: b"),
    Attack("a last field that ends with LF", bytes: "GET /items HTTP/1.1\r\nHost: localhost\n\r\n"),
    Attack("an empty line of LF", bytes: "GET /items HTTP/1.1\r\nHost: localhost\r\n\n"),
    Attack(
      "a request line that ends with CR", bytes: "GET /items HTTP/1.1\rHost: localhost\r\n\r\n"),
    Attack("CR in a value", lines: "X: a\rContent-Length: 5"),
    Attack("CR before the line ends", lines: "X: a\r"),
    Attack("a continued line", lines: "X: a\r\n b"),
    Attack("a line continued after a tab", lines: "X: a\r\n\tb"),
    Attack("a continued Content-Length", lines: "Content-Length:\r\n 5"),
    Attack("a continued Host", bytes: "GET /items HTTP/1.1\r\nHost:\r\n localhost\r\n\r\n"),
    Attack(
      "a first line that continues",
      bytes: "GET /items HTTP/1.1\r\n X: a\r\nHost: localhost\r\n\r\n"),
    Attack("a space before the colon", lines: "X : a"),
    Attack("a tab before the colon", lines: "X\t: a"),
    Attack("a name that is not a token", lines: "X(Y): a"),
    Attack("a line without a colon", lines: "nonsense"),
    Attack("ESC in a value", lines: "X: \u{1b}[2J"),
    Attack("DEL in a value", lines: "X: \u{7f}"),
    Attack(
      "two spaces before the address", bytes: "GET  /items HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Attack("a space in the address", address: "/items x"),
    Attack("a space in the query", address: "/items?a b"),
    Attack("a control character in the address", address: "/items\u{1}"),
    Attack("a control character in the query", address: "/items?\u{7f}"),
    Attack("an address of another host", address: "http://evil.example/items"),
    Attack("no Host", bytes: "GET /items HTTP/1.1\r\n\r\n"),
    Attack("two Host", lines: "Host: evil.example"),
    Attack("two equal Host", lines: "Host: localhost"),
    Attack("a field of 10 KB", lines: "X: " + String(repeating: "x", count: 10_000), status: 431),
    Attack(
      "fields of 30 KB", lines: String(repeating: "X: x\r\n", count: 5_000) + "Y: y", status: 431),
    Attack("HTTP/0.9", bytes: "GET /items\r\n", status: 400),
    Attack("HTTP/2.0", bytes: "GET /items HTTP/2.0\r\nHost: localhost\r\n\r\n", status: 505),
    Attack("HTTP/1.10", bytes: "GET /items HTTP/1.10\r\nHost: localhost\r\n\r\n", status: 400),
  ]

  static let bodies: [Attack] = [
    Attack("two Content-Length", lines: "Content-Length: 5\r\nContent-Length: 0", body: "hello"),
    Attack(
      "two equal Content-Length", lines: "Content-Length: 5\r\nContent-Length: 5", body: "hello"),
    Attack("Content-Length 2^63", lines: "Content-Length: 9223372036854775808", status: 413),
    Attack(
      "Content-Length and Transfer-Encoding",
      lines: "Content-Length: 5\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"),
    Attack(
      "Transfer-Encoding and Content-Length",
      lines: "Transfer-Encoding: chunked\r\nContent-Length: 5", body: "0\r\n\r\n"),
    Attack("Transfer-Encoding xchunked", lines: "Transfer-Encoding: xchunked", body: "0\r\n\r\n"),
    Attack("Transfer-Encoding identity", lines: "Transfer-Encoding: identity", body: "0\r\n\r\n"),
    Attack(
      "Transfer-Encoding gzip, chunked", lines: "Transfer-Encoding: gzip, chunked",
      body: "0\r\n\r\n"),
    Attack(
      "two Transfer-Encoding", lines: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
      body: "0\r\n\r\n"),
    Attack("an empty Transfer-Encoding", lines: "Transfer-Encoding:", body: "0\r\n\r\n"),
    Attack(
      "Transfer-Encoding after a vertical tab", lines: "Transfer-Encoding: \u{b}chunked",
      body: "0\r\n\r\n"),
    Attack(
      "Transfer-Encoding in HTTP/1.0",
      bytes:
        "POST /items HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    Attack("well-formed chunks", chunks: "3\r\nabc\r\n0\r\n\r\n"),
    Attack("LF after a chunk's size", chunks: "3\nabc\r\n0\r\n\r\n"),
    Attack("LF in a chunk's extension", chunks: "3;a\nabc\r\n0\r\n\r\n"),
    Attack("LF after a chunk", chunks: "3\r\nabc\n0\r\n\r\n"),
    Attack("LF after the last chunk", chunks: "3\r\nabc\r\n0\n\n"),
    Attack("no line end after a chunk", chunks: "3\r\nabc0\r\n\r\n"),
    Attack("data after a chunk", chunks: "3\r\nabcdef\r\n0\r\n\r\n"),
    Attack("a chunk's size in 0x", chunks: "0x3\r\nabc\r\n0\r\n\r\n"),
    Attack("a negative chunk", chunks: "-1\r\nabc\r\n0\r\n\r\n"),
    Attack("a chunk of 2^64", chunks: "10000000000000000\r\nabc"),
    Attack("a chunk of 2^63", chunks: "8000000000000000\r\nabc"),
    Attack(
      "an extension of 100 KB",
      chunks: "3;" + String(repeating: "x", count: 100_000) + "\r\nabc\r\n0\r\n\r\n"),
    Attack("no end of the last chunk", chunks: "3\r\nabc\r\n0\r\n"),
    Attack("a trailer field without a name", chunks: "0\r\nX: a\r\n: b\r\n"),
    Attack("a trailer field that is NUL", chunks: "0\r\n\0\r\n"),
  ]

  static let lengths: [Attack] = [
    Attack("a list in Content-Length", lines: "Content-Length: 5, 5", body: "hello"),
    Attack("Content-Length +5", lines: "Content-Length: +5", body: "hello"),
    Attack("Content-Length -5", lines: "Content-Length: -5", body: "hello"),
    Attack("Content-Length 0x5", lines: "Content-Length: 0x5", body: "hello"),
    Attack("Content-Length 5 and a space", lines: "Content-Length: 5 ", body: "hello"),
    Attack("an empty Content-Length", lines: "Content-Length:", body: "hello"),
    Attack("Content-Length 2^64", lines: "Content-Length: 18446744073709551616", status: 413),
  ]

  @Test(arguments: heads + bodies)
  func `a hostile request gets one refusal and ends the connection`(attack: Attack) async throws {
    let answer = try await Self.answer(to: attack)
    #expect(answer.hasPrefix("HTTP/1.1 \(attack.status) "), "\(answer.prefix(300))")
    #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(answer)")
  }

  /// Version 0.9.75 of the library sends the header fields of its answer twice.
  @Test(arguments: lengths)
  func `a length that is not a number is refused and ends the connection`(
    attack: Attack
  ) async throws {
    let answer = try await Self.answer(to: attack)
    #expect(answer.hasPrefix("HTTP/1.1 \(attack.status) "), "\(answer.prefix(300))")
    #expect(!answer.contains(" 200 OK"), "\(answer)")
  }

  /// Returns everything that the server sends before it closes the connection.
  private static func answer(to attack: Attack) async throws -> String {
    let reached = Log<String>()
    let server = WebServer(configuration: .patient)
    server.get("/items") { _ in .text("items") }
    server.post("/items") { request in .text("\(request.body.count)") }
    server.get("/hidden") { _ in
      reached.append("hidden")
      return .text("hidden")
    }
    let connection = try RawConnection(try await server.start())
    await connection.send(attack.bytes + Self.hiddenRequest)
    // Returns when the server closes the connection.
    let answer = await connection.read()
    #expect(reached.all.isEmpty)
    connection.close()
    await server.stop()
    return answer
  }

  @Test func `a request that arrives byte by byte is whole`() async throws {
    let server = WebServer(configuration: .patient)
    server.post("/items") { request in
      .text("\(request.headers["X"] ?? "") \(request.query("q") ?? "") \(request.body.count)")
    }
    let connection = try RawConnection(try await server.start())
    let long = String(repeating: "x", count: 8_000)
    let request =
      "POST /items?q=a&r=%20b HTTP/1.1\r\nHost: localhost\r\nX:  \t one \r\nEmpty:\r\nLong: \(long)\r\n"
      + "Cookie: a=b; c=d\r\nContent-Length: 5\r\n\r\nhello"
    for byte in request.prefix(150) { await connection.send(String(byte)) }
    await connection.send(String(request.dropFirst(150)))
    _ = await connection.read { $0.hasSuffix("a 5") }
    // The connection goes on, and several requests may arrive at once.
    await connection.send(request + request)
    let answer = await connection.read { $0.ranges(of: "a 5").count == 2 }
    #expect(answer.ranges(of: "HTTP/1.1 200").count == 2, "\(answer)")
    connection.close()
    await server.stop()
  }
}
