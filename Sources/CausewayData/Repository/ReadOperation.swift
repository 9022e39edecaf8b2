/// Reads data from the store, and from the network into the store.
///
/// ```swift
/// let today = ReadOperation<[Activity], [Activity]>(
///   Endpoint(.get, "/activities"), tags: ["activities"]
/// ) { transaction in
///   let activities = try transaction.rows("SELECT * FROM activity", as: Activity.self)
///   return activities.isEmpty ? nil : activities
/// } store: { activities, transaction in
///   try transaction.execute("DELETE FROM activity")
///   try transaction.insert(activities, into: "activity")
///   return activities
/// }
/// ```
///
/// `nil` says that nothing is stored, so that the network is asked. An empty list says that there
/// is nothing, as of a table in which only answers are stored.
public struct ReadOperation<Response: Decodable & Sendable, Value: Sendable>: Sendable {
  /// The endpoint to call.
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

  /// What makes two operations the same one, within this process.
  var key: String {
    // A body that cannot be encoded is an error when it is sent.
    let request = (try? endpoint.encoded(with: .standard)) ?? endpoint.request
    // The hash, because a body may be large and a header field secret.
    var hasher = Hasher()
    hasher.combine(request.body)
    hasher.combine(request.headers)
    return "\(request.method.rawValue) \(request.address(below: "")) #\(hasher.finalize())"
      + " -> \(Value.self)"
  }
}
