import Causeway
import TestSupport
import Testing

@testable import CausewayWeb

/// The changes of a shared state on real threads.
@Suite(.timeLimit(.minutes(10)))
struct SharedStateStressTests {
  @Test func `a shared state is published while the streams of its changes are cancelled`()
    async throws
  {
    let broadcast = StateBroadcast(name: "board", first: ["count": -1])
    try await watched("A shared state whose streams are cancelled") {
      try await cancelConsumers(rounds: 5000) {
        for await _ in broadcast.changes {}
      } while: {
        broadcast.publish(["count": .integer(Int64($0))])
      }
    }
  }

  /// The polling thread holds the lock of a connection while it reads a change, and a publisher
  /// wakes the connections.
  @Test func `a shared state is published while connections read it`() async throws {
    let shared = try await SharedState("board", of: ViewModel(Board()))
    let server = WebServer(configuration: .patient)
    server.page("/", try PageTemplate(Board.page), sharing: { _ in shared }) { _ in
      ViewModel(Empty())
    }
    let address = try await server.start()
    let last = scaled(3000)
    try await watched("A shared state that connections read") {
      let client = Client(address)
      var connections: [RawConnection] = []
      for _ in 0..<8 {
        let tab = try await Tab(client)
        let connection = try RawConnection(address)
        await connection.send(
          """
          GET /_causeway/stream HTTP/1.1\r
          Host: 127.0.0.1\r
          Cookie: \(tab.cookie)\r
          Causeway-Session: \(tab.token)\r
          Last-Event-ID: \(tab.version)\r
          \r

          """)
        _ = await connection.read { $0.contains(": connected") }
        connections.append(connection)
      }
      await withDiscardingTaskGroup { group in
        for connection in connections {
          group.addTask {
            let events = await connection.read { $0.contains("\"count\":\(last)}") }
            #expect(events.contains("\"count\":\(last)}"))
          }
        }
        for count in 1...last {
          shared.broadcast.publish(["count": .integer(Int64(count))])
          await Task.yield()
        }
      }
      for connection in connections { connection.close() }
    }
    await server.stop()
  }

  private struct Empty: Interactor {
    struct State: Encodable, Equatable, Sendable {}
    enum Action: Codable, Sendable { case none }

    var body: some InteractorOf<Self> { Interact(initialValue: State()) { _, _ in .state } }
  }
}
