/// Which keys are not saved, and when they are.
///
/// A value without tasks and without a clock: the store passes in events and times.
struct SaveSchedule<Key: Hashable> {
  private let policy: StorePolicy
  /// The keys that no save has begun to save, each with the version of its oldest such change.
  ///
  /// The oldest, because a key that is changed again and again must not look as if it had only just
  /// been changed, and a flush that waits for its first change would return too early.
  private var waiting: [Key: UInt64] = [:]
  /// What the running save saves, with the same versions; `nil` when none is running.
  private var saving: [Key: UInt64]?
  private(set) var lastVersion: UInt64 = 0
  /// When the oldest change came that no save has begun to save.
  private var firstChange: Duration?
  private var lastChange = Duration.zero
  private var failures = 0
  private var retryAt: Duration?

  init(policy: StorePolicy) {
    self.policy = policy
  }

  /// How many keys have changes that are not saved.
  ///
  /// - Complexity: O(keys that are being saved).
  var unsavedCount: Int {
    waiting.count + (saving ?? [:]).keys.count { waiting[$0] == nil }
  }

  /// The keys with changes that are not saved, with those that are being saved.
  var unsavedKeys: Set<Key> { Set(waiting.keys).union((saving ?? [:]).keys) }

  func isDirty(_ key: Key) -> Bool { waiting[key] != nil || saving?[key] != nil }

  /// Whether a change up to a version is not saved.
  ///
  /// - Complexity: O(unsaved keys).
  func hasUnsaved(upTo version: UInt64) -> Bool {
    [waiting, saving ?? [:]].contains { $0.values.contains { $0 <= version } }
  }

  /// When to save; `nil` while there is nothing to save or a save is running.
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

  /// Begins to save all that is not saved; `nil` if there is nothing, or a save is running.
  mutating func begin() -> [Key]? {
    guard saving == nil, !waiting.isEmpty else { return nil }
    let keys = Array(waiting.keys)
    (saving, waiting) = (waiting, [:])
    firstChange = nil
    return keys
  }

  /// Ends the running save.
  ///
  /// What was changed since it began is still to be saved.
  mutating func succeed() {
    saving = nil
    failures = 0
    retryAt = nil
  }

  /// Ends the running save without having saved anything; returns when it is tried again.
  mutating func fail(now: Duration, random: Double) -> Duration {
    // Those of the save are older.
    waiting.merge(saving ?? [:]) { _, older in older }
    saving = nil
    failures += 1
    // All of it has waited long enough; only the pause holds it back.
    firstChange = now - policy.maximumWait
    let pause = policy.backoff.delay(afterAttempts: failures, random: random)
    retryAt = now + pause
    return pause
  }
}
