/// The result of a loader.
public enum ResourceAnswer<Value: Sendable>: Sendable {
  /// The value, and the server's validator for the next request: an ETag or a date.
  case value(Value, validator: String? = nil)
  /// The cached value is still valid; the server confirmed its validator.
  case notModified
}
