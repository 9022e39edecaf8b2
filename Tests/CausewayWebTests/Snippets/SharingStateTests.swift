import Causeway
import CausewayWeb
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SharingStateTests {
  struct Board: Interactor {
    struct Name: Encodable, Equatable, Identifiable, Sendable {
      let id: String
    }

    struct State: Encodable, Sendable {
      var names: [Name] = []
    }

    enum Action: Sendable {
      case join(name: String)
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .join(let name):
          state.names.append(Name(id: name))
          return .state
        }
      }
    }
  }

  // snippet
  struct Visitor: Interactor {
    struct State: Encodable, Sendable {
      var answer = ""
    }

    enum Action: Decodable, Sendable {
      case join(name: String)
    }

    let board: ViewModel<Board.State, Board.Action>

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .join(let name):
          board.send(.join(name: name))
          state.answer = "Welcome, \(name)."
          return .state
        }
      }
    }
  }
  // end

  private let port: UInt16 = 0

  // snippet
  func makeServer() throws -> WebServer {
    let board = ViewModel(Board())
    let shared = try SharedState("board", of: board)
    let page = """
      <!doctype html>
      <html lang="en">
        <head><title>Club</title><!-- causeway --></head>
        <body>
          <ul data-each="board.names" data-key="id"><template><li data-text="item.id"></li></template></ul>
          <form data-on="submit" data-action='{"join":{"name":"$form.name"}}'>
            <input name="name"> <output data-text="answer"></output>
          </form>
        </body>
      </html>
      """
    let server = WebServer(configuration: .init(port: port))
    server.page("/", try PageTemplate(page), sharing: { _ in shared }) { _ in
      ViewModel(Visitor(board: board))
    }
    return server
  }
  // end

  @Test func `all visitors see who joins, and only the person sees the answer`() async throws {
    let server = try makeServer()
    let client = Client(try await server.start())
    let (one, two) = (try await Tab(client), try await Tab(client))
    let streams = [try one.stream(after: one), try two.stream(after: two)]
    #expect(try await one.act(1, #"{"join":{"name":"Ana"}}"#).status == 200)
    let other = await streams[1].state(from: two.state) {
      $0.value(at: "board.names.0.id") == "Ana"
    }
    #expect(other?.value(at: "answer") == "")
    let own = await streams[0].state(from: one.state) {
      $0.value(at: "answer") == "Welcome, Ana." && $0.value(at: "board.names.length") == 1
    }
    #expect(own != nil)
    await server.stop()
  }
}
