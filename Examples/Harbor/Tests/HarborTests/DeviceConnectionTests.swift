import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import HarborFeatures
import Synchronization
import TestSupport
import Testing

@testable import HarborApp

/// What pages show of the connection to the server.
@Suite(.timeLimit(.minutes(10)))
struct DeviceConnectionTests {
  @Test func `a server that does not have a new group yet does not count as lost`() async throws {
    let outbox = Outbox(
      persistence: try InMemoryPersistenceService(migrations: Outbox.migrations),
      session: SessionService(account: .local))
    let states = CurrentValue(ConnectionState())
    let steps = Mutex([
      SyncStatus(phase: .upToDate),
      SyncStatus(phase: .offline, lastError: .missingScope),
      SyncStatus(phase: .offline, lastError: RemoteFailure(.unreachable)),
    ])
    let phases = Log<SyncStatus.Phase>()
    // The stream is asked for the next status after the last one was handled. It then logs the
    // phase.
    let statuses = AsyncStream {
      phases.append(states.value.phase)
      let next = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return next
    }
    let following = Task {
      await DeviceConnection.follow(statuses, outbox, ContinuousClock(), into: states)
    }
    await phases.wait(for: 4)
    #expect(phases.all == [.idle, .upToDate, .upToDate, .offline])
    following.cancel()
    await following.value
  }

  @Test func `only the change that the server fails to take is set aside`()
    async throws
  {
    let persistence = try InMemoryPersistenceService(migrations: Outbox.migrations)
    let outbox = Outbox(
      persistence: persistence, session: SessionService(account: .local),
      surroundings: Surroundings(clock: TestSupport.ManualClock()))
    for key in ["offline", "stuck"] as [IdempotencyKey] {
      try await outbox.enqueue(
        OutboxDraft(
          key: key, collection: "text", scope: SyncScope(key.rawValue),
          kind: "Send \(key.rawValue)", payload: Data()))
    }
    // No attempt to send the first change has reached the server.
    try await persistence.write {
      try $0.execute("UPDATE sync_outbox SET attempts = 9, failures = 'unreachable 9'")
    }
    let states = CurrentValue(ConnectionState())
    let clock = TestSupport.ManualClock()
    let advancing = clock.advancingOverAllWaits()
    let following = Task {
      await DeviceConnection.follow(AsyncStream(unfolding: { nil }), outbox, clock, into: states)
    }
    for await state in states.stream() where state.pending == 2 {
      #expect(state.stuck == nil)
      break
    }
    try await persistence.write {
      try $0.execute(
        """
        UPDATE sync_outbox SET failures = 'serverFault 5,unreachable 4' WHERE scope = 'stuck'
        """)
    }
    for await state in states.stream() {
      guard let stuck = state.stuck else { continue }
      #expect(stuck == StuckChange(id: "stuck", kind: "Send stuck"))
      let connection = DeviceConnection(outbox: outbox, published: states, retryNow: {})
      try await connection.setAside(stuck.id)
      break
    }
    #expect(try await outbox.entries().map(\.key) == ["offline"])
    #expect(try await outbox.deadLetters().map(\.key) == ["stuck"])
    #expect(states.value.refused.map(\.id) == ["stuck"])
    for await state in states.stream() where state.stuck == nil { break }
    following.cancel()
    await following.value
    advancing.cancel()
  }

  @Test func `it is no failure if another page has discarded or retried the change`() async throws {
    let outbox = Outbox(
      persistence: try InMemoryPersistenceService(migrations: Outbox.migrations),
      session: SessionService(account: .local))
    let states = CurrentValue(ConnectionState())
    let page = DeviceConnection(outbox: outbox, published: states, retryNow: {})
    for key in ["first", "second"] as [IdempotencyKey] {
      try await outbox.enqueue(
        OutboxDraft(key: key, collection: "text", scope: "notes", kind: "Note", payload: Data()))
      try await page.setAside(key.rawValue)
    }
    #expect(states.value.refused.map(\.id) == ["first", "second"])
    // Another page does it first. The state of this page is older.
    let other = CurrentValue(ConnectionState())
    let otherPage = DeviceConnection(outbox: outbox, published: other, retryNow: {})
    try await otherPage.discard("first")
    try await otherPage.resend("second")
    try await page.discard("first")
    #expect(states.value.refused.isEmpty)
    try await page.resend("second")
    try await page.setAside("first")
    #expect(try await outbox.entries().map(\.key) == ["second"])
  }

  @Test func `the action of a page names the change that is set aside`() throws {
    let json = Data(#"{"setAside":{"id":"k"}}"#.utf8)
    let action = try JSONDecoder().decode(PageAction.self, from: json)
    #expect(action == .setAside(id: "k"))
    #expect(action.action == .home(.connection(.setAside("k"))))
  }
}
