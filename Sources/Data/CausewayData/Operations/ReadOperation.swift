public import CausewayDatabase
public import CausewayNetwork
public import CausewayStores

/// Describes how to read data from the database, and from the network into the database.
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
/// Return `nil` from `load` if nothing is stored; the reader then uses the network. An empty list
/// is a stored value: it means that the server has no data.
public struct ReadOperation<Response: Decodable & Sendable, Value: Sendable>: Sendable {
  /// The endpoint to call.
  public var endpoint: Endpoint<Response>
  /// The tags that the data depends on.
  ///
  /// A write with one of these tags makes the stored value out of date.
  public var tags: Set<DataTag>
  /// Reads the stored value; `nil` if there is none.
  public var load: @Sendable (any ReadTransaction) throws -> Value?
  /// Stores a response, and returns its value.
  public var store: @Sendable (Response, any WriteTransaction) throws -> Value

  /// Makes an operation.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint to call.
  ///   - tags: The tags that the data depends on.
  ///   - load: Reads the stored value; `nil` if there is none.
  ///   - store: Stores a response, and returns its value.
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

  /// Identifies equal operations within this process.
  var key: String {
    // An encoding error is thrown later, when the request is sent.
    let request = (try? endpoint.encoded(with: .standard)) ?? endpoint.request
    // The key is a hash, because a body may be large and a header field may be secret.
    var hasher = Hasher()
    hasher.combine(request.body)
    hasher.combine(request.headers)
    return "\(request.method.rawValue) \(request.address(below: "")) #\(hasher.finalize())"
      + " -> \(Value.self)"
  }
}
