public import CausewayNetwork
public import CausewayTesting
import Foundation

/// The requirements for every network service, as a suite of tests.
///
/// ```swift
/// @Test(arguments: NetworkConformance.suite.cases(of: "mine") { try makeService() })
/// func `a network service keeps its promises`(
///   _ promise: ConformanceSuite<any NetworkService>.Case
/// ) async throws {
///   try await promise.verify()
/// }
/// ```
///
/// The service's server must respond as ``answer(to:_:headers:body:)`` defines.
public enum NetworkConformance {
  typealias Requirement = ConformanceSuite<any NetworkService>.Requirement

  /// All promises.
  public static let suite = ConformanceSuite<any NetworkService>(
    answers + failures + transfers + eventStreams)

  struct Ship: Codable, Equatable, Sendable {
    var name: String
    var length: Int
  }

  static let answers: [Requirement] = [
    .init("the body arrives as it was sent") { network in
      let response = try await network.response(for: .init(.get, "/text"))
      try expect(response.status == 200, "status 200", response.status)
      try expect(response.body == Array("grüß dich".utf8), "the body", response.body)
      try expect(response.mediaType == "text/plain", "the media type", response.headers)
    },
    .init("a typed endpoint decodes its response") { network in
      let ship = try await network.value(for: Endpoint<Ship>(.get, "/ship"))
      try expect(ship == Ship(name: "Ada", length: 12), "the ship", ship)
    },
    .init("a typed endpoint sends its body as JSON") { network in
      let ship = Ship(name: "Zoë", length: 7)
      let echo = try await network.value(for: Endpoint<Ship>(.post, "/echo", body: ship))
      try expect(echo == ship, "the same ship", echo)
    },
    .init("a response without a body decodes as NoContent") { network in
      try await network.call(Endpoint(.delete, "/ship"))
    },
    .init("concurrent requests get their own responses") { network in
      try await withThrowingTaskGroup(of: (Int, Ship).self) { group in
        for number in 0..<20 {
          group.addTask {
            let ship = Ship(name: "\(number)", length: number)
            return (
              number, try await network.value(for: Endpoint<Ship>(.put, "/echo", body: ship))
            )
          }
        }
        for try await (number, ship) in group {
          try expect(ship.length == number, "ship \(number)", ship)
        }
      }
    },
  ]

  static let failures: [Requirement] = [
    .init("an error status throws an error with the status and the body") { network in
      let error = try await failure(.status) {
        try await network.response(for: .init(.get, "/missing", query: [.init("key", "s3cret")]))
      }
      try expect(error.status == 404, "status 404", error)
      try expect(error.bodyExcerpt == "no such ship", "the body", error)
      try expect(error.url?.hasSuffix("/missing?key=…") == true, "the address", error)
      try expect(!"\(error)".contains("s3cret"), "no secret of the query", error)
    },
    .init("a body that does not fit its type is a decoding error") { network in
      try await failure(.decoding) { try await network.value(for: Endpoint<[Ship]>(.get, "/ship")) }
    },
    .init("a web page as the response to a change is an error") { network in
      try await failure(.contentType) { try await network.call(Endpoint(.post, "/portal")) }
      try await failure(.contentType) { try await network.response(for: .init(.post, "/portal")) }
    },
    .init("a body larger than the limit is an error") { network in
      var request = NetworkRequest(.get, "/large")
      request.bodyLimit = 99_999
      let small = request
      try await failure(.tooLarge) { try await network.response(for: small) }
      request.bodyLimit = 100_000
      let count = try await network.response(for: request).body.count
      try expect(count == 100_000, "a body as large as the limit", count)
    },
    .init("a request whose path value leads to another folder is not sent") { network in
      try await failure(.invalidRequest) {
        try await network.response(for: .init(.get, "/ships/\("..")/text"))
      }
    },
    .init("a cancelled call throws CancellationError") { network in
      let call = Task { try await network.response(for: .init(.get, "/never")) }
      call.cancel()
      do {
        _ = try await call.value
      } catch is CancellationError {
        return
      } catch {
        throw BrokenNetworkPromise(expected: "CancellationError", found: "\(error)")
      }
      throw BrokenNetworkPromise(expected: "CancellationError", found: "an answer")
    },
  ]

  static let transfers: [Requirement] = [
    .init("progress ends with the size of the body") { network in
      let seen = Seen()
      let response = try await network.response(
        for: .init(.get, "/large"), progress: { seen.note($0) })
      try expect(response.body.count == 100_000, "the body", response.body.count)
      try expect(
        seen.last == .received(100_000, of: 100_000), "all of it", String(describing: seen.last))
    },
    .init("a complete download is stored, and an error is not stored") { network in
      let path = NSTemporaryDirectory() + "causeway-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      try await failure(.status) { try await network.download(.init(.get, "/missing"), to: path) }
      try expect(!FileManager.default.fileExists(atPath: path), "no file", path)
      let response = try await network.download(.init(.get, "/large"), to: path)
      try expect(response.body.isEmpty, "no body in memory", response.body.count)
      let count = try Data(contentsOf: URL(fileURLWithPath: path)).count
      try expect(count == 100_000, "100000 bytes", count)
    },
  ]

  static let eventStreams: [Requirement] = [
    .init("events arrive in order with their names and ids, and the stream ends") { network in
      var events: [NetworkEvent] = []
      for try await event in network.events(for: .init(.get, "/events")) { events.append(event) }
      try expect(
        events == [
          NetworkEvent(id: "1", data: "a"), NetworkEvent(id: "2", name: "move", data: "b\nc"),
        ], "two events", events)
    },
    .init("a response that is not an event stream is an error") { network in
      do {
        for try await _ in network.events(for: .init(.get, "/missing")) {}
      } catch is NetworkError {
        return
      }
      throw BrokenNetworkPromise(expected: "NetworkError", found: "an end")
    },
  ]
}
