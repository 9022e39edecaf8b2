import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// Correct responses that are easy to misread.
@Suite(.timeLimit(.minutes(10)))
struct AnswerTests {
  private func call(
    _ answer: String, _ transport: TransportKind, _ method: HTTPMethod = .get
  ) async throws -> NetworkResponse {
    let server = try RawServer { _, connection in connection.send(answer) }
    let network = try makeService(server, transport: transport)
    return try await network.response(for: .init(method, "/"))
  }

  @Test(arguments: TransportKind.allCases)
  func `an interim response is not returned as the final response`(_ transport: TransportKind)
    async throws
  {
    let response = try await call(
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none",
      transport)
    #expect(response.body == Array("one".utf8))
    #expect(response.headers["link"] == nil || transport == .system)
  }

  @Test(arguments: TransportKind.allCases)
  func `the fields of a 304 describe the cached value`(_ transport: TransportKind) async throws {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(304, ["ETag": "\"b\"", "Cache-Control": "no-store"]))
    }
    let network = try makeService(server, transport: transport)
    let answer = try await network.resource(for: .init(.get, "/"), unlessMatching: "\"a\"")
    guard case .notModified("\"b\"", .zero?, false) = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  // The system's URL loading on Linux crashes the process.
  @Test func `a trailer is not read as a part of the body`() async throws {
    let response = try await call(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-sum\r\n\r\n"
        + "3;name=value\r\none\r\n3\r\ntwo\r\n0\r\nX-Sum: 1\r\n\r\n", .standard)
    #expect(response.body == Array("onetwo".utf8))
    #expect(response.headers["x-sum"] == nil)
  }

  @Test(arguments: TransportKind.allCases)
  func `a declared length is ignored in a response that has no body`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      connection.waitForClose()
    }
    let network = try makeService(server, transport: transport)
    let response = try await network.response(for: .init(.head, "/"))
    #expect(response.headers["content-length"] == "1000")
    #expect(server.requests.all.map(\.method) == ["HEAD"])
  }

  @Test(arguments: ["204 No Content", "204 No Content\r\nContent-Length: 5"])
  func `the response to a status without a body ends after its header fields`(_ status: String)
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 \(status)\r\n\r\n")
      connection.waitForClose()
    }
    let response = try await makeService(server).response(for: .init(.delete, "/"))
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
  }

  @Test func `304 has no body and is not a success`() async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")
      connection.waitForClose()
    }
    let network = try makeService(server)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == 304)
  }

  @Test func `several fields of one name are all kept`() async throws {
    let response = try await call(
      "HTTP/1.1 200 OK\r\nLink: <a>\r\nLink: <b>\r\nContent-Length: 0\r\n\r\n", .standard)
    #expect(response.headers["link"] == "<a>, <b>")
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch])
  func `a request without a body has a content length of zero`(_ method: HTTPMethod)
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server)
    _ = try await network.response(for: .init(method, "/"))
    #expect(server.requests.all.first?.headers["content-length"] == "0")
    #expect(server.requests.all.first?.headers["content-type"] == nil)
  }

  @Test func `an upload does not wait forever for a missing 100 Continue`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server)
    let bytes = [UInt8](repeating: 7, count: 4 << 20)
    _ = try await network.response(for: .init(.put, "/", body: .bytes(bytes, type: "a/b")))
    #expect(server.requests.all.first?.headers["expect"] == nil)
    #expect(server.requests.all.first?.body == bytes)
  }

  @Test func `a header field without a value is sent`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server)
    _ = try await network.response(for: .init(.get, "/", headers: ["x-empty": "", "x-a": "b"]))
    #expect(server.requests.all.first?.headers["x-empty"] == "")
    #expect(server.requests.all.first?.headers["x-a"] == "b")
  }
}
