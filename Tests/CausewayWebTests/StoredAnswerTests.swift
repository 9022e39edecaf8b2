import Causeway
import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// An action that stores data is answered only after the data is stored.
@Suite(.timeLimit(.minutes(10)))
struct StoredAnswerTests {
  private static let later = #"{"later":{"text":"stored"}}"#

  /// A board whose `later` action ends when the gate opens.
  private static func server(
    _ gate: Gate, answering: ActionAnswer = .afterEffects, stored: Log<String>? = nil,
    effectTime: Duration = .seconds(3600)
  ) throws -> WebServer {
    let server = try WebServer.board { $0.limits.effectTime = effectTime }
    server.page("/stored", try PageTemplate(Board.page), answering: { _ in answering }) { _ in
      ViewModel(Board(gate: gate, stored: stored))
    }
    return server
  }

  @Test func `an answer is sent after the effects that the action started`() async throws {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try Self.server(gate, stored: stored)
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    let stream = try tab.stream(lastEventID: "1")
    async let answer = tab.act(1, Self.later)
    // The state has changed, so the effect is running.
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 1 } != nil)
    #expect(stored.all == [])
    gate.open()
    #expect(try await answer.status == 200)
    #expect(stored.all == ["stored"])
    await server.stop()
  }

  @Test func `a repeated action waits for the same effects and is applied once`() async throws {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try Self.server(gate, stored: stored)
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    let answers = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
      for _ in 0..<8 { group.addTask { try await tab.act(1, Self.later).json } }
      let stream = try tab.stream(lastEventID: "1")
      _ = await stream.state(from: tab.state) { $0.value(at: "count") == 1 }
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: ["sequence": 1], count: 8))
    #expect(stored.all == ["stored"])
    await server.stop()
  }

  @Test func `stopping waits until an unanswered action has been stored`() async throws {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try Self.server(gate, stored: stored)
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    let stream = try tab.stream(lastEventID: "1")
    async let answer = tab.act(1, Self.later)
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 1 } != nil)
    async let stopped: Void = server.stop(deadline: .seconds(3600))
    // The stream ends when the server has started to stop.
    for await _ in stream.items {}
    #expect(stored.all == [])
    gate.open()
    #expect(try await answer.status == 200)
    await stopped
    #expect(stored.all == ["stored"])
  }

  @Test func `an action whose effects were cancelled is not reported as accepted`() async throws {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try Self.server(gate, stored: stored)
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    let stream = try tab.stream(lastEventID: "1")
    async let answer = try? tab.act(1, Self.later)
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 1 } != nil)
    await server.stop(deadline: .zero)
    // The connection may be closed before the rejection is written.
    #expect([503, 410, nil].contains(await answer?.status))
    #expect(server.sessionCount == 0)
    #expect(stored.all == [])
  }

  @Test func `an applied action whose session ends is not answered like an unknown session`()
    async throws
  {
    let server = try Self.server(Gate(), stored: Log<String>())
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    let stream = try tab.stream(lastEventID: "1")
    async let answer = tab.act(1, Self.later)
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 1 } != nil)
    server.site.sessions.endAll()
    #expect(try await answer.code == "effects-cancelled")
    #expect(try await tab.act(1, Self.later).code == "unknown-session")
    await server.stop()
  }

  @Test func `an effect can end the session of its own page, and its action is answered`()
    async throws
  {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try WebServer.board { $0.limits.effectTime = .seconds(3600) }
    server.page("/own", try PageTemplate(Board.page), answering: { _ in .afterEffects }) {
      session in
      session.account = "ana"
      return ViewModel(Board(gate: gate, stored: stored))
    }
    let tab = try await Tab(Client(try await server.start()), path: "/own")
    let stream = try tab.stream(lastEventID: "1")
    async let answer = tab.act(1, Self.later)
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 1 } != nil)
    #expect(server.endSessions(ofAccount: "ana") == 1)
    #expect(try await tab.act(2, Self.later).code == "unknown-session")
    gate.open()
    #expect(try await answer.status == 200)
    #expect(stored.all == ["stored"])
    await server.stop()
  }

  @Test func `an action with slow effects is answered as accepted`() async throws {
    let (gate, stored) = (Gate(), Log<String>())
    let server = try Self.server(gate, stored: stored, effectTime: .milliseconds(20))
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    #expect(try await tab.act(1, Self.later).status == 202)
    #expect(try await tab.act(2, #"{"add":{"_0":1}}"#).status == 200)
    // A repeated request gets the final answer after the effects have ended.
    #expect(try await tab.act(1, Self.later).status == 202)
    gate.open()
    while try await tab.act(1, Self.later).status == 202 { await Task.yield() }
    #expect(try await tab.act(1, Self.later).status == 200)
    #expect(stored.all == ["stored"])
    await server.stop()
  }

  @Test func `an action that is answered at once does not wait for its effects`() async throws {
    let server = try Self.server(Gate(), answering: .atOnce)
    let tab = try await Tab(Client(try await server.start()), path: "/stored")
    #expect(try await tab.act(1, Self.later).status == 200)
    await server.stop()
  }
}
