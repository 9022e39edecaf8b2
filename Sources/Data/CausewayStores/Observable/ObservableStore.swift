import CausewayBasics
public import Observation
import Synchronization

/// Values by key that views observe one by one; the store saves changes in the background.
///
/// ```swift
/// let drafts = ObservableStore(backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
/// drafts[7]                 // a view that reads this is drawn again when draft 7 changes
/// drafts[7] = draft          // saved with other changes, within the policy's time
/// try await drafts.close()   // saves what is left
/// ```
///
/// - The store saves changed keys together, in one transaction.
/// - A loaded value never replaces a value that was changed during the load.
/// - If changes cannot be saved, the store keeps them and tries again later.
///
/// Isolation: the main actor. Loading and saving run off the main actor.
@MainActor
public final class ObservableStore<Key: Hashable & Sendable, Value: Equatable & Sendable>:
  Observable
{
  /// The times after which the store saves, retries, and removes expired values.
  public let policy: StorePolicy

  let backing: any StoreBacking<Key, Value>
  /// This gate is closed when a session ends, which can happen on any thread.
  nonisolated let gate = Mutex(SessionGate())
  private let executor: (any TaskExecutor)?
  private let surroundings: Surroundings
  private let report: @MainActor (StoreFailure) -> Void
  private let isExpired: (@MainActor (Key, Value) -> Bool)?

  private var cells = StoreCells<Key, Value>()
  /// Changes when a key is added or removed.
  private let membership = StoreCell<Int>()
  private let loadedCell = StoreCell<Bool>()
  private var streams = StoreStreams<Key, Value>()

  private var schedule: SaveSchedule<Key>
  /// The keys that were changed since the load began; `nil` if no load is running.
  private var changedSinceLoad: Set<Key>? = []
  /// Whether the values of the running load must be removed.
  private var removesLoaded = false
  private var timer: Task<Void, Never>?
  private var saving: Task<Void, any Error>?
  private var loading: Task<Void, Never>? {
    didSet {
      guard loading == nil else { return }
      for waiter in loadWaiters { waiter.resume(returning: .loaded) }
    }
  }
  private var loadWaiters: [Waiter<LoadWait>] = []
  /// The failure of the last load.
  private var loadError: (any Error)?
  private var sweep: Task<Void, Never>?
  /// The close in progress.
  private var closing: Task<Void, any Error>?
  private(set) var isClosed = false

  /// Makes a store and begins to load.
  ///
  /// ```swift
  /// let drafts = ObservableStore(backing: backing) { failure in log("\(failure)") }
  /// ```
  ///
  /// - Parameters:
  ///   - backing: Stores the values.
  ///   - policy: The times after which the store saves and retries.
  ///   - clock: The clock for all pauses.
  ///   - report: Called for each failure.
  public convenience init<C: Clock>(
    backing: any StoreBacking<Key, Value>,
    policy: StorePolicy = StorePolicy(),
    clock: C = ContinuousClock(),
    report: @escaping @MainActor (StoreFailure) -> Void = { _ in }
  ) where C.Duration == Duration {
    self.init(backing: backing, policy: policy, clock: clock, isExpired: nil, report: report)
  }

  /// Makes a store whose values expire, and begins to load.
  ///
  /// - Parameters:
  ///   - backing: Stores the values.
  ///   - policy: The times after which the store saves, retries and removes expired values.
  ///   - clock: The clock for all pauses.
  ///   - isExpired: Returns whether to remove a value. It is called when a value is loaded, and
  ///     then at intervals. With `nil`, values do not expire.
  ///   - report: Called for each failure.
  public convenience init<C: Clock>(
    backing: any StoreBacking<Key, Value>,
    policy: StorePolicy = StorePolicy(),
    clock: C = ContinuousClock(),
    // This parameter has no default. Otherwise a trailing closure would be passed as `isExpired`
    // and not as `report`.
    isExpired: (@MainActor (Key, Value) -> Bool)?,
    report: @escaping @MainActor (StoreFailure) -> Void = { _ in }
  ) where C.Duration == Duration {
    self.init(
      backing: backing, policy: policy, executor: nil, surroundings: Surroundings(clock: clock),
      isExpired: isExpired, report: report)
  }

  /// Makes a store whose tasks a test controls.
  ///
  /// All other work runs on the main actor.
  ///
  /// - Parameters:
  ///   - executor: The preferred executor of the store's own tasks off the main actor.
  init(
    backing: any StoreBacking<Key, Value>,
    policy: StorePolicy,
    executor: (any TaskExecutor)?,
    surroundings: Surroundings,
    isExpired: (@MainActor (Key, Value) -> Bool)? = nil,
    report: @escaping @MainActor (StoreFailure) -> Void
  ) {
    self.backing = backing
    self.policy = policy
    self.executor = executor
    self.surroundings = surroundings
    self.isExpired = isExpired
    self.report = report
    schedule = SaveSchedule(policy: policy)
    startLoading()
    if isExpired != nil { startSweep() }
  }

  isolated deinit {
    timer?.cancel()
    sweep?.cancel()
    loading?.cancel()
    // A running save holds the store, so no save is running when the store is released.
    if !isClosed, schedule.unsavedCount > 0 || removesLoaded {
      let rest = StoreRest(
        backing: backing, changes: cells.changes(of: schedule.begin() ?? []),
        kept: removesLoaded ? changedSinceLoad : nil)
      Task { [report] in
        if let error = await rest.save() {
          report(.lost(error, unsaved: max(rest.changes.count, 1)))
        }
      }
    }
  }

  /// The value of a key; `nil` if the key has no value, or if its value is not loaded yet.
  ///
  /// An observer that reads this value is notified only if this key changes.
  public subscript(key: Key) -> Value? {
    get {
      let (cell, forgotten) = cells.cell(for: key)
      for cell in forgotten { cell.invalidate() }
      return cell.value
    }
    set { set(newValue, for: key) }
  }

  /// Sets the value of a key, as the subscript does; `nil` removes it.
  ///
  /// Other actors and effects use this function: `await store.set(draft, for: 7)`.
  public func set(_ value: Value?, for key: Key) {
    if isClosed { return report(.closed) }
    if gate.withLock({ $0.isShut }) { return report(.sessionEnded) }
    // Until the load ends, the store cannot compare the value with the backing's value.
    if loadedCell.current == true, cells.current(key) == value { return }
    change(value, for: key)
  }

  /// Returns the value of a key and then each of its changes, for effects and other actors.
  ///
  /// ```swift
  /// for await draft in await store.values(for: 7) { await send { $0.draft = draft } }
  /// ```
  ///
  /// The first element is delivered after the values are loaded. The stream yields states: a slow
  /// consumer gets only the latest value. It ends when the store is released.
  ///
  /// - Complexity: O(keys with streams).
  public func values(for key: Key) -> AsyncStream<Value?> {
    let isKnown = loadedCell.current == true || isOurs(key)
    return streams.stream(of: key, first: isKnown ? .some(cells.current(key)) : nil)
  }

  /// The keys that have a value, in no particular order.
  ///
  /// An observer that reads this set is notified when a key is added or removed.
  ///
  /// - Complexity: O(keys).
  public var keys: [Key] {
    _ = membership.value
    return Array(cells.keys)
  }

  /// Whether all values have been loaded.
  public var isLoaded: Bool { loadedCell.value == true }

  /// The number of keys with unsaved changes.
  package var unsavedCount: Int { schedule.unsavedCount }

  /// Removes all values from the store and its backing, even values that are not loaded yet.
  ///
  /// - Complexity: O(keys).
  public func removeAll() {
    if isClosed { return report(.closed) }
    removeEverything()
  }

  /// Removes all values, even if changes are refused.
  func removeEverything() {
    for key in Array(cells.keys) { change(nil, for: key) }
    if changedSinceLoad != nil { removesLoaded = true }
  }

  /// Removes the keys of the backing, except keys that were changed here after the removal.
  private func removeLoaded(_ keys: some Sequence<Key>) {
    guard removesLoaded else { return }
    for key in keys where !isOurs(key) { change(nil, for: key) }
    removesLoaded = false
  }

  private func change(_ value: Value?, for key: Key) {
    changedSinceLoad?.insert(key)
    schedule.change(key, now: surroundings.now())
    show(value, for: key)
    startTimer()
  }

  /// Sets the value that observers see.
  private func show(_ value: Value?, for key: Key) {
    let (cell, isNewOrGone, forgotten) = cells.place(key, hasValue: value != nil)
    let isChange = cell.current != value
    cell.set(value)
    if isChange { streams.send(value, for: key) }
    for cell in forgotten { cell.invalidate() }
    if isNewOrGone { membership.set((membership.current ?? 0) &+ 1) }
  }

  /// Shows the loaded values, except for keys that were changed during the load.
  private func takeIn(_ values: [Key: Value]) {
    removeLoaded(values.keys)
    for key in Array(cells.keys) where values[key] == nil && !isOurs(key) { show(nil, for: key) }
    for (key, value) in values where !isOurs(key) { show(value, for: key) }
    changedSinceLoad = nil
    loadedCell.set(true)
    removeExpired()
    streams.begin { cells.current($0) }
  }

  /// Whether a key has a change that a load must not replace.
  private func isOurs(_ key: Key) -> Bool {
    changedSinceLoad?.contains(key) == true || schedule.isDirty(key)
  }

  /// The number of keys without a value that are kept only because a view has read them.
  var absentCount: Int { cells.absentCount }

  private func startSweep() {
    sweep = Task { [weak self, sleep = surroundings.sleep, pause = policy.sweepEvery] in
      while true {
        do { try await sleep(pause) } catch { return }
        guard let self else { return }
        self.removeExpired()
      }
    }
  }

  private func removeExpired() {
    guard let isExpired, !isClosed else { return }
    for key in Array(cells.keys) {
      if let value = cells.current(key), isExpired(key, value) { change(nil, for: key) }
    }
  }
}

