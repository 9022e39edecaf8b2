extension ResourceCache {
  /// Makes a cache that asks for a value only if it has changed.
  ///
  /// - Parameters:
  ///   - policy: How long values are good, and how much the cache may use.
  ///   - disk: Where values outlive the process. Default: nowhere.
  ///   - size: What a value needs in memory, in bytes. Default: what the type says, which is too
  ///     little for arrays and strings.
  ///   - clock: For ages and pauses. What is on disk is dated by the time of day.
  ///   - executor: Where loads run. Default: the concurrent executor.
  ///   - isTransient: Whether a failed load is worth repeating. Default: always.
  ///   - reportDiskFailure: Called for failures of the disk; the cache continues without it.
  ///   - loader: Loads the value of a key. Its second argument is the validator that came with the
  ///     value that is there; `notModified` may be answered only if it is not `nil`.
  public convenience init<C: Clock>(
    policy: ResourcePolicy = ResourcePolicy(),
    disk: ResourceDisk<Key, Value>? = nil,
    size: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size },
    clock: C = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    isTransient: @escaping @Sendable (any Error) -> Bool = { _ in true },
    reportDiskFailure: @escaping @Sendable (Key, any Error) -> Void = { _, _ in },
    validatingLoader loader: @escaping Loader
  ) where C.Duration == Duration {
    self.init(
      policy: policy, disk: disk, size: size, clock: clock, wallClock: .system,
      executor: executor, isTransient: isTransient, reportDiskFailure: reportDiskFailure,
      loader: loader)
  }

  /// Makes a cache that loads the whole value each time.
  ///
  /// - Parameters:
  ///   - policy: How long values are good, and how much the cache may use.
  ///   - disk: Where values outlive the process. Default: nowhere.
  ///   - size: What a value needs in memory, in bytes. Default: what the type says, which is too
  ///     little for arrays and strings.
  ///   - clock: For ages and pauses. What is on disk is dated by the time of day.
  ///   - executor: Where loads run. Default: the concurrent executor.
  ///   - isTransient: Whether a failed load is worth repeating. Default: always.
  ///   - reportDiskFailure: Called for failures of the disk; the cache continues without it.
  ///   - loader: Loads the value of a key.
  public convenience init<C: Clock>(
    policy: ResourcePolicy = ResourcePolicy(),
    disk: ResourceDisk<Key, Value>? = nil,
    size: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size },
    clock: C = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    isTransient: @escaping @Sendable (any Error) -> Bool = { _ in true },
    reportDiskFailure: @escaping @Sendable (Key, any Error) -> Void = { _, _ in },
    loader: @concurrent @escaping @Sendable (_ key: Key) async throws -> Value
  ) where C.Duration == Duration {
    self.init(
      policy: policy, disk: disk, size: size, clock: clock, wallClock: .system,
      executor: executor, isTransient: isTransient, reportDiskFailure: reportDiskFailure,
      loader: { key, _ in .value(try await loader(key)) })
  }
}
