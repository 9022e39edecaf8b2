package import Foundation
import Synchronization

/// The states of pages without a connection, for tests.
extension WebServer {
  /// The effects of an action whose answer was 202, in the order in which they started.
  @MainActor package func runningEffects(
    ofSession token: String, action number: UInt64
  ) -> [String] {
    site.sessions.session(token)?.runningEffects(of: ActionNumber(number))
      .map(\.description) ?? []
  }

  /// A sequence without elements that ends when a session has ended.
  package func end(ofSession token: String) -> AsyncStream<Never> {
    site.sessions.session(token)?.untilEnd ?? AsyncStream { $0.finish() }
  }

  /// The JSON of a session's view state with its shared state, now and after each change.
  ///
  /// The sequence ends at once if there is no such session.
  package func viewStates(ofSession token: String) -> AsyncStream<Data> {
    guard let session = site.sessions.session(token) else { return AsyncStream { nil } }
    let (news, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let own = Latest()
    let shared = session.model.shared?.broadcast
    let changes = shared?.changes
    let task = Task {
      do {
        try await session.model.observe { state in
          own.value = state
          continuation.yield()
        }
      } catch {}
      continuation.finish()
    }
    let sharing = changes.map { changes in
      Task {
        for await _ in changes { continuation.yield() }
      }
    }
    continuation.onTermination = { _ in
      task.cancel()
      sharing?.cancel()
    }
    // The consumer takes the newest states, so they need no lock to stay in order.
    return AsyncStream {
      for await _ in news {
        if let state = own.value { return Self.whole(state, shared) }
      }
      return nil
    }
  }
}

/// The latest view state of a session.
private final class Latest: Sendable {
  private let state = Mutex<JSONValue?>(nil)

  var value: JSONValue? {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}

extension WebServer {
  private static func whole(_ own: JSONValue, _ shared: StateBroadcast?) -> Data {
    Data((shared?.completing(own) ?? own).serialized())
  }
}
