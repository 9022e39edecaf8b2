import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySync

/// An engine or an outbox that has not been started.
@Suite(.timeLimit(.minutes(10)))
struct UnstartedEngineTests {
  @Test func `an engine that was not started buffers no signals`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    desk.outbox.start()
    for number in 0..<100 {
      try await engine.perform(.write(Note(id: "\(number)")))
      await desk.server.spoilReads(.fail(RemoteFailure(.unreachable)))
      await #expect(throws: RemoteFailure(.unreachable)) { try await engine.refresh() }
      try await engine.refresh()
      _ = try await engine.rows(.staleWhileRevalidate)
      engine.retryNow()
    }
    try await desk.waitUntilSent()
    engine.loop.queue.finish()
    var signals: [ActorLoop<SyncEngine<NoteServer>>.Input] = []
    for await signal in engine.loop.queue.signals { signals.append(signal) }
    // One signal each from the session and the outbox, one refresh request, one retry request, and
    // one report that the server can be reached again.
    #expect(signals.count == 5, "\(signals)")
  }

  @Test func `an outbox that was not started buffers no signals`() async throws {
    let desk = try await Desk()
    for _ in 0..<100 {
      let engine = desk.engine()
      try await engine.perform(.write(Note(id: "n")))
      engine.retryNow()
    }
    desk.outbox.loop.queue.finish()
    var signals: [ActorLoop<Outbox>.Input] = []
    for await signal in desk.outbox.loop.queue.signals { signals.append(signal) }
    // One signal each for the session, the collection, the stored rows and the retry request.
    #expect(signals.count == 4, "\(signals)")
  }

  @Test func `signals sent to an engine before its start are applied afterwards`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilMutations(.none, .fail(RemoteFailure(.unreachable, "no route")))
    for number in 1...3 { try await engine.perform(.write(Note(id: "\(number)"))) }
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    engine.start()
    let status = await engine.status { $0.phase == .upToDate && $0.lastError != nil }
    #expect(status.pendingCount == 2)
    #expect(status.lastError == RemoteFailure(.unreachable, "no route"))
  }

  @Test
  func `a refresh that reaches the server again makes the outbox retry without a running loop`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    await desk.server.spoilReads(.fail(RemoteFailure(.unreachable)))
    try await engine.perform(.write(Note(id: "n")))
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT attempts FROM sync_outbox")
    await #expect(throws: RemoteFailure(.unreachable)) { try await engine.refresh() }
    try await engine.refresh()
    try await desk.waitUntilSent()
    #expect(await desk.server.notes().map(\.id) == ["n"])
  }
}
