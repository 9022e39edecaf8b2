import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// Answers and addresses that other people's servers have.
@Suite(.timeLimit(.minutes(10)))
struct OddAnswerTests {
  @Test(arguments: ["br", "zstd"])
  func `an error in an unknown encoding keeps its status and the time to wait`(
    _ encoding: String
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(
        RawServer.answer(
          503, ["Content-Encoding": encoding, "Retry-After": "7", "Content-Type": "text/html"],
          "\u{b}\u{2}hello\u{3}"))
    }
    let network = try makeService(server, transport: .standard) { $0.retry = .never }
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == 503)
    #expect(error?.retryAfter == .seconds(7))
    #expect(error?.remoteFailure.kind == .busy)
  }

  @Test(arguments: ["?key=1", "#part", "/api?key=1#part"])
  func `an address of a service with a query or a fragment is refused`(
    _ end: String
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(200)) }
    let network = try makeService(at: server.address + end, transport: .standard)
    let error = await failure { try await network.response(for: .init(.get, "/boats")) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("query or a fragment") == true)
    #expect(server.requests.all.isEmpty)
  }
}
