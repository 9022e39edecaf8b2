public import CausewayNetwork
import Foundation
import Synchronization

/// A network service without a network, which returns scripted responses and records the requests.
///
/// ```swift
/// let network = ScriptedNetworkService()
/// network.on(.get, "/activities", .json(activities))
/// network.on(.post, "/activities", .failure(.init(.timedOut, message: "slow")), .status(201))
/// ```
///
/// The service returns the answers of a route in order, and repeats the last answer. If a request
/// has no route, it fails with an error of kind `invalidRequest` that names the request. The
/// service never retries.
public final class ScriptedNetworkService: NetworkService {
  private struct State {
    var routes: [String: [NetworkAnswer]] = [:]
    var requests: [NetworkRequest] = []
  }

  private let state = Mutex(State())
  /// The coding of the JSON bodies of typed endpoints.
  public let coding: JSONCoding

  /// Makes a service without routes.
  public init(coding: JSONCoding = .standard) {
    self.coding = coding
  }

  /// The recorded requests, in order.
  public var requests: [NetworkRequest] { state.withLock(\.requests) }

  /// Sets the answers of a route, and replaces earlier answers for the same method and path.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path. The query is not compared.
  ///   - answers: The answers in order. The last answer is repeated.
  public func on(
    _ method: HTTPMethod, _ path: NetworkPath, _ answers: NetworkAnswer...
  ) {
    _ = state.withLock { $0.routes.updateValue(answers, forKey: Self.key(method, path)) }
  }

  /// Returns the scripted response for a request.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try Task.checkCancellation()
    let response = try await answer(to: request).respond(request, coding)
    try Task.checkCancellation()
    let limit = request.bodyLimit ?? .max
    if case .bytes(let bytes, _) = request.body {
      progress?(.sent(bytes.count, of: bytes.count))
    }
    guard (200...299).contains(response.status) else {
      var failure = error(
        .status, "the server answered \(response.status)", request, status: response.status,
        body: request.isAnswerSecret ? [] : response.body)
      failure.refusesToken = response.refusesToken
      if response.status == 304 { failure.confirmation = response.headers }
      throw failure
    }
    if let problem = request.problem(of: response) { throw problem }
    guard response.body.count <= limit else {
      throw error(.tooLarge, "the body is larger than \(limit) bytes", request)
    }
    progress?(.received(response.body.count, of: response.body.count))
    return response
  }

  /// Stores the body of the scripted response for a request.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    var response = try await response(for: request, progress: progress)
    do {
      try Data(response.body).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw self.error(.file, "the file \(path) could not be written: \(error)", request)
    }
    response.body = []
    return response
  }

  /// Returns the scripted events for a request.
  ///
  /// There is no connection that could be lost, so the other parameters have no effect.
  public func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    let feed = EventFeed { [self] in try answer(to: request).stream(request) }
    return NetworkEventStream { try await feed.next() }
  }

  private func answer(to request: NetworkRequest) throws -> NetworkAnswer {
    if let problem = request.problem(below: "") { throw problem }
    let key = Self.key(request.method, request.path)
    let answer = state.withLock { state -> NetworkAnswer? in
      state.requests.append(request)
      guard let answers = state.routes[key], let first = answers.first else { return nil }
      if answers.count > 1 { state.routes[key]?.removeFirst() }
      return first
    }
    guard let answer else {
      throw error(.invalidRequest, "the script has no answer for this request", request)
    }
    return answer
  }

  private func error(
    _ kind: NetworkError.Kind, _ message: String, _ request: NetworkRequest, status: Int? = nil,
    body: [UInt8] = []
  ) -> NetworkError {
    NetworkError(
      kind, message: message, method: request.method,
      url: NetworkError.redacted(request.address(below: "")), status: status,
      bodyExcerpt: body.isEmpty ? nil : NetworkError.excerpt(of: body), attempts: 1)
  }

  private static func key(_ method: HTTPMethod, _ path: NetworkPath) -> String {
    "\(method.rawValue) \(path)"
  }
}
