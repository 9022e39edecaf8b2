import CMicroHTTPD
import Foundation
import Synchronization

/// One request and its response.
///
/// The polling thread calls ``receive(_:)`` and ``advance()``. The work may finish on any thread.
/// The connection is suspended while the work runs.
final class Exchange: Sendable {
  private enum Phase {
    case receiving
    case working
    case ready(Response)
    case answered
  }

  private struct State {
    /// Nil after the exchange has ended, because the connection may be closed then.
    var connection: LibraryHandle?
    var request: Request
    var phase = Phase.receiving
    var refusal: Response?
    var endpoint: Endpoint?
    var bodyLimit = 0
    var dropped = 0
    var task: Task<Void, Never>?
    var stream: ConnectionStream?
    var isStopping = false
    /// The status of the response, set when the library has received it.
    var status: HTTPStatus?
    /// The bytes that the library sends; nil for a stream, and before the answer.
    var sending: Int?
    var received = 0
    /// The bytes of the body that count as the server's buffered bytes.
    var held = 0
    /// The clients for which these bytes are counted.
    var owners: [String] = []
  }

  /// The number of bytes of a refused body that the server reads and discards.
  ///
  /// A client usually sends its whole body before it reads the refusal. After more bytes, the
  /// server closes the connection, and the client may see a broken connection and no refusal. So
  /// the number is larger than the bodies that people send by mistake, such as a large picture.
  /// The bytes need no memory, and ``WebServerLimits`` bound the time of a body.
  static let dropLimit = 16 << 20

  private let site: Site
  private let state: Mutex<State>
  private let started = ContinuousClock.now

  init(_ incoming: IncomingRequest, site: Site) {
    self.site = site
    state = Mutex(State(connection: incoming.connection, request: incoming.request))
  }

  /// Finds the endpoint of the request, or refuses the request.
  ///
  /// Returns false when the server must answer before the body arrives. It holds no lock while it
  /// calls the app's clock and access checks.
  func begin(refusal: Problem?) -> Bool {
    var request = state.withLock(\.request)
    do throws(Problem) {
      if let refusal { throw refusal }
      let (endpoint, limit) = try site.endpoint(for: &request)
      try Self.checkLength(request, limit: limit)
      let owners = site.owners(of: request)
      state.withLock { state in
        state.request = request
        state.endpoint = endpoint
        state.bodyLimit = limit
        state.owners = owners
      }
      return true
    } catch {
      let response = error.response(to: request)
      state.withLock { state in
        state.request = request
        state.refusal = response
      }
      // The connection is closed after the answer, so the server need not read the body.
      if response.headers["Connection"] == "close" { return false }
      let length = request.headers["Content-Length"].map { Int($0) ?? .max } ?? 0
      return request.headers["Expect"] == nil && length <= Self.dropLimit
    }
  }

