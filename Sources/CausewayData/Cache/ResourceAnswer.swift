/// The result of a loader.
public enum ResourceAnswer<Value: Sendable>: Sendable {
  /// The value, and the server's validator for the next request: an ETag or a date.
  case value(Value, validator: String? = nil)
  /// The value that belongs to the validator is still valid.
  case notModified
}
