/// How some data is read: from what is stored, and from the network into what is stored.
///
/// ```swift
/// let today = ReadOperation<[Activity], [Activity]>(
///   Endpoint(.get, "/activities"), tags: ["activities"]
/// ) { transaction in
///   try transaction.rows("SELECT * FROM activity", as: Activity.self)
/// } store: { activities, transaction in
///   try transaction.upsert(activities, into: "activity")
///   return activities
/// }
/// ```
public struct ReadOperation<Response: Decodable & Sendable, Value: Sendable>: Sendable {
  /// What to call on the network.
  public var endpoint: Endpoint<Response>
  /// What it depends on; writes that name one of these make the stored value out of date.
  public var tags: Set<DataTag>
  /// Reads what is stored, `nil` if nothing is.
  public var load: @Sendable (any ReadTransaction) throws -> Value?
  /// Stores an answer, and returns the value that it makes.
  public var store: @Sendable (Response, any WriteTransaction) throws -> Value

  /// Makes an operation.
  ///
  /// - Parameters:
  ///   - endpoint: What to call on the network.
  ///   - tags: What it depends on.
  ///   - load: Reads what is stored, `nil` if nothing is.
  ///   - store: Stores an answer, and returns the value that it makes.
  public init(
    _ endpoint: Endpoint<Response>,
    tags: Set<DataTag>,
    load: @escaping @Sendable (any ReadTransaction) throws -> Value?,
    store: @escaping @Sendable (Response, any WriteTransaction) throws -> Value
  ) {
    self.endpoint = endpoint
    self.tags = tags
    self.load = load
    self.store = store
  }

  /// What makes two operations the same one.
  var key: String {
    let request = endpoint.request
    return "\(request.method.rawValue) \(request.address(below: "")) -> \(Value.self)"
  }
}
