/// What a loader answers.
public enum ResourceAnswer<Value: Sendable>: Sendable {
  /// The value, and what to ask with next time: an ETag or a date, as the server gave it.
  case value(Value, validator: String? = nil)
  /// The value that belongs to the validator is still right.
  case notModified
}
