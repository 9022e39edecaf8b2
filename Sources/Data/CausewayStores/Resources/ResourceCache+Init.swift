import CausewayBasics

extension ResourceCache {
  /// Makes a cache that loads a value only if it has changed.
  ///
  /// - Parameters:
  ///   - policy: How long values are valid, and how much memory the cache may use.
  ///   - disk: Stores values across restarts. Default: no disk.
  ///   - size: Returns the memory that a value needs, in bytes. Default: the size of the type,
  ///     which is too small for arrays and strings.
  ///   - clock: The clock for ages and pauses. Values on disk have the time of day as their date.
  ///   - executor: The preferred executor of loads. Default: the concurrent executor.
  ///   - isTransient: Whether to retry a failed load. Default: ``ResourcePolicy/isTransient(_:)``.
  ///   - reportDiskFailure: Called for failures of the disk; the cache continues without it.
  ///   - loader: Loads the value of a key. Its second argument is the validator of the current
  ///     value. It may return `notModified` only if the validator is not `nil`.
  public convenience init<C: Clock>(
    policy: ResourcePolicy = ResourcePolicy(),
    disk: ResourceDisk<Key, Value>? = nil,
    size: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size },
    clock: C = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    isTransient: @escaping @Sendable (any Error) -> Bool = ResourcePolicy.isTransient,
    reportDiskFailure: @escaping @Sendable (Key, any Error) -> Void = { _, _ in },
    validatingLoader loader: @escaping Loader
  ) where C.Duration == Duration {
    self.init(
      policy: policy, disk: disk, size: size, surroundings: Surroundings(clock: clock),
      executor: executor, isTransient: isTransient, reportDiskFailure: reportDiskFailure,
      loader: loader)
  }

  /// Makes a cache that loads the whole value each time.
  ///
  /// - Parameters:
  ///   - policy: How long values are valid, and how much memory the cache may use.
  ///   - disk: Stores values across restarts. Default: no disk.
  ///   - size: Returns the memory that a value needs, in bytes. Default: the size of the type,
  ///     which is too small for arrays and strings.
  ///   - clock: The clock for ages and pauses. Values on disk have the time of day as their date.
  ///   - executor: The preferred executor of loads. Default: the concurrent executor.
  ///   - isTransient: Whether to retry a failed load. Default: ``ResourcePolicy/isTransient(_:)``.
  ///   - reportDiskFailure: Called for failures of the disk; the cache continues without it.
  ///   - loader: Loads the value of a key.
  public convenience init<C: Clock>(
    policy: ResourcePolicy = ResourcePolicy(),
    disk: ResourceDisk<Key, Value>? = nil,
    size: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size },
    clock: C = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    isTransient: @escaping @Sendable (any Error) -> Bool = ResourcePolicy.isTransient,
    reportDiskFailure: @escaping @Sendable (Key, any Error) -> Void = { _, _ in },
    loader: @concurrent @escaping @Sendable (_ key: Key) async throws -> Value
  ) where C.Duration == Duration {
    self.init(
      policy: policy, disk: disk, size: size, surroundings: Surroundings(clock: clock),
      executor: executor, isTransient: isTransient, reportDiskFailure: reportDiskFailure,
      loader: { key, _ in .value(try await loader(key)) })
  }
}
