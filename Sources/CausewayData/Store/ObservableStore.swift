public import Observation
import Synchronization

/// Values by key that views observe one by one, and that are saved behind.
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
  let executor: (any TaskExecutor)?
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void
  let report: @MainActor (StoreFailure) -> Void
  private let isExpired: (@MainActor (Key, Value) -> Bool)?

  var cells = StoreCells<Key, Value>()
  /// Changes when a key comes or goes.
  private let membership = StoreCell<Int>()
  private let loadedCell = StoreCell<Bool>()

  var schedule: SaveSchedule<Key>
  /// The keys that were changed since the load began; `nil` when no load is running.
  var changedSinceLoad: Set<Key>? = []
  /// Whether what is being loaded is to be removed.
  private(set) var removesLoaded = false
  var timer: Task<Void, Never>?
  var saving: Task<Void, any Error>?
  var loading: Task<Void, Never>?
  private var sweep: Task<Void, Never>?
  /// The close that is under way.
  var closing: Task<Void, any Error>?
  var isClosed = false

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

  /// Removes all values, and from the backing too, also those that are not loaded yet.
  ///
  /// - Complexity: O(keys).
  public func removeAll() {
    if isClosed { return report(.closed) }
    removeEverything()
  }

  /// Removes all values, whether or not anybody else may change them.
  func removeEverything() {
    for key in Array(cells.keys) { change(nil, for: key) }
    if changedSinceLoad != nil { removesLoaded = true }
  }

  /// Removes what the backing had, now that it is known, except what was changed here since.
  func removeLoaded(_ keys: some Sequence<Key>) {
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
  func takeIn(_ values: [Key: Value]) {
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

  func changes(of keys: [Key]) -> StoreChanges<Key, Value> {
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

  func endSweep() {
    sweep?.cancel()
  }
}
