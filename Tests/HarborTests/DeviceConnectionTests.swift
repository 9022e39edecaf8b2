import CausewayData
import CausewaySQLite
import CausewayStreams
import HarborDomain
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
    let states = Published(ConnectionState())
    let steps = Mutex([
      SyncStatus(phase: .upToDate),
      SyncStatus(phase: .offline, lastError: .missingScope),
      SyncStatus(phase: .offline, lastError: RemoteFailure(.unreachable)),
    ])
    let phases = Log<SyncStatus.Phase>()
    // Each request for a status shows what has become of the status before.
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
}
