import Foundation
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct LoadTests {
  @Test func `fifty sessions apply a hundred actions each exactly once`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask {
          let tab = try await Tab(client)
          let stream = try tab.stream(lastEventID: "1")
          for number in 1...100 as ClosedRange<UInt64> {
            let answer = try await tab.act(number, #"{"add":{"_0":1}}"#)
            #expect(answer.status == 200, "session \(index): \(answer.text)")
            // Every tenth response is treated as lost, and the action is sent again.
            if number % 10 == 0 {
              #expect(try await tab.act(number, #"{"add":{"_0":1}}"#).json == answer.json)
            }
          }
          let final = await stream.state(from: tab.state) { $0.value(at: "count") == 100 }
          #expect(final?.value(at: "count") == 100)
        }
      }
      try await group.waitForAll()
    }
    await server.stop()
  }

  /// The largest number of open files that the process can ask for.
  private static var openFiles: Int { CLibrary.raiseOpenFileLimit(to: 4_096) ?? 0 }

  @Test(.enabled(if: LoadTests.openFiles >= 4_096))
  func `the pages of 200 people behind one address connect again at once after a loss`()
    async throws
  {
    let server = try WebServer.board {
      $0.limits.connections = 4_000
      // Only the connections are tested here.
      $0.limits.pageLoadBurst = 1_000
    }
    let address = try await server.start()
    let client = Client(address)
    let tabs = try await withThrowingTaskGroup(of: Tab.self) { group in
      for _ in 0..<200 { group.addTask { try await Tab(client) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var lost: [RawConnection] = []
    // The server does not notice the loss of the first connections before the second ones open.
    for _ in 1...2 {
      let connections = try await withThrowingTaskGroup(of: RawConnection.self) { group in
        for tab in tabs {
          group.addTask {
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
            let answer = await connection.read { $0.contains(": connected") }
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(400))")
            return connection
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for connection in lost { connection.close() }
      lost = connections
    }
    #expect(server.sessionCount == 200)
    for tab in tabs.prefix(20) {
      #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    }
    for connection in lost { connection.close() }
    await server.stop()
  }
}
