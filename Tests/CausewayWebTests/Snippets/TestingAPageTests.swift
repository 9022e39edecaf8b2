import Causeway
import CausewayWeb
import CausewayWebTesting
import Testing

// snippet
struct CounterPageTests {
  struct Counter: Interactor {
    struct State: Encodable, Equatable, Sendable { var count = 0 }
    enum Action: Codable, Sendable { case increment }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, _ in
        state.count += 1
        return .state
      }
    }
  }

  @Test func `the button counts`() async throws {
    let server = WebServer()
    let html = """
      <html><head><!-- causeway --></head>
      <body><p data-text="count"></p>
      <button data-on="click" data-action='{"increment":{}}'>More</button></body></html>
      """
    server.page("/", try PageTemplate(html)) { _ in ViewModel(Counter()) }
    let page = try await PageTestClient(server)
    #expect(try await page.problems == [])
    try await page.send(Counter.Action.increment)
    #expect(try await page.value("count", as: Int.self) { $0 > 0 } == 1)
  }
}
// end
