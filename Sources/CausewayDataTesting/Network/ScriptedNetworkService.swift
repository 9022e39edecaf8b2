public import CausewayData
import Foundation
import Synchronization

/// A network service without a network: answers as a test says, and remembers what it was asked.
///
/// ```swift
/// let network = ScriptedNetworkService()
/// network.on(.get, "/activities", .json(activities))
/// network.on(.post, "/activities", .failure(.init(.timedOut, message: "slow")), .status(201))
/// ```
///
/// Answers of one route are given in order, and the last one again and again. A request without a
/// route fails with an error of kind `invalidRequest` that names it. Nothing is sent again here:
/// repeating is the service's own affair.
public final class ScriptedNetworkService: NetworkService {
  private struct State {
    var routes: [String: [NetworkAnswer]] = [:]
    var requests: [NetworkRequest] = []
  }

  private let state = Mutex(State())
  /// How bodies of typed endpoints are encoded and decoded.
  public let coding: JSONCoding

  /// Makes a service without routes.
  public init(coding: JSONCoding = .standard) {
    self.coding = coding
  }

  /// What was asked, in order.
  public var requests: [NetworkRequest] { state.withLock(\.requests) }

  /// Says how to answer; replaces what was said before about the same method and path.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path; the query is not compared.
  ///   - answers: The answers in order; the last one is repeated.
  public func on(
    _ method: NetworkRequest.Method, _ path: NetworkPath, _ answers: NetworkAnswer...
  ) {
    state.withLock { $0.routes[Self.key(method, path)] = answers }
  }

  /// The answer that the script has for a request.
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
      throw error(
        .status, "the server answered \(response.status)", request, status: response.status,
        body: request.isAnswerSecret ? [] : response.body)
    }
    if let problem = request.problem(of: response) { throw problem }
    guard response.body.count <= limit else {
      throw error(.tooLarge, "the body is larger than \(limit) bytes", request)
    }
    progress?(.received(response.body.count, of: response.body.count))
    return response
  }

  /// Stores the body of the answer that the script has for a request.
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

  /// The events that the script has for a request.
  public func events(for request: NetworkRequest) -> NetworkEventStream {
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
      throw error(.invalidRequest, "the script has no answer for it", request)
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

  private static func key(_ method: NetworkRequest.Method, _ path: NetworkPath) -> String {
    "\(method.rawValue) \(path)"
  }
}
