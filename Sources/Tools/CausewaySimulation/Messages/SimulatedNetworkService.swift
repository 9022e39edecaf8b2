import CausewayBasics
import CausewayNetwork

/// The network between two nodes, as a client sees it.
///
/// The faults of the world decide how long each message takes, which messages are lost, and which
/// requests arrive twice. A request to a node that is down fails. The service never retries.
struct SimulatedNetworkService: NetworkService {
  /// The coding of the JSON bodies of typed endpoints.
  let coding: JSONCoding
  let client: NodeID
  let server: NodeID

  /// Sends a request to the server, and returns its response.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func response(
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
  /// - Parameter checks: Whether a status other than a success is an error.
  func reply(
    to request: NetworkRequest, checks: Bool = true
  ) async throws -> SimulatedReply {
    try Task.checkCancellation()
    if let problem = request.problem(below: "") { throw problem }
    let sent = try withContents(request)
    let exchange = Trial.use {
      SimulatedExchange(sent, client: client, server: server, in: $0)
    }
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

  /// Sends a request, and stores the body of the response in a file on the disk of the node.
  ///
  /// After a crash, the file has its old contents or the whole body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - path: A path of ``NodeContext/path(_:)``.
  ///   - progress: Called when bytes have been sent or received.
  /// - Returns: The response, with an empty body.
  /// - Throws: `NetworkError`, of kind `file` if the disk has a fault, or `CancellationError`.
  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    var response = try await response(for: request, progress: progress)
    do throws(FileError) {
      try SimulatedFiles(client).replace(path, with: response.body)
    } catch {
      throw fileError("\(error)", request)
    }
    response.body = []
    return response
  }

  /// Replaces a body that is a file on the disk of the node by its contents.
  private func withContents(_ request: NetworkRequest) throws(NetworkError) -> NetworkRequest {
    guard case .file(let path, let type) = request.body else { return request }
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try SimulatedFiles(client).read(path) } catch {
      throw fileError("\(error)", request)
    }
    guard let bytes else { throw fileError("there is no file \(path)", request) }
    var request = request
    request.body = .bytes(bytes, type: type)
    return request
  }

  private func fileError(_ message: String, _ request: NetworkRequest) -> NetworkError {
    NetworkError(.file, message: message, method: request.method, url: request.path.encoded)
  }
}
