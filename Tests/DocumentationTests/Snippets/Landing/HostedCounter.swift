import Causeway
import CausewayWeb

// snippet
struct Counter: Interactor {
  struct State: Encodable, Equatable, Sendable {
    var count = 0
  }

  enum Action: Decodable, Sendable {
    case increment
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .state
      }
    }
  }
}
// end

struct CounterHost {
  var port: UInt16 = 0

  // snippet
  func makeServer() throws -> WebServer {
    let page = """
      <!doctype html>
      <html lang="en">
        <head><title>Counter</title><!-- causeway --></head>
        <body>
          <output data-text="count"></output>
          <button data-on="click" data-action='{"increment":{}}'>One more</button>
        </body>
      </html>
      """
    let server = WebServer(configuration: .init(port: port))
    server.page("/", try PageTemplate(page)) { _ in ViewModel(Counter()) }
    return server
  }
  // end
}
