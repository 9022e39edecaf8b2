import Causeway
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// Actions and answers of any size, which must not cost the other clients anything.
@Suite(.timeLimit(.minutes(10))) struct LargeActionTests {
  /// A page whose actions take as long to decode as the test wants.
  private struct Slow: Interactor {
    nonisolated static let begun = Gate()
    nonisolated static let end = DispatchSemaphore(value: 0)

    enum Action: Decodable, Sendable {
      case decoded(inTime: Bool)

      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count > 4_096 else {
          self = .decoded(inTime: true)
          return
        }
        Slow.begun.open()
        self = .decoded(inTime: Slow.end.wait(timeout: .now() + 200) == .success)
      }
    }

    struct State: Encodable, Equatable, Sendable {
      var isInTime = false
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        if case .decoded(let inTime) = action { state.isInTime = inTime }
        return .state
      }
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func `a large action is decoded while the server answers others`() async throws {
    let server = WebServer(configuration: .patient)
    server.page("/", try PageTemplate(Board.page, values: ["title": "Slow"])) { _ in
      ViewModel(Slow())
    }
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    let body = "\"\(String(repeating: "x", count: 5_000))\""
    async let large = tab.act(1, body, ["Causeway-Watch": "isInTime"])
    await Slow.begun.wait()
    #expect(try await client.get("/none").status == 404)
    Slow.end.signal()
    #expect(try await large.json?.value(at: "watched") == true)
    await server.stop()
  }

  @Test func `a large action counts as several`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.use(time)
      $0.limits.actionsPerSecond = 1
      $0.limits.actionBurst = 100
    }
    let tab = try await Tab(Client(try await server.start()))
    let body = #"{"say":{"text":"\#(String(repeating: "x", count: 500_000))"}}"#
    var statuses: [Int] = []
    for number in 1...4 as ClosedRange<UInt64> {
      statuses.append(try await tab.act(number, body).status)
    }
    #expect(statuses == [200, 200, 200, 429])
    #expect(try await tab.act(4, #"{"add":{"_0":1}}"#).status == 200)
    await server.stop()
  }

  @Test func `a large action without a stated length is counted by its bytes`() async throws {
    let server = try WebServer.board {
      $0.use(TestTime())
      $0.limits.actionsPerSecond = 1
      $0.limits.actionBurst = 100
    }
    let tab = try await Tab(Client(try await server.start()))
    let body = Data(#"{"say":{"text":"\#(String(repeating: "x", count: 500_000))"}}"#.utf8)
    var codes: [Int] = []
    for number in 1...4 {
      let request = Request(
        .post, "/_causeway/action",
        headers: [
          "Cookie": tab.cookie, "Causeway-Session": tab.token, "Causeway-Sequence": "\(number)",
          "Content-Type": "application/json",
        ])
      codes.append(await server.respond(to: request) { _ in body }.status.code)
    }
    #expect(codes == [200, 200, 200, 429])
    await server.stop()
  }

  @Test func `an action that is larger than the burst is accepted`() async throws {
    let server = try WebServer.board {
      $0.use(TestTime())
      $0.limits.actionsPerSecond = 1
      $0.limits.actionBurst = 10
    }
    let tab = try await Tab(Client(try await server.start()))
    let body = #"{"say":{"text":"\#(String(repeating: "x", count: 500_000))"}}"#
    #expect(try await tab.act(1, body).status == 200)
    #expect(try await tab.act(2, body).status == 429)
    await server.stop()
  }

  @Test func `the answer to an action contains no text and no list of the state`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    func watched(_ number: UInt64, _ body: String, _ path: String) async throws -> JSONValue? {
      try await tab.act(number, body, ["Causeway-Watch": path]).json?.value(at: "watched")
    }
    #expect(try await watched(1, #"{"pad":{"bytes":100000}}"#, "padding") == true)
    #expect(try await watched(2, #"{"pad":{"bytes":0}}"#, "padding") == false)
    #expect(try await watched(3, #"{"say":{"text":"tea"}}"#, "texts") == true)
    #expect(try await watched(4, #"{"add":{"_0":1}}"#, "count") == 3)
    #expect(try await watched(5, #"{"note":{}}"#, "note") == .null)
    await server.stop()
  }

  @Test func `a browser can open streams at a limited rate, and others get theirs`()
    async throws
  {
    let time = TestTime()
    let server = try WebServer.board { $0.use(time) }
    let address = try await server.start()
    let client = Client(address)
    func open(_ tab: Tab) async throws -> Int {
      let connection = try RawConnection(address)
      defer { connection.close() }
      await connection.send(
        """
        GET /_causeway/stream HTTP/1.1\r
        Host: 127.0.0.1\r
        Cookie: \(tab.cookie)\r
        Causeway-Session: \(tab.token)\r
        \r

        """)
      let answer = await connection.read { $0.contains("\r\n\r\n") }
      return Int(answer.dropFirst(9).prefix(3)) ?? 0
    }
    let (tab, other) = (try await Tab(client), try await Tab(client))
    var statuses: [Int: Int] = [:]
    for _ in 0..<110 { statuses[try await open(tab), default: 0] += 1 }
    #expect(statuses == [200: 100, 429: 10])
    #expect(try await open(other) == 200)
    time.advance(by: .seconds(1), server)
    #expect(try await open(tab) == 200)
    await server.stop()
  }
}
