import CausewayBasics

/// The keys with unsaved changes, and the time of the next save.
///
/// A value without tasks and without a clock. The store passes events and times to it.
struct SaveSchedule<Key: Hashable> {
  private let policy: StorePolicy
  /// The changed keys that are not in a save yet, each with the version of its oldest change.
  ///
  /// With the version of the latest change, a key that changes again and again would always look
  /// recent. A flush that waits for the first change would then return too early.
  private var waiting: [Key: UInt64] = [:]
  /// The keys of the running save, with the same versions; `nil` if no save is running.
  private var saving: [Key: UInt64]?
  private(set) var lastVersion: UInt64 = 0
  /// The time of the oldest change that is not in a save yet.
  private var firstChange: Duration?
  private var lastChange = Duration.zero
  private var failures = 0
  private var retryAt: Duration?

  init(policy: StorePolicy) {
    self.policy = policy
  }

  /// The number of keys with unsaved changes.
  ///
  /// - Complexity: O(keys that are being saved).
  var unsavedCount: Int {
    waiting.count + (saving ?? [:]).keys.count { waiting[$0] == nil }
  }

  /// The keys with unsaved changes, including the keys that are being saved.
  var unsavedKeys: Set<Key> { Set(waiting.keys).union((saving ?? [:]).keys) }

  func isDirty(_ key: Key) -> Bool { waiting[key] != nil || saving?[key] != nil }

  /// Whether any change up to a version is unsaved.
  ///
  /// - Complexity: O(unsaved keys).
  func hasUnsaved(upTo version: UInt64) -> Bool {
    [waiting, saving ?? [:]].contains { $0.values.contains { $0 <= version } }
  }

  /// The time of the next save; `nil` if there is nothing to save or a save is running.
  var deadline: Duration? {
    guard !waiting.isEmpty, saving == nil else { return nil }
    let due = min(
      lastChange + policy.debounce, (firstChange ?? lastChange) + policy.maximumWait)
    return max(due, retryAt ?? due)
  }

  mutating func change(_ key: Key, now: Duration) {
    lastVersion += 1
    if waiting[key] == nil { waiting[key] = lastVersion }
    lastChange = now
    if firstChange == nil { firstChange = now }
  }

  /// Begins a save of all unsaved keys; returns `nil` if there are none or a save is running.
  mutating func begin() -> [Key]? {
    guard saving == nil, !waiting.isEmpty else { return nil }
    let keys = Array(waiting.keys)
    (saving, waiting) = (waiting, [:])
    firstChange = nil
    return keys
  }

  /// Ends the running save as successful.
  ///
  /// Changes since the save began are still unsaved.
  mutating func succeed() {
    saving = nil
    failures = 0
    retryAt = nil
  }

  /// Ends the running save as failed; returns the pause before the next save.
  mutating func fail(now: Duration, random: Double) -> Duration {
    // The versions of the failed save are older.
    waiting.merge(saving ?? [:]) { _, older in older }
    saving = nil
    failures += 1
    // All keys have already waited long enough, so only the pause delays the next save.
    firstChange = now - policy.maximumWait
    let pause = policy.backoff.delay(afterAttempts: failures, random: random)
    retryAt = now + pause
    return pause
  }
}
