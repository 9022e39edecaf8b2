import Causeway
import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// A state that many sessions show.
@Suite(.timeLimit(.minutes(10)))
struct SharedStateTests {
  /// A page whose sessions share one board.
  ///
  /// Each session also has its own board.
  @MainActor
  private static func server(
    _ change: (inout WebServerConfiguration) -> Void = { _ in }
  ) throws -> (server: WebServer, board: ViewModel<Board.State, Board.Action>) {
    let board = ViewModel(Board())
    let shared = try SharedState("board", of: board)
    let server = try WebServer.board(gate: Gate(), change)
    server.page("/shared", try PageTemplate(Board.page), sharing: { _ in shared }) { _ in
      ViewModel(Board())
    }
    return (server, board)
  }

  @Test func `two sessions show the shared state, and each shows its own state`() async throws {
    let (server, board) = try await Self.server()
    let client = Client(try await server.start())
    let one = try await Tab(client, path: "/shared")
    let two = try await Tab(client, path: "/shared")
    #expect(one.state == two.state)
    let streams = [try one.stream(after: one), try two.stream(after: two)]
    _ = try await one.act(1, #"{"add":{"_0":1}}"#)
    _ = try await two.act(1, #"{"add":{"_0":2}}"#)
    await board.send(.say(text: "to all"))
    for (own, stream) in zip([1, 2], streams) {
      let state = await stream.state(from: one.state) {
        $0.value(at: "count") == .integer(Int64(own)) && $0.value(at: "board.texts.0") == "to all"
      }
      #expect(state?.value(at: "texts.length") == 0)
      #expect(state?.value(at: "board.count") == 0)
    }
    await server.stop()
  }

  @Test func `a page that receives its own type of actions can share a state`() async throws {
    let shared = try await SharedState("board", of: ViewModel(Board()))
    let server = try WebServer.board()
    server.page(
      "/shared", try PageTemplate(Board.page), receiving: Int.self, as: { Board.Action.add($0) },
      sharing: { _ in shared }
    ) { _ in ViewModel(Board()) }
    let tab = try await Tab(Client(try await server.start()), path: "/shared")
    #expect(tab.state.value(at: "board.count") == 0)
    await server.stop()
  }

  @Test func `a shared change is one event with the number of the shared state`() async throws {
    let (server, board) = try await Self.server()
    let tab = try await Tab(Client(try await server.start()), path: "/shared")
    #expect(tab.version == "1 shared.1")
    var events = try tab.stream(after: tab).events.makeAsyncIterator()
    await board.send(.add(3))
    let event = try #require(await events.next())
    #expect(event.name == "patch")
    #expect(event.id == "shared.2")
    #expect(event.json == ["board": ["count": 3]])
    _ = try await tab.act(1, #"{"add":{"_0":1}}"#)
    #expect(await events.next()?.id == "2")
    await server.stop()
  }

  @Test func `a page without a stream receives the shared changes that it has missed`() async throws
  {
    let (server, board) = try await Self.server()
    let tab = try await Tab(Client(try await server.start()), path: "/shared")
    let watching = try tab.stream(after: tab)
    await board.send(.add(1))
    await board.send(.say(text: "missed"))
    let shown = await watching.state(from: tab.state) { $0.value(at: "board.texts.0") == "missed" }
    let late = try tab.stream(after: tab)
    var names: [String] = []
    var state = tab.state
    for await event in late.events {
      names.append(event.name)
      state = event.applied(to: state)
      if state == shown { break }
    }
    #expect(Set(names) == ["patch"])
    await server.stop()
  }

  @Test(
    arguments: [
      // The page has no shared version, or a version that this server has not reached.
      ("1", "shared", ["board"]), ("1 shared.99", "shared", ["board"]),
      ("1 shared.x", "shared", ["board"]),
      // The version of the page's own state is unknown, so the page receives everything.
      ("99 shared.1", "state", ["board", "count", "padding", "texts"]),
      ("", "state", ["board", "count", "padding", "texts"]),
    ])
  func `a page receives the whole of a part that cannot be patched`(
    position: String, name: String, members: [String]
  ) async throws {
    let (server, _) = try await Self.server()
    let tab = try await Tab(Client(try await server.start()), path: "/shared")
    var events = try tab.stream(lastEventID: position).events.makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(event.name == name)
    #expect(event.applied(to: tab.state) == tab.state)
    guard case .object(let object)? = event.json else { return #expect(event.json == [:]) }
    #expect(object.keys.sorted() == members)
    await server.stop()
  }

  @Test func `an answer can contain a value of the shared state`() async throws {
    let (server, board) = try await Self.server()
    let tab = try await Tab(Client(try await server.start()), path: "/shared")
    let stream = try tab.stream(after: tab)
    await board.send(.add(7))
    _ = await stream.state(from: tab.state) { $0.value(at: "board.count") == 7 }
    for (number, path, value) in [(1, "board.count", 7), (2, "count", 2)] {
      let answer = try await tab.act(
        UInt64(number), #"{"add":{"_0":1}}"#, ["Causeway-Watch": path])
      #expect(answer.json?.value(at: "watched") == .integer(Int64(value)))
    }
    await server.stop()
  }

  @Test func `a page state with a member of the shared name is refused and reported`()
    async throws
  {
    let reported = Log<String>()
    let shared = try await SharedState("count", of: ViewModel(Board()))
    var configuration = WebServerConfiguration.patient
    // The servers of concurrent tests can use up the limit of open files.
    configuration.reportError = { if !($0 is TooFewOpenFiles) { reported.append("\($0)") } }
    let server = WebServer(configuration: configuration)
    server.page("/", try PageTemplate(Board.page), sharing: { _ in shared }) { _ in
      ViewModel(Board())
    }
    let answer = try await Client(try await server.start()).get("/")
    #expect(answer.status == 500)
    #expect(reported.all.first?.contains("without the member \"count\"") == true)
    #expect(server.sessionCount == 0)
    await server.stop()
  }

  @Test func `a state that cannot be encoded is reported, and the next one is sent`() async throws {
    let reported = Log<String>()
    let model = await ViewModel(
      Interact(initialValue: 0.5) { (state: inout Double, action: Double) in
        state = action
        return .state
      })
    let shared = try await SharedState("ratio", of: model) { reported.append("\($0)") }
    await model.send(.infinity)
    await reported.wait(for: 1)
    await model.send(2)
    await until { shared.broadcast.value(at: ["ratio"]) == .number(2) }
    #expect(reported.all.count == 1)
  }

  @Test func `a released shared state releases its model`() async throws {
    weak var released: ViewModel<Board.State, Board.Action>?
    do {
      let board = await ViewModel(Board())
      let shared = try await SharedState("board", of: board)
      released = board
      withExtendedLifetime(shared) {}
    }
    await until { released == nil }
  }
}
