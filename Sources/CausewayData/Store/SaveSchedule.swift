/// Which keys are not saved, and when they are.
///
/// A value that knows no tasks and no clock: the store tells it what happens and when.
struct SaveSchedule<Key: Hashable> {
  private let policy: StorePolicy
  /// The version of each key's last change that is not saved.
  private var dirty: [Key: UInt64] = [:]
  /// What the running save saves.
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

  var unsavedCount: Int { dirty.count }
  var isSaving: Bool { saving != nil }

  /// The keys with changes that are not saved, with those that are being saved.
  var unsavedKeys: Set<Key> { Set(dirty.keys) }

  func isDirty(_ key: Key) -> Bool { dirty[key] != nil }

  /// Whether a change up to a version is not saved.
  ///
  /// - Complexity: O(unsaved keys).
  func hasUnsaved(upTo version: UInt64) -> Bool {
    dirty.values.contains { $0 <= version }
  }

  /// When to save; `nil` while there is nothing to save or a save is running.
  var deadline: Duration? {
    guard !dirty.isEmpty, saving == nil else { return nil }
    let due = min(
      lastChange + policy.debounce, (firstChange ?? lastChange) + policy.maximumWait)
    return max(due, retryAt ?? due)
  }

  mutating func change(_ key: Key, now: Duration) {
    lastVersion += 1
    dirty[key] = lastVersion
    lastChange = now
    if firstChange == nil { firstChange = now }
  }

  /// Begins to save all that is not saved; `nil` if there is nothing, or a save is running.
  mutating func begin() -> [Key]? {
    guard saving == nil, !dirty.isEmpty else { return nil }
    saving = dirty
    firstChange = nil
    return Array(dirty.keys)
  }

  /// Ends the running save.
  ///
  /// What was changed since it began is still to be saved.
  mutating func succeed() {
    for (key, version) in saving ?? [:] where dirty[key] == version { dirty[key] = nil }
    saving = nil
    failures = 0
    retryAt = nil
  }

  /// Ends the running save without having saved anything; returns when it is tried again.
  mutating func fail(now: Duration, random: Double) -> Duration {
    saving = nil
    failures += 1
    // All of it has waited long enough; only the pause holds it back.
    firstChange = now - policy.maximumWait
    let pause = policy.pause.duration(before: failures, random: random)
    retryAt = now + pause
    return pause
  }
}