  /// Appends a piece of the body; returns false if the library must close the connection.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      state.received += bytes.count
      if state.refusal == nil, state.request.body.count + bytes.count > state.bodyLimit {
        refuse(Site.tooLarge(limit: state.bodyLimit), &state)
      }
      if state.refusal == nil {
        do throws(Problem) {
          try site.bodies.withLock { bodies throws(Problem) in
            try bodies.reserve(bytes.count, beside: state.held, for: state.owners)
          }
          state.held += bytes.count
        } catch {
          refuse(error, &state)
        }
      }
      guard state.refusal == nil else {
        state.dropped += bytes.count
        return state.dropped <= Self.dropLimit
      }
      state.request.body.append(contentsOf: bytes)
      return true
    }
  }

  /// Answers the request with a problem, and drops the body.
  private func refuse(_ problem: Problem, _ state: inout State) {
    state.refusal = problem.response
    state.request.body = Data()
    release(&state)
  }

  private func release(_ state: inout State) {
    site.bodies.withLock { $0.release(state.held, for: state.owners) }
    state.held = 0
  }

  /// Starts the work of a complete request, or sends the response of finished work.
  ///
  /// It holds no lock while it decodes the page's action and calls the app's clock.
  func advance() -> MHD_Result {
    switch state.withLock({ Self.takeStep(&$0) }) {
    case .nothing(let result): return result
    case .answer(let response, let connection): return answer(response, on: connection)
    case .work(let endpoint, let request, let connection):
      switch site.work(endpoint, request) {
      case .respond(let response):
        let response = site.compressedAsset(response, for: request)
        if endpoint.answersAtOnce { return answer(response, on: connection) }
        finish(response)
      case .main(let run):
        keep(Task { @MainActor in finish(await run()) })
      case .concurrent(let run):
        keep(Task { finish(site.compression.compressed(await run(), for: request)) })
      }
      return .YES
    }
  }

  /// The next step of an exchange, which is made after the lock is released.
  private enum Step {
    case nothing(MHD_Result)
    case answer(Response, LibraryHandle)
    /// Unless the endpoint answers at once, the connection is suspended already.
    case work(Endpoint, Request, LibraryHandle)
  }

  private static func takeStep(_ state: inout State) -> Step {
    guard let connection = state.connection else { return .nothing(.NO) }
    switch state.phase {
    case .working, .answered: return .nothing(.YES)
    case .ready(let response):
      state.phase = .answered
      return .answer(response, connection)
    case .receiving:
      if let refusal = state.refusal {
        state.phase = .answered
        return .answer(refusal, connection)
      }
      guard let endpoint = state.endpoint else { return .nothing(.NO) }
      if endpoint.answersAtOnce {
        state.phase = .answered
      } else {
        // From now on, `abandon()` finishes the exchange instead of refusing it.
        state.phase = .working
        MHD_suspend_connection(connection.pointer)
      }
      return .work(endpoint, state.request, connection)
    }
  }

  /// Stores the task of the work, and cancels it if the work was abandoned before.
  private func keep(_ task: Task<Void, Never>) {
    let isWorking = state.withLock { state in
      state.task = task
      if case .working = state.phase { return true }
      return false
    }
    if !isWorking { task.cancel() }
  }

  /// Abandons work that is still running when the server stops.
  func abandon() {
    let task = state.withLock { state in
      // A request that is still arriving must no longer start work.
      if state.refusal == nil { state.refusal = Site.stopping.response }
      return state.task
    }
    task?.cancel()
    finish(Site.stopping.response)
  }

  /// Ends a stream; other responses continue.
  func endStream() {
    let stream = state.withLock { state in
      state.isStopping = true
      return state.stream
    }
    stream?.end()
  }

  /// Sends a heartbeat on a stream that was silent since the given instant.
  func beat(ifQuietSince limit: ContinuousClock.Instant) {
    state.withLock { $0.stream }?.beat(ifQuietSince: limit)
  }

  /// The bytes of the response that the library sends; nil for a stream, and before the answer.
  var sending: Int? { state.withLock(\.sending) }

  /// Ends the exchange.
  ///
  /// After this call, the connection must not be used.
  func end() {
    // The stream is released outside of the lock, because the app's sequence can be released with it.
    let (task, record, _) = state.withLock { state in
      state.connection = nil
      release(&state)
      let record = state.status.take().map { status in
        AccessRecord(
          method: state.request.method, path: state.request.path, route: state.request.route,
          status: status,
          remoteAddress: state.request.remoteAddress, bodyBytes: state.received,
          duration: ContinuousClock.now - started)
      }
      return (state.task.take(), record, state.stream.take())
    }
    task?.cancel()
    if let record { site.record(record) }
  }

  /// Stores the response and resumes the connection.
  ///
  /// Only the first call has an effect.
  private func finish(_ response: Response) {
    let isTaken = state.withLock { state in
      guard case .working = state.phase, let connection = state.connection else { return false }
      state.phase = .ready(response)
      MHD_resume_connection(connection.pointer)
      return true
    }
    if !isTaken, case .stream(let source) = response.body { source.closed() }
  }

  private func answer(_ response: Response, on connection: LibraryHandle) -> MHD_Result {
    let isHead = state.withLock { $0.request.method == .head }
    let (result, stream) = OutgoingResponse.queue(
      site.completed(response), on: connection, isHead: isHead)
    let isStopping = state.withLock { state in
      state.status = response.status
      state.sending = isHead ? 0 : response.contentLength
      state.stream = stream
      // Only the needed parts of the request are kept, because a stream can stay open for hours.
      if stream != nil { state.request = state.request.summary }
      return state.isStopping
    }
    if isStopping { stream?.end() }
    return result
  }

  private static func checkLength(_ request: Request, limit: Int) throws(Problem) {
    guard let declared = request.headers["Content-Length"] else { return }
    // The library has refused text that is not a number, so a value that does not parse is too
    // large.
    guard let length = Int(declared), length <= limit else { throw Site.tooLarge(limit: limit) }
  }
}

extension Request {
  /// The parts that an access record contains.
  fileprivate var summary: Request {
    var summary = Request(
      method: method, path: path, headers: [:], remoteAddress: remoteAddress, queryItems: [])
    summary.route = route
    return summary
  }
}