// MARK: Loading

private enum LoadWait { case loaded, cancelled, late }

extension ObservableStore {
  /// Waits until all values are loaded, or until the store is closed.
  ///
  /// - Parameter limit: The longest wait. A load that fails is repeated in the meantime, for example
  ///   while another process has locked the database.
  /// - Throws: ``StoreFailure/notLoaded(_:after:)`` with the last failure of a load;
  ///   `CancellationError`. The store continues to load.
  public func waitUntilLoaded(atMost limit: Duration = .seconds(10)) async throws {
    guard loading != nil else { return }
    let waiter = Waiter<LoadWait>()
    loadWaiters.append(waiter)
    let alarm = Task { [executor, sleep = surroundings.sleep] in
      await withTaskExecutorPreference(executor) {
        guard (try? await sleep(limit)) != nil else { return }
        waiter.resume(returning: .late)
      }
    }
    let end = await waiter.value { $0.resume(returning: .cancelled) }
    alarm.cancel()
    _ = loadWaiters.remove(waiter)
    switch end {
    case .loaded: return
    case .cancelled: throw CancellationError()
    case .late: throw StoreFailure.notLoaded(loadError, after: limit)
    }
  }

  /// Loads all values again; call it after other code has changed the backing.
  ///
  /// Values that other code has removed are removed here too. Unsaved changes and changes during
  /// the load are kept.
  ///
  /// - Throws: The errors of ``waitUntilLoaded(atMost:)``.
  public func reload() async throws {
    if !isClosed {
      loading?.cancel()
      startLoading()
    }
    try await waitUntilLoaded()
  }

