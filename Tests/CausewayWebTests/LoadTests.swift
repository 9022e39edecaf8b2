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
}
