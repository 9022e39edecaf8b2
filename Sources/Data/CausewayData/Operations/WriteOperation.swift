public import CausewayNetwork
public import CausewayStores

/// A change that is sent to the server.
///
/// ```swift
/// let operation = WriteOperation(
///   .post, "/activities", body: draft, invalidates: ["activities"])
/// ```
///
/// An operation has an idempotency key. If it is sent again after a failure or a restart, the
/// effect is the same as if it were sent once.
public struct WriteOperation<Body: Encodable & Sendable>: Sendable {
  /// The method of the request.
  public var method: HTTPMethod
  /// The path of the resource, below the service's address.
  public var endpoint: NetworkPath
  /// The query items, in order.
  public var query: [NetworkRequest.QueryItem]
  /// The value that is sent as JSON.
  public var body: Body?
  /// The tags of the data that the operation makes out of date.
  public var invalidates: Set<DataTag>
  /// Identifies the operation, so the server applies it only once.
  public var idempotencyKey: IdempotencyKey

  /// Makes an operation.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - endpoint: The path of the resource, below the service's address.
  ///   - query: The query items, in order.
  ///   - body: The value that is sent as JSON.
  ///   - invalidates: The tags of the data that the operation makes out of date.
  ///   - idempotencyKey: Identifies the operation, so the server applies it only once. Default: a
  ///     new key.
  public init(
    _ method: HTTPMethod,
    _ endpoint: NetworkPath,
    query: [NetworkRequest.QueryItem] = [],
    body: Body?,
    invalidates: Set<DataTag>,
    idempotencyKey: IdempotencyKey = IdempotencyKey()
  ) {
    self.method = method
    self.endpoint = endpoint
    self.query = query
    self.body = body
    self.invalidates = invalidates
    self.idempotencyKey = idempotencyKey
  }

  /// The endpoint of the operation.
  func call<Response>(returning type: Response.Type) -> Endpoint<Response> {
    Endpoint(method, endpoint, query: query, body: body, idempotencyKey: idempotencyKey)
  }
}

extension WriteOperation where Body == NoContent {
  /// Makes an operation without a body, such as a deletion.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - endpoint: The path of the resource, below the service's address.
  ///   - query: The query items, in order.
  ///   - invalidates: The tags of the data that the operation makes out of date.
  ///   - idempotencyKey: Identifies the operation, so the server applies it only once. Default: a
  ///     new key.
  public init(
    _ method: HTTPMethod,
    _ endpoint: NetworkPath,
    query: [NetworkRequest.QueryItem] = [],
    invalidates: Set<DataTag>,
    idempotencyKey: IdempotencyKey = IdempotencyKey()
  ) {
    self.init(
      method, endpoint, query: query, body: nil, invalidates: invalidates,
      idempotencyKey: idempotencyKey)
  }
}