  /// Loads the values, and retries until a load succeeds or the store is released.
  private func startLoading() {
    // For keys that are being saved, a load may return old values.
    let unsaved = schedule.unsavedKeys
    // Changes after a removal are kept, even if they are saved before the removal reaches the
    // backing.
    changedSinceLoad = removesLoaded ? unsaved.union(changedSinceLoad ?? []) : unsaved
    loadError = nil
    loading = Task { [weak self, backing, executor, sleep = surroundings.sleep] in
      await withTaskExecutorPreference(executor) {
        var failures = 0
        while !Task.isCancelled {
          do {
            let values = try await backing.load()
            self?.endLoading(values)
            return
          } catch {
            failures += 1
            guard let self, let pause = self.report(error, failures) else { return }
            _ = consume self
            try? await sleep(pause)
          }
        }
      }
    }
  }

  /// Reads the keys of the backing and removes them, if all values must be removed.
  ///
  /// It does not wait for the running load, which may be pausing after a failure.
  private func markRemoved() async throws {
    guard removesLoaded else { return }
    removeLoaded(try await backing.load().keys)
  }

  /// Shows the values of a load, unless the load was cancelled.
  private func endLoading(_ values: [Key: Value]) {
    guard !Task.isCancelled else { return }
    loading = nil
    takeIn(values)
  }

