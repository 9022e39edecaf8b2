import TestSupport
import Testing

@testable import CausewayWeb

/// The changes of a shared state on real threads.
@Suite(.timeLimit(.minutes(10)))
struct SharedStateStressTests {
  @Test func `a shared state is published while the streams of its changes are cancelled`()
    async throws
  {
    let broadcast = Broadcast(name: "board", first: ["count": -1])
    try await watched("A shared state whose streams are cancelled") {
      try await cancelConsumers(rounds: 5000) {
        for await _ in broadcast.changes {}
      } while: {
        broadcast.publish(["count": .integer(Int64($0))])
      }
    }
  }
}
