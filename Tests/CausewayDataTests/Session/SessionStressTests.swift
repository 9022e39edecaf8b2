import CausewayData
import TestSupport
import Testing

/// Sessions on real threads.
@Suite(.timeLimit(.minutes(10)))
struct SessionStressTests {
  @Test func `an account signs in and out while streams of changes are cancelled`() async throws {
    let session = SessionService()
    try await watched("A session whose streams of changes are cancelled") {
      try await cancelConsumers(rounds: 5000) {
        for await _ in session.changes() {}
      } while: { _ in
        try await session.signIn("ada")
        try await session.logout()
      }
    }
  }
}
