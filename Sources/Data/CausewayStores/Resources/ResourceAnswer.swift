/// The result of a loader.
public enum ResourceAnswer<Value: Sendable>: Sendable {
  /// The value, and the server's validator for the next request: an ETag or a date.
  ///
  /// `freshFor` is the time for which the value is fresh according to the server. A cache uses it
  /// only with a ``ResourcePolicy/serverFreshness``. A value that may not be stored is kept in
  /// memory, but not on the disk. An older value of the key is removed from the disk.
  case value(Value, validator: String? = nil, freshFor: Duration? = nil, mayStore: Bool = true)
  /// The cached value is still valid; the server confirmed its validator.
  ///
  /// A validator replaces the validator of the cached value. The value is removed from the disk if
  /// it may not be stored.
  case notModified(validator: String? = nil, freshFor: Duration? = nil, mayStore: Bool = true)
}
