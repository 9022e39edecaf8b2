import CausewayBasics

/// The functions and settings that the loads of a cache need.
struct ResourceSource<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let loader: ResourceCache<Key, Value>.Loader
  let policy: ResourcePolicy
  let disk: ResourceDisk<Key, Value>?
  let isTransient: @Sendable (any Error) -> Bool
  let surroundings: Surroundings
  let reportDiskFailure: @Sendable (Key, any Error) -> Void
}

/// One load of a value: from the disk if the disk has a usable value, otherwise by the loader.
struct ResourceLoad<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Entry = CacheState<Key, Value>.Entry

  enum Outcome: Sendable {
    /// - Parameters:
    ///   - freshFor: The time for which the server calls the value fresh.
    ///   - mayStore: Whether the value may be on the disk.
    ///   - isChange: Whether the value replaces a different value.
    case loaded(
      Value, validator: String?, freshFor: Duration?, mayStore: Bool, isChange: Bool)
    /// - Parameter age: The time since the loader returned the value.
    case found(Value, validator: String?, freshFor: Duration?, age: Duration)
    case failed(any Error)
  }

  let key: Key
  let token: CacheState<Key, Value>.Token
  let source: ResourceSource<Key, Value>
  /// The value in memory when the load began, whatever its age.
  let known: Entry?
  let skipsDisk: Bool

  /// Runs off the caller's actor, without isolation.
  @concurrent
  func outcome() async -> Outcome {
    var basis = known.map { (value: $0.value, validator: $0.validator) }
    if basis == nil, !skipsDisk, let stored = await readDisk() {
      if isUsable(stored.freshFor, age: stored.age) {
        return .found(
          stored.value, validator: stored.validator, freshFor: stored.freshFor, age: stored.age)
      }
      basis = (stored.value, stored.validator)
    }
    do {
      switch try await answer(validator: basis?.validator) {
      case .value(let value, let validator, let freshFor, let mayStore):
        let isChange = basis.map { !areEqual($0.value, value) } ?? false
        return .loaded(
          value, validator: validator, freshFor: freshFor, mayStore: mayStore, isChange: isChange)
      case .notModified(let validator, let freshFor, let mayStore):
        guard let basis, basis.validator != nil else {
          return .failed(ResourceError.notModifiedWithoutValidator)
        }
        return .loaded(
          basis.value, validator: validator ?? basis.validator, freshFor: freshFor,
          mayStore: mayStore, isChange: false)
      }
    } catch {
      return .failed(error)
    }
  }

  /// Calls the loader, and retries after a transient failure.
  private func answer(validator: String?) async throws -> ResourceAnswer<Value> {
    var repetition = 0
    while true {
      do {
        return try await source.loader(key, validator)
      } catch {
        repetition += 1
        guard repetition <= source.policy.retries, !Task.isCancelled,
          !(error is CancellationError), source.isTransient(error)
        else { throw error }
      }
      try await source.surroundings.sleep(
        source.policy.backoff.delay(afterAttempts: repetition, random: source.surroundings.random())
      )
    }
  }

  private func readDisk() async -> (
    value: Value, validator: String?, freshFor: Duration?, age: Duration
  )? {
    guard let disk = source.disk else { return nil }
    do {
      guard let stored = try await disk.store.read(disk.name(key)) else { return nil }
      return (
        try disk.decode(stored.bytes), stored.validator, stored.freshFor, age(of: stored)
      )
    } catch {
      source.reportDiskFailure(key, error)
      return nil
    }
  }

  /// The outcome of a value that was read from the disk; `nil` if the value cannot be used.
  func outcome(of stored: StoredResource) -> Outcome? {
    let age = age(of: stored)
    guard isUsable(stored.freshFor, age: age),
      let value = try? source.disk?.decode(stored.bytes)
    else { return nil }
    return .found(value, validator: stored.validator, freshFor: stored.freshFor, age: age)
  }

  private func isUsable(_ freshFor: Duration?, age: Duration) -> Bool {
    age < source.policy.freshFor(freshFor) + source.policy.staleFor
  }

  private func age(of stored: StoredResource) -> Duration {
    let (now, loadedAt) = (source.surroundings.wallClock.milliseconds(), stored.loadedAt)
    // A date in the future means that the clock was set back. The age of the value is unknown.
    if loadedAt > now { return source.policy.freshFor(stored.freshFor) }
    return .milliseconds(now) - .milliseconds(loadedAt)
  }

  /// Writes a value to the disk, unless it was removed in the meantime.
  ///
  /// If the value may not be stored or the write fails, the older value is removed. Otherwise a
  /// later load would read the older value.
  ///
  /// - Parameter loadedAt: The time of day when the loader answered. The encoding takes time, and
  ///   an invalidation in the meantime must be later than this date.
  func write(
    _ value: Value, validator: String?, freshFor: Duration?, mayStore: Bool, loadedAt: Int64,
    if isWanted: @escaping @Sendable () -> Bool
  ) async {
    guard let disk = source.disk, isWanted() else { return }
    let name = disk.name(key)
    do {
      guard mayStore else { return try await disk.store.remove(name) }
      let stored = StoredResource(
        bytes: try disk.encode(value), validator: validator, freshFor: freshFor,
        loadedAt: loadedAt)
      try await disk.store.write(stored, for: name, if: isWanted)
    } catch {
      source.reportDiskFailure(key, error)
      do { try await disk.store.remove(name) } catch { source.reportDiskFailure(key, error) }
    }
  }

  private func areEqual(_ old: Value, _ new: Value) -> Bool {
    guard let old = old as? any Equatable else { return false }
    return Self.areEqual(old, new)
  }

  private static func areEqual<Known: Equatable>(_ old: Known, _ new: Value) -> Bool {
    new as? Known == old
  }
}
