public import CausewayData

/// The network between two nodes, as a client sees it.
///
/// The faults of the world decide how long each message takes, which messages are lost, and which
/// requests arrive twice. A request to a node that is down fails. The service never retries.
public struct SimulatedNetworkService: NetworkService {
  /// The coding of the JSON bodies of typed endpoints.
  public let coding: JSONCoding
  let client: NodeID
  let server: NodeID

  /// Sends a request to the server, and returns its response.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    if case .bytes(let bytes, _) = request.body {
      progress?(.sent(bytes.count, of: bytes.count))
    }
    switch try await reply(to: request) {
    case .connection(let connection):
      connection.close()
      throw NetworkError(
        .tooLarge, message: "the server answered with an event stream, which does not end",
        method: request.method, url: request.path.encoded)
    case .response(let response, let body):
      var count = 0
      try await body.read { bytes in
        count += bytes.count
        progress?(.received(count, of: response.body.count))
        return true
      }
      return response
    }
  }

  /// Sends a request, and returns the reply.
  ///
  /// - Parameter checks: Whether a status that is no success is an error.
  func reply(
    to request: NetworkRequest, checks: Bool = true
  ) async throws -> SimulatedReply {
    try Task.checkCancellation()
    if let problem = request.problem(below: "") { throw problem }
    let exchange = SimulatedExchange(
      request, client: client, server: server, in: Trial.ofThread)
    let reply = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { exchange.begin($0) }
    } onCancel: {
      exchange.cancel()
    }
    if checks, case .response(let response, _) = reply { try check(response, exchange) }
    return reply
  }

  private func check(_ response: NetworkResponse, _ exchange: SimulatedExchange) throws {
    let request = exchange.request
    guard (200...299).contains(response.status) else {
      var error = exchange.error(
        .status, "the server answered \(response.status)", status: response.status)
      error.refusesToken = response.refusesToken
      if !request.isAnswerSecret { error.bodyExcerpt = NetworkError.excerpt(of: response.body) }
      throw error
    }
    if let problem = request.problem(of: response) { throw problem }
    if let limit = request.bodyLimit, response.body.count > limit {
      throw exchange.error(.tooLarge, "the body is larger than \(limit) bytes")
    }
  }

  /// Always fails, because the disks of simulated nodes have no paths.
  ///
  /// - Throws: `NetworkError` of kind `file`.
  public func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    throw NetworkError(
      .file, message: "a simulated node has no file \(path)", method: request.method,
      url: request.path.encoded)
  }
}
