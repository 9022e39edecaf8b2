import CausewayData
import CausewayHTTP
import Foundation

/// The state of the connection that a page shows, read from the page's event stream.
///
/// It remembers when each state arrived, so a test can ask for a time that has passed.
struct ShownConnection {
  struct State: Sendable {
    var text = ""
    var isOffline = false
    var time = ContinuousClock.now
  }

  private struct Page: Decodable {
    struct Connection: Decodable {
      var text: String?
      var isOffline: Bool?
    }
    /// A change of the page contains only the changed parts.
    var connection: Connection?
  }

  private var states: AsyncThrowingStream<State, any Error>.Iterator

  /// Follows a page that was opened by a client without a browser.
  init(_ page: PageClient) throws {
    guard let address = URL(string: page.address) else { throw URLError(.badURL) }
    let network = HTTPNetworkService(.init(address: address))
    let request = NetworkRequest(
      .get, "/_causeway/stream",
      headers: ["Causeway-Session": page.session, "Cookie": page.cookie])
    let (states, continuation) = AsyncThrowingStream.makeStream(of: State.self)
    let reading = Task {
      do {
        var state = State()
        for try await event in network.events(for: request) {
          let page = try JSONDecoder().decode(Page.self, from: Data(event.data.utf8))
          guard let change = page.connection else { continue }
          state = State(
            text: change.text ?? state.text, isOffline: change.isOffline ?? state.isOffline)
          continuation.yield(state)
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in reading.cancel() }
    self.states = states.makeAsyncIterator()
  }

  /// The next state that meets a condition.
  mutating func next(_ condition: (State) -> Bool) async throws -> State {
    while let state = try await states.next(isolation: #isolation) {
      if condition(state) { return state }
    }
    throw CancellationError()
  }
}
