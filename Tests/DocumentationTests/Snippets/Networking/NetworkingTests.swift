import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// The code of the catalog of CausewayHTTP, with a server on this machine.
@Suite(.timeLimit(.minutes(10)))
struct NetworkingTests {
  private struct Activity: Codable, Equatable, Sendable {
    var title: String
  }

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-\(UUID().uuidString)")
  private let id = "Kiel/Holtenau"

  init() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func makeNetwork(
    url: URL, login: any NetworkService, path: String
  ) -> HTTPNetworkService {
    // snippet
    let auth = AuthSessionService(store: FileTokenStore(path: path)) { token in
      try await login.value(for: Endpoint<AuthToken>(.post, "/refresh", body: token.refresh))
    }
    let network = HTTPNetworkService(.init(address: url), session: auth)
    // end
    return network
  }

  private func use(
    _ network: any NetworkService, path: String, _ show: @escaping @Sendable (Int, Int?) -> Void,
    _ apply: (String) async throws -> Void
  ) async throws -> [Activity] {
    // snippet
    let day: [Activity] = try await network.value(
      for: Endpoint(.get, "/activities", query: [.init("day", "2026-06-21")]))

    _ = try await network.download(.init(.get, "/charts/\(id)"), to: path) { progress in
      if case .received(let bytes, let total) = progress { show(bytes, total) }
    }

    for try await event in network.events(for: .init(.get, "/events")) {
      try await apply(event.data)
    }
    // end
    return day
  }

  private func makeForm(_ bytes: [UInt8]) -> NetworkRequest {
    // snippet
    let photo = NetworkRequest(
      .post, "/photos",
      body: .form(
        ["caption": "Low tide"],
        files: [(name: "photo", fileName: "tide.jpg", type: "image/jpeg", bytes: bytes)]))
    // end
    return photo
  }

  private struct Price: Codable, Equatable, Sendable {
    var cents: Int
  }

  private func follow(
    _ network: any NetworkService, _ log: @escaping @Sendable (String) -> Void,
    _ apply: (Price) async throws -> Void
  ) async throws {
    // snippet
    let prices = network.events(for: Endpoint<Price>(.get, "/prices"), named: "price") { state in
      log("\(state)")
    }
    for try await price in prices { try await apply(price) }
    // end
  }

  @Test func `typed events arrive with the state of their connection`() async throws {
    let server = try RawServer { request, connection in
      if request.number == 0 {
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1\n"
            + "event: price\ndata: {\"cents\":5}\n\nevent: ping\ndata: {}\n\n")
      } else {
        connection.send(RawServer.answer(204))
      }
    }
    let url = try #require(URL(string: server.address))
    let (states, prices) = (Log<String>(), Log<Price>())
    try await follow(HTTPNetworkService(.init(address: url)), states.append, prices.append)
    #expect(prices.all == [Price(cents: 5)])
    #expect(states.all.first == "connecting" && states.all.last == "closed")
    #expect(states.all.contains("open"))
  }

  /// Accepts the token "new" only, and gives it for the refresh token "r".
  private func makeServer() throws -> RawServer {
    try RawServer { request, connection in
      switch request.target {
      case "/refresh":
        connection.send(
          request.text == #""r""#
            ? RawServer.answer(200, [:], #"{"access":"new"}"#) : RawServer.answer(400))
      case _ where request.headers["authorization"] != "Bearer new":
        connection.send(RawServer.answer(401))
      case "/activities?day=2026-06-21":
        connection.send(RawServer.answer(200, [:], #"[{"title":"Round the island"}]"#))
      case "/charts/Kiel%2FHoltenau":
        connection.send(RawServer.answer(200, [:], String(repeating: "~", count: 1000)))
      case "/events" where request.headers["last-event-id"] == nil:
        // Ends in the middle of the second event.
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            + "retry: 1\n\nid: 1\ndata: a\n\nid: 2\ndata: ")
      case "/events" where request.headers["last-event-id"] == "1":
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 2\ndata: b\n\n")
      case "/events":
        connection.send(RawServer.answer(204))
      default:
        connection.send(RawServer.answer(404))
      }
    }
  }

  @Test func `a rejected token is refreshed, and activities, chart and events arrive`() async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try makeServer()
    let tokens = folder.appending(path: "token").path
    try FileTokenStore(path: tokens).save(AuthToken(access: "old", refresh: "r"))
    let url = try #require(URL(string: server.address))
    let network = makeNetwork(
      url: url, login: HTTPNetworkService(.init(address: url)), path: tokens)

    let chart = folder.appending(path: "chart").path
    let progress = Log<Int>()
    let events = Log<String>()
    let day = try await use(network, path: chart) { bytes, _ in
      progress.append(bytes)
    } _: { event in
      events.append(event)
    }

    #expect(day == [Activity(title: "Round the island")])
    #expect(try Data(contentsOf: URL(fileURLWithPath: chart)).count == 1000)
    #expect(progress.all.last == 1000)
    #expect(events.all == ["a", "b"])
    #expect(try FileTokenStore(path: tokens).load()?.access == "new")
    #expect(server.requests.all.filter { $0.target == "/refresh" }.count == 1)
  }
}
