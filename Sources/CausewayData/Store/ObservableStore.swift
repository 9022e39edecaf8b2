public import Observation
import Synchronization

/// Values by key that views observe one by one, and that are saved in the background.
///
/// ```swift
/// let drafts = ObservableStore(backing: FileBacking<Int, Draft>(path: "drafts"))
/// drafts[7]                 // a view that reads this is drawn again when draft 7 changes
/// drafts[7] = draft          // saved with other changes, within the policy's time
/// try await drafts.close()   // saves what is left
/// ```
///
/// - Changed keys are saved together, in one transaction.
/// - What is loaded never replaces what was changed meanwhile.
/// - Changes that could not be saved are kept and saved later.
///
/// Isolation: the main actor. Loading and saving run elsewhere.
@MainActor
public final class ObservableStore<Key: Hashable & Sendable, Value: Equatable & Sendable>:
  Observable
{
  /// When the store saves, tries again and sweeps.
  public let policy: StorePolicy

  let backing: any StoreBacking<Key, Value>
  /// Shut at the end of a session, on whichever thread that comes.
  nonisolated let gate = Mutex(SessionGate())
  private let executor: (any TaskExecutor)?
  private let now: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let report: @MainActor (StoreFailure) -> Void
  private let isExpired: (@MainActor (Key, Value) -> Bool)?

  private var cells = StoreCells<Key, Value>()
  /// Changes when a key comes or goes.
  private let membership = StoreCell<Int>()
  private let loadedCell = StoreCell<Bool>()

  private var schedule: SaveSchedule<Key>
  /// The keys that were changed since the load began; `nil` when no load is running.
  private var changedSinceLoad: Set<Key>? = []
  /// Whether what is being loaded is to be removed.
  private var removesLoaded = false
  private var timer: Task<Void, Never>?
  private var saving: Task<Void, any Error>?
  private var loading: Task<Void, Never>?
  private var sweep: Task<Void, Never>?
  /// The close that is under way.
  private var closing: Task<Void, any Error>?
  private var isClosed = false

  /// Makes a store and begins to load.
  ///
  /// - Parameters:
  ///   - backing: Where the values are kept.
  ///   - policy: When the store saves, tries again and sweeps.
  ///   - clock: For all of its pauses.
  ///   - isExpired: Whether a value is to be removed; asked when it is loaded and from time to
  ///     time. Default: never.
  ///   - report: Told what could not be done.
  public convenience init<C: Clock>(
    backing: any StoreBacking<Key, Value>,
    policy: StorePolicy = StorePolicy(),
    clock: C = ContinuousClock(),
    isExpired: (@MainActor (Key, Value) -> Bool)? = nil,
    report: @escaping @MainActor (StoreFailure) -> Void = { _ in }
  ) where C.Duration == Duration {
    let start = clock.now
    self.init(
      backing: backing, policy: policy, executor: nil,
      now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) },
      isExpired: isExpired, report: report)
  }

  /// Makes a store that goes on only when a test lets it: all else is on the main actor.
  ///
  /// - Parameters:
  ///   - executor: Preferred by the store's own tasks, wherever they are not on the main actor.
  ///   - now: The time on a clock that is never set back.
  ///   - sleep: Throws when the task is cancelled.
  init(
    backing: any StoreBacking<Key, Value>,
    policy: StorePolicy,
    executor: (any TaskExecutor)?,
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    isExpired: (@MainActor (Key, Value) -> Bool)? = nil,
    report: @escaping @MainActor (StoreFailure) -> Void
  ) {
    self.backing = backing
    self.policy = policy
    self.executor = executor
    self.now = now
    self.sleep = sleep
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
    // A running save holds the store, so none is running.
    if !isClosed, schedule.unsavedCount > 0 || removesLoaded {
      let rest = StoreRest(
        backing: backing, changes: changes(of: schedule.begin() ?? []),
        kept: removesLoaded ? changedSinceLoad : nil)
      Task { [report] in
        if let error = await rest.save() {
          report(.lost(error, unsaved: max(rest.changes.count, 1)))
        }
      }
    }
  }

  /// The value of a key, or `nil` if there is none or it is not loaded yet.
  ///
  /// A read under observation is notified when this key changes, and for no other key.
  public subscript(key: Key) -> Value? {
    get {
      let (cell, forgotten) = cells.cell(for: key)
      for cell in forgotten { cell.invalidate() }
      return cell.value
    }
    set { set(newValue, for: key) }
  }

  /// The keys that have a value, in no order.
  ///
  /// A read under observation is notified when a key is added or removed.
  ///
  /// - Complexity: O(keys).
  public var keys: [Key] {
    _ = membership.value
    return Array(cells.keys)
  }

  /// Whether everything has been loaded.
  public var isLoaded: Bool { loadedCell.value == true }

  /// How many keys have changes that are not saved.
  public var unsavedCount: Int { schedule.unsavedCount }

  /// Removes all values here and from the backing, including those that are not loaded yet.
  ///
  /// - Complexity: O(keys).
  public func removeAll() {
    if isClosed { return report(.closed) }
    removeEverything()
  }

  /// Removes all values, even when changes are refused.
  func removeEverything() {
    for key in Array(cells.keys) { change(nil, for: key) }
    if changedSinceLoad != nil { removesLoaded = true }
  }

  /// Removes what the backing had, now that it is known, except what was changed here since.
  private func removeLoaded(_ keys: some Sequence<Key>) {
    guard removesLoaded else { return }
    for key in keys where !isOurs(key) { change(nil, for: key) }
    removesLoaded = false
  }

  private func set(_ value: Value?, for key: Key) {
    if isClosed { return report(.closed) }
    if gate.withLock({ $0.isShut }) { return report(.sessionEnded) }
    // Before the load ends it is not known what the backing has.
    if loadedCell.current == true, cells.current(key) == value { return }
    change(value, for: key)
  }

  private func change(_ value: Value?, for key: Key) {
    changedSinceLoad?.insert(key)
    schedule.change(key, now: now())
    show(value, for: key)
    startTimer()
  }

  /// Sets what observers see.
  private func show(_ value: Value?, for key: Key) {
    let (cell, isNewOrGone, forgotten) = cells.place(key, hasValue: value != nil)
    cell.set(value)
    for cell in forgotten { cell.invalidate() }
    if isNewOrGone { membership.set((membership.current ?? 0) &+ 1) }
  }

  /// Shows what was loaded, except what was changed meanwhile.
  private func takeIn(_ values: [Key: Value]) {
    removeLoaded(values.keys)
    for key in Array(cells.keys) where values[key] == nil && !isOurs(key) { show(nil, for: key) }
    for (key, value) in values where !isOurs(key) { show(value, for: key) }
    changedSinceLoad = nil
    loadedCell.set(true)
    removeExpired()
  }

  /// Whether a load has nothing to say about a key, because it was changed here meanwhile.
  private func isOurs(_ key: Key) -> Bool {
    changedSinceLoad?.contains(key) == true || schedule.isDirty(key)
  }

  private func changes(of keys: [Key]) -> StoreChanges<Key, Value> {
    var changes = StoreChanges<Key, Value>()
    for key in keys {
      if let value = cells.current(key) {
        changes.updated[key] = value
      } else {
        changes.removed.insert(key)
      }
    }
    return changes
  }

  /// How many keys are remembered only because a view has asked for them.
  var absentCount: Int { cells.absentCount }

  private func startSweep() {
    sweep = Task { [weak self, sleep, pause = policy.sweepEvery] in
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

extension ObservableStore {
  /// Returns when everything has been loaded, or the store was closed before that.
  public func waitUntilLoaded() async {
    while let loading { await loading.value }
  }

  /// Loads again, after something else has changed what the backing has.
  ///
  /// Values that are gone there go here as well, but for those that were changed here and are not
  /// saved, or were changed while it loads.
  public func reload() async {
    if !isClosed {
      loading?.cancel()
      startLoading()
    }
    await waitUntilLoaded()
  }

  /// Loads, again after a failure, until it works or the store is gone.
  private func startLoading() {
    // What is being saved may be loaded as it was before.
    let unsaved = schedule.unsavedKeys
    // What was set after a removal stays, also if it is saved already when the removal is made.
    changedSinceLoad = removesLoaded ? unsaved.union(changedSinceLoad ?? []) : unsaved
    loading = Task { [weak self, backing, executor, sleep] in
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

  /// Finds out which keys the backing has, if all of them are to be removed.
  ///
  /// It does not wait for the running load, which may be in the pause after a failure.
  private func markRemoved() async throws {
    guard removesLoaded else { return }
    removeLoaded(try await backing.load().keys)
  }

  /// Takes in what was loaded, unless the load was given up.
  private func endLoading(_ values: [Key: Value]) {
    guard !Task.isCancelled else { return }
    loading = nil
    takeIn(values)
  }

  /// Returns the pause before the load is tried again.
  private func report(_ error: any Error, _ failures: Int) -> Duration? {
    guard !Task.isCancelled else { return nil }
    let pause = policy.backoff.delay(afterAttempts: failures, random: .random(in: 0..<1))
    report(.load(error, nextTry: pause))
    return pause
  }
}

// MARK: Saving

extension ObservableStore {
  /// Saves everything that was changed before the call.
  ///
  /// Call it when the process may end soon, for example on SIGTERM or when the app goes to the
  /// background. It does not wait for a pause after a failure.
  ///
  /// - Throws: What the backing throws. The changes are kept, and saved later.
  public func flush() async throws {
    try await markRemoved()
    let version = schedule.lastVersion
    while schedule.hasUnsaved(upTo: version) {
      if let saving {
        // What it saves need not be all, and its failure has been reported.
        _ = try? await saving.value
      } else {
        try await beginSave()?.value
      }
    }
  }

  /// Saves what is left and ends the store; later changes are refused and reported.
  ///
  /// Calling it again waits for the same end.
  ///
  /// - Throws: What the backing throws. The store is open again then, and the changes are kept:
  ///   close it once more.
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

  /// Waits, as long as there is anything to save, until it is due.
  private func startTimer() {
    guard timer == nil, !isClosed, schedule.deadline != nil else { return }
    timer = Task { [weak self, executor, sleep] in
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

  /// How long to wait before the next save; `nil` to end the timer.
  private func pauseBeforeSave() -> Duration? {
    guard let deadline = schedule.deadline else {
      timer = nil
      return nil
    }
    return deadline - now()
  }

  /// Saves all that is not saved, in one transaction; `nil` if there is nothing to do.
  private func beginSave() -> Task<Void, any Error>? {
    guard let keys = schedule.begin() else { return nil }
    let changes = changes(of: keys)
    // It holds the store until it ends.
    let task = Task {
      do {
        try await withTaskExecutorPreference(executor) { try await backing.save(changes) }
        schedule.succeed()
        saving = nil
        // It may sleep through the pause after a failure, which has no reason any more.
        timer?.cancel()
        timer = nil
        startTimer()
      } catch {
        let pause = schedule.fail(now: now(), random: .random(in: 0..<1))
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
