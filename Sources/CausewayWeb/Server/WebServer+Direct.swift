package import Foundation
import Synchronization

/// Requests without a connection, for tests of pages.
extension WebServer {
  /// Answers a request as the server would, and returns the response's bytes.
  ///
  /// The server does not need to run. For an event stream, the bytes are empty.
  package func respond(
    to method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], body: Data = Data()
  ) async -> (status: HTTPStatus, headers: HTTPHeaders, bytes: [UInt8]) {
    let answer = await answer(to: method, path, headers, body: body)
    return (answer.status, answer.headers, answer.bytes)
  }

  /// Answers a request as the server would, with the events of ``Response/events(_:headers:)``.
  ///
  /// For the stream of a page, `events` is `nil`.
  package func answer(
    to method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], body: Data = Data()
  ) async -> (
    status: HTTPStatus, headers: HTTPHeaders, bytes: [UInt8],
    events: AsyncThrowingStream<ServerSentEvent, any Error>?
  ) {
    var fields = headers
    fields["Host"] = fields["Host"] ?? "localhost"
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    let items: [(name: String, value: String)] = query.map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { PercentEncoding.decode($0) ?? "" }
      return (pair[0], pair.count > 1 ? pair[1] : "")
    }
    var request = Request(
      method: method, path: String(parts[0]), headers: fields, remoteAddress: "127.0.0.1",
      queryItems: items)
    request.body = body
    let response = await site.respond(to: request)
    switch response.body {
    case .bytes(let bytes): return (response.status, response.headers, bytes, nil)
    case .stream(let source):
      return (response.status, response.headers, [], (source as? any EventSource)?.stream())
    case .empty, .file: return (response.status, response.headers, [], nil)
    }
  }

  /// The effects of an action whose answer was 202, in the order in which they started.
  @MainActor package func runningEffects(
    ofSession token: String, action number: UInt64
  ) -> [String] {
    site.sessions.session(token)?.runningEffects(of: AdmittedAction.key(number))
      .map(\.description) ?? []
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
  private static func whole(_ own: JSONValue, _ shared: Broadcast?) -> Data {
    Data((shared?.completing(own) ?? own).serialized())
  }
}

extension Site {
  fileprivate func respond(to request: Request) async -> Response {
    var request = request
    do throws(Problem) {
      let (endpoint, limit) = try endpoint(for: &request)
      guard request.body.count <= limit || limit == 0 && request.body.isEmpty else {
        throw Problem(.contentTooLarge, code: "body-too-large", detail: "The body is too large.")
      }
      switch work(endpoint, request) {
      case .respond(let response): return response
      case .main(let run): return await run()
      case .concurrent(let run): return await run()
      }
    } catch {
      return error.response(to: request)
    }
  }
}