  /// Reports a failed load, and returns the pause before the next load.
  private func report(_ error: any Error, _ failures: Int) -> Duration? {
    guard !Task.isCancelled else { return nil }
    let pause = policy.backoff.delay(afterAttempts: failures, random: surroundings.random())
    loadError = error
    report(.load(error, nextTry: pause))
    return pause
  }
}

// MARK: Saving

extension ObservableStore {
  /// Saves everything that was changed before the call.
  ///
  /// Call it when the process may end soon, for example on SIGTERM or when the app enters the
  /// background. It does not wait for the end of a pause after a failure.
  ///
  /// - Throws: The backing's error. The changes are kept, and the store saves them later.
  public func flush() async throws {
    try await markRemoved()
    let version = schedule.lastVersion
    while schedule.hasUnsaved(upTo: version) {
      if let saving {
        // The running save may lack some changes, and its own failure was already reported.
        _ = try? await saving.value
      } else {
        try await beginSave()?.value
      }
    }
  }

  /// Saves the remaining changes and closes the store; later changes are refused and reported.
  ///
  /// A second call waits for the same close.
  ///
  /// - Throws: The backing's error. In this case the store is open again and keeps the changes:
  ///   close it again.
  public func close() async throws {
    if let closing { return try await closing.value }
    if isClosed { return }
    isClosed = true
    let task = Task { try await withTaskExecutorPreference(executor) { try await end() } }
    closing = task
    try await task.value
  }

  private func end() async throws {
    defer { closing = nil }
    do {
      try await flush()
    } catch {
      isClosed = false
      startTimer()
      throw error
    }
    timer?.cancel()
    sweep?.cancel()
    loading?.cancel()
    loading = nil
  }

  /// Starts the timer that saves when changes are due.
  private func startTimer() {
    guard timer == nil, !isClosed, schedule.deadline != nil else { return }
    timer = Task { [weak self, executor, sleep = surroundings.sleep] in
      await withTaskExecutorPreference(executor) {
        while !Task.isCancelled, let pause = self?.pauseBeforeSave() {
          if pause > .zero {
            do { try await sleep(pause) } catch { return }
          } else {
            _ = try? await self?.beginSave()?.value
          }
        }
      }
    }
  }

  /// The wait before the next save; `nil` ends the timer.
  private func pauseBeforeSave() -> Duration? {
    guard let deadline = schedule.deadline else {
      timer = nil
      return nil
    }
    return deadline - surroundings.now()
  }

  /// Saves all unsaved changes in one transaction; returns `nil` if there are none.
  private func beginSave() -> Task<Void, any Error>? {
    guard let keys = schedule.begin() else { return nil }
    let changes = cells.changes(of: keys)
    // The task holds the store until it ends.
    let task = Task {
      do {
        try await withTaskExecutorPreference(executor) { try await backing.save(changes) }
        schedule.succeed()
        saving = nil
        // The timer may still be sleeping through the pause after a failure. That pause is over
        // now.
        timer?.cancel()
        timer = nil
        startTimer()
      } catch {
        let pause = schedule.fail(now: surroundings.now(), random: surroundings.random())
        saving = nil
        report(.save(error, unsaved: schedule.unsavedCount, nextTry: pause))
        startTimer()
        throw error
      }
    }
    saving = task
    return task
  }
}
