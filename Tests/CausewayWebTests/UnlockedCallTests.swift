import Causeway
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

/// The server calls the app's closures and decoders while it holds none of its locks.
///
/// The closures use the server that has called them. Under a lock, the process would hang.
@Suite(.timeLimit(.minutes(10)))
struct UnlockedCallTests {
  /// An interactor whose action uses the server while it is decoded.
  private struct Probe: Interactor {
    struct State: Sendable, Encodable, Equatable { var count = 0 }

    struct Action: Sendable, Decodable {
      init(from decoder: any Decoder) throws { Caller.current.call("decoder") }
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, _ in
        state.count += 1
        return .state
      }
    }
  }

  /// Uses a server from the closures that the server calls.
  private final class Caller: Sendable {
    static let current = Caller()

    private let server = Mutex<WebServer?>(nil)
    private let callers = Mutex<Set<String>>([])
    private let isBusy = Atomic(false)

    var all: Set<String> { callers.withLock { $0 } }

    func use(_ server: WebServer?) { self.server.withLock { $0 = server } }

    /// Uses everything that has a lock, unless this function is already running.
    func call(_ name: String) {
      guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return }
      defer { isBusy.store(false, ordering: .releasing) }
      guard let server = server.withLock({ $0 }) else { return }
      server.tend()
      server.endSessions(ofBrowser: "nobody")
      _ = (server.counters, server.sessionCount, server.connectionCount)
      callers.withLock { _ = $0.insert(name) }
    }
  }

  @Test func `clocks, checks, reports and decoders of the app may use their server`() async throws {
    let caller = Caller.current
    var configuration = WebServerConfiguration.patient
    configuration.now = {
      caller.call("clock")
      return .now
    }
    configuration.reportError = { _ in caller.call("report") }
    configuration.logAccess = { _ in caller.call("access log") }
    let server = WebServer(configuration: configuration)
    defer { caller.use(nil) }
    server.page("/", try PageTemplate(Board.page)) { _ in ViewModel(Probe()) }
    server.get("/broken") { _ in throw CocoaError(.fileNoSuchFile) }
    server.post("/checked", access: .check { _ throws(Problem) in caller.call("check") }) { _ in
      .empty()
    }
    caller.use(server)
    try await watched("a server whose closures use it") {
      let client = Client(try await server.start())
      let tab = try await Tab(client)
      let stream = try tab.stream(after: tab)
      _ = try await tab.act(1, "{}")
      #expect(try await client.send("POST", "/checked").status == 204)
      #expect(try await client.get("/broken").status == 500)
      _ = stream
      await server.stop()
    }
    #expect(caller.all == ["clock", "decoder", "check", "report", "access log"])
  }
}
