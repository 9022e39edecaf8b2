/// A change that is sent to the server.
///
/// ```swift
/// let operation = WriteOperation(
///   .post, "/activities", body: draft, invalidates: ["activities"])
/// ```
///
/// It has an idempotency key: sending the same operation again, after a failure or a restart, has
/// no other effect than sending it once.
public struct WriteOperation<Body: Encodable & Sendable>: Sendable {
  /// What it does to the resource.
  public var method: NetworkRequest.Method
  /// Where the resource is, below the service's address.
  public var endpoint: NetworkPath
  /// The query, in order.
  public var query: [NetworkRequest.QueryItem]
  /// What is sent as JSON.
  public var body: Body?
  /// What is out of date after it.
  public var invalidates: Set<DataTag>
  /// Identifies the operation, so that the server applies it once.
  public var idempotencyKey: IdempotencyKey

  /// Makes an operation.
  ///
  /// - Parameters:
  ///   - method: What it does to the resource.
  ///   - endpoint: Where the resource is, below the service's address.
  ///   - query: The query, in order.
  ///   - body: What is sent as JSON.
  ///   - invalidates: What is out of date after it.
  ///   - idempotencyKey: Identifies the operation, so that the server applies it once. Default: a
  ///     new one.
  public init(
    _ method: NetworkRequest.Method,
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

  /// What is called on the network.
  func call<Response>(returning type: Response.Type) -> Endpoint<Response> {
    Endpoint(method, endpoint, query: query, body: body, idempotencyKey: idempotencyKey)
  }
}

extension WriteOperation where Body == NoBody {
  /// Makes an operation that sends nothing but its address, such as a deletion.
  ///
  /// - Parameters:
  ///   - method: What it does to the resource.
  ///   - endpoint: Where the resource is, below the service's address.
  ///   - query: The query, in order.
  ///   - invalidates: What is out of date after it.
  ///   - idempotencyKey: Identifies the operation, so that the server applies it once. Default: a
  ///     new one.
  public init(
    _ method: NetworkRequest.Method,
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

/// The body of a write that sends nothing; there is no value of it.
public enum NoBody: Encodable, Sendable {
  /// Cannot be called, because there is no value.
  public func encode(to encoder: any Encoder) throws {}
}
