/// Sends requests to a server.
///
/// ```swift
/// let activity = try await network.value(for: Endpoint<Activity>(.get, "/activities/\(id)"))
/// ```
///
/// The conformance suite of `CausewayDataTesting` tests what an implementation must guarantee.
public protocol NetworkService: Sendable {
  /// The coding of the JSON bodies of typed endpoints.
  var coding: JSONCoding { get }

  /// Sends a request and returns the complete response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - progress: Receives the progress.
  /// - Returns: A response with a status from 200 to 299.
  /// - Throws: `NetworkError`, also for any other status; `CancellationError` when the task is
  ///   cancelled.
  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse

  /// Sends a request and stores the body of the response in a file.
  ///
  /// The file at the path is replaced after the whole body has arrived. If the connection is lost,
  /// an HTTP service requests the rest. Its retry policy limits the attempts in a row that receive
  /// no new bytes. The server must support ranges and send an `ETag` or a date.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - path: The path of the file. Its folder must exist.
  ///   - progress: Receives the progress.
  /// - Returns: The response without its body.
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse

  /// Returns the events of a server-sent event stream, and reports the state of its connection.
  ///
  /// The stream throws `NetworkError` when the server refuses it permanently.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - reconnects: Whether the stream connects again after a lost connection, and resumes after
  ///     the last event. If not, the stream throws a `NetworkError` after a lost connection, and
  ///     its consumer connects again.
  ///   - connection: Receives each state, in order, on any thread. It must not block. A service
  ///     without connections never calls it.
  func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream
}

extension NetworkService {
  /// The default coding, ``JSONCoding/standard``.
  public var coding: JSONCoding { .standard }

  /// Returns the events of a server-sent event stream, which resumes after a lost connection.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - connection: Receives the state of the connection.
  /// - Returns: A stream that throws `NetworkError` when the server refuses it permanently.
  public func events(
    for request: NetworkRequest, connection: @escaping NetworkConnection.Observer = { _ in }
  ) -> NetworkEventStream {
    events(for: request, reconnects: true, connection: connection)
  }

  /// Sends a request and returns the complete response.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func response(for request: NetworkRequest) async throws -> NetworkResponse {
    try await response(for: request, progress: nil)
  }

  /// Sends a request and stores the body of the response in a file.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  @discardableResult
  public func download(
    _ request: NetworkRequest, to path: String
  ) async throws -> NetworkResponse {
    try await download(request, to: path, progress: nil)
  }

  /// Calls an endpoint and returns its decoded response.
  ///
  /// Encodes and decodes off the caller's actor. Errors omit the body of the response if it may
  /// hold a secret, see ``NetworkRequest/isAnswerSecret``.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - progress: Receives the progress.
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  @concurrent public func value<Response>(
    for endpoint: Endpoint<Response>, progress: NetworkProgress.Observer? = nil
  ) async throws -> Response {
    try await decoded(endpoint, progress: progress).value
  }

  /// Calls an endpoint and returns its decoded response, with the header fields.
  @concurrent package func decoded<Response>(
    _ endpoint: Endpoint<Response>, progress: NetworkProgress.Observer?
  ) async throws -> (value: Response, response: NetworkResponse) {
    let request = try endpoint.encoded(with: coding)
    let isSecret = request.isAnswerSecret || Response.self is any SecretResponse.Type
    let response: NetworkResponse
    do {
      response = try await self.response(for: request, progress: progress)
    } catch var error as NetworkError where isSecret {
      if error.kind == .status, error.refusesToken == nil {
        error.refusesToken = error.excerptRefusesToken
      }
      error.bodyExcerpt = nil
      throw error
    }
    if var problem = request.problem(of: response, isIgnored: Response.self == NoContent.self) {
      if isSecret { problem.bodyExcerpt = nil }
      throw problem
    }
    do {
      return (
        try coding.decode(Response.self, from: response.body, isSecret: isSecret), response
      )
    } catch {
      var located = error
      located.method = request.method
      located.url = request.path.encoded
      located.status = response.status
      throw located
    }
  }

  /// Calls an endpoint that returns nothing.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func call(_ endpoint: Endpoint<NoContent>) async throws {
    _ = try await value(for: endpoint)
  }
}

/// A type of response that holds a secret.
///
/// Errors omit its body.
package protocol SecretResponse {}
