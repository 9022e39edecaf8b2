import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct LoadTests {
  @Test func `many sessions apply many actions each exactly once`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    try await withThrowingTaskGroup(of: Void.self) { group in
      let last = UInt64(scaled(100))
      let end = JSONValue.integer(Int64(last))
      for index in 0..<(runsWholeSizes ? 50 : 20) {
        group.addTask {
          let tab = try await Tab(client)
          let stream = try tab.stream(lastEventID: "1")
          for number in 1...last {
            let answer = try await tab.act(number, #"{"add":{"_0":1}}"#)
            #expect(answer.status == 200, "session \(index): \(answer.text)")
            // Every tenth response is treated as lost, and the action is sent again.
            if number % 10 == 0 {
              #expect(try await tab.act(number, #"{"add":{"_0":1}}"#).json == answer.json)
            }
          }
          let final = await stream.state(from: tab.state) { $0.value(at: "count") == end }
          #expect(final?.value(at: "count") == end)
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
      // The limits for an address count this machine.
      $0.uncountedAddresses = []
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

  @Test func `after a restart, the pages of 200 people behind one address are served at once`()
    async throws
  {
    let key = Array(0..<32) as [UInt8]
    // The people opened their pages over time.
    let earlier = try WebServer.board {
      $0.cookieKey = key
      $0.limits.pageLoadBurst = 1_000
    }
    let client = Client(try await earlier.start())
    let pages = try await withThrowingTaskGroup(of: Tab.self) { group in
      for _ in 0..<200 { group.addTask { try await Tab(client) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await earlier.stop()
    let own = try await answers(to: pages, key: key)
    #expect(own == [[200: 200], [200: 50, 429: 150]])
    // Pages that come later and pages of another server have only the ordinary burst.
    #expect(
      try await answers(to: pages, key: key, after: .seconds(61)).first == [200: 100, 429: 100])
    #expect(try await answers(to: pages, key: Array(1...32)).first == [200: 100, 429: 100])
  }

  /// Requests new sessions for the pages of an earlier run, twice, and counts answers by status.
  private func answers(
    to pages: [Tab], key: [UInt8], after delay: Duration = .zero
  ) async throws -> [[Int: Int]] {
    let time = TestTime()
    let server = try WebServer.board {
      $0.cookieKey = key
      // The limits for an address count this machine.
      $0.uncountedAddresses = []
      $0.use(time)
    }
    let client = Client(try await server.start())
    let port = "\(client.address.port)"
    if delay > .zero {
      // The time in which pages return begins with the first page.
      _ = try await client.get("/")
      time.advance(by: delay, server)
    }
    var answers: [[Int: Int]] = []
    for _ in 1...2 {
      answers.append(
        try await withThrowingTaskGroup(of: Int.self) { group in
          for page in pages {
            group.addTask {
              // The name of the cookie contains the port.
              let cookie = page.cookie.replacing("\(page.client.address.port)", with: port)
              let headers = page.headers.merging(
                ["Accept": "application/json", "Cookie": cookie]
              ) { $1 }
              return try await client.get("/", headers).status
            }
          }
          return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        })
    }
    await server.stop()
    return answers
  }
}
