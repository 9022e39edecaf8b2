import CausewayExploration
import CausewayNetwork
import Synchronization

/// One request and its answer.
final class SimulatedExchange: OpenMessage, Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<SimulatedReply, any Error>)
    case ended
  }

  let request: NetworkRequest
  let client: NodeID
  let server: NodeID
  /// The number of the exchange in its trial.
  let number: Int
  /// The method and the path, for the report of a difference.
  private let name: String
  /// The life of the client, which receives the answer.
  private let life: Scheduler.Life
  private let state = Mutex(State.new)
  /// The time that a client waits for an answer, unless the request has its own limit.
  private static let timeout = Duration.seconds(30)

  init(_ request: NetworkRequest, client: NodeID, server: NodeID, in trial: Trial) {
    self.request = request
    self.client = client
    self.server = server
    name = "\(request.method)".uppercased() + " \(request.path)"
    life = trial.scheduler.life(of: client.index)
    number = trial.network.nextNumber()
  }

  /// Sends the request, and resumes a continuation with the answer.
  func begin(_ continuation: CheckedContinuation<SimulatedReply, any Error>) {
    let isCancelled = state.withLock { state in
      if case .ended = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    Trial.use { begin(in: $0) }
  }

  private func begin(in trial: Trial) {
    guard trial.scheduler.isCurrentAlive else { return }
    trial.scheduler.note(
      "\(request.path) \(request.idempotencyKey?.rawValue ?? "")", of: "the request \(name)")
    if case .bytes(let bytes, _) = request.body {
      bytes.withUnsafeBytes { trial.scheduler.note($0, of: "the body of \(name)") }
    }
    trial.scheduler.post(life, after: request.timeout ?? Self.timeout) { [self] in
      end(.failure(error(.timedOut, "there was no answer")))
    }
    send(in: trial)
    if trial.network.isDuplicated(from: client, to: server) { send(in: trial) }
  }

  private func send(in trial: Trial) {
    guard let delay = trial.network.delay(from: client, to: server) else {
      return trial.log("\(text) is lost", client)
    }
    trial.log("sends \(text)\(requestText)", client)
    trial.scheduler.post(.world, after: delay) { [self] in arrive(in: Trial.ofThread) }
  }

  private func arrive(in trial: Trial) {
    let node = trial.nodes[server.index]
    guard let handler = node.handler else {
      answer(.failure(error(.cannotConnect, "the server is down")), in: trial)
      return
    }
    trial.network.opened(self)
    trial.log("receives \(text)", server)
    let life = node.life
    trial.scheduler.perform(as: life) {
      _ = Task { @concurrent [self] in
        let reply: SimulatedAnswer
        do {
          reply = try await handler(request)
        } catch {
          reply = .response(NetworkResponse(status: 500, body: Array("\(error)".utf8)))
        }
        Trial.use { send(reply, as: life, in: $0) }
      }
    }
  }

  /// Sends the answer that the handler of the server has returned.
  private func send(_ reply: SimulatedAnswer, as life: Scheduler.Life, in trial: Trial) {
    // If the server has crashed inside this step, `serverHasCrashed()` answers the client.
    guard trial.scheduler.isCurrentAlive else { return }
    trial.network.closed(self)
    switch reply {
    case .response(let response):
      response.body.withUnsafeBytes {
        trial.scheduler.note($0, of: "the answer to \(name)")
      }
      let body = SimulatedBody(response.body, of: self, sentBy: life)
      answer(.success(.response(response, body)), in: trial)
    case .events(let events): open(events, in: trial)
    }
  }

  /// Sends the head of an event stream to the client, and then its events.
  private func open(
    _ events: any AsyncSequence<NetworkEvent, any Error> & Sendable, in trial: Trial
  ) {
    let connection = SimulatedConnection(
      client: client, server: server, number: number, life: life)
    trial.network.opened(connection)
    connection.send(events)
    if !answer(.success(.connection(connection)), in: trial) { connection.breakDown(in: trial) }
  }

  var isAnswered: Bool { false }

  func serverHasCrashed() {
    answer(.failure(error(.connectionLost, "the server crashed")), in: Trial.ofThread)
  }

  /// Sends the answer back to the client; returns false if the network loses it.
  @discardableResult
  private func answer(_ result: Result<SimulatedReply, any Error>, in trial: Trial) -> Bool {
    guard let delay = trial.network.delay(from: server, to: client) else {
      trial.log("the answer to \(text) is lost", server)
      return false
    }
    trial.scheduler.post(life, after: delay) { [self] in
      if end(result) {
        Trial.ofThread.log("has the answer to \(text)\(Self.text(of: result))", client)
      } else if case .success(.connection(let connection)) = result {
        // The client no longer waits for the stream.
        connection.close()
      }
    }
    return true
  }

  /// Resumes the client; returns whether it was waiting.
  @discardableResult
  private func end(_ result: Result<SimulatedReply, any Error>) -> Bool {
    let waiting = state.withLock { state -> CheckedContinuation<SimulatedReply, any Error>? in
      defer { state = .ended }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(with: result)
    return waiting != nil
  }

  func cancel() {
    end(.failure(CancellationError()))
  }

  func error(_ kind: NetworkError.Kind, _ message: String, status: Int? = nil) -> NetworkError {
    NetworkError(
      kind, message: message, method: request.method, url: request.path.encoded, status: status,
      attempts: 1)
  }

  private var text: String { "\(request.method.rawValue) \(request.path) (\(number))" }

  private var requestText: String {
    if case .bytes(let bytes, _) = request.body { ": \(Timeline.text(of: bytes))" } else { "" }
  }

  private static func text(of result: Result<SimulatedReply, any Error>) -> String {
    switch result {
    case .success(.response(let response, _)):
      ": \(response.status) \(Timeline.text(of: response.body))"
    case .success(.connection): ": an event stream"
    case .failure(let error): ": \(error)"
    }
  }
}
