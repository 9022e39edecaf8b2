import CausewayBasics

/// Decides when the receipts of acknowledged entries are stored.
///
/// A value that is part of ``OutboxMachine``. Times are offsets on a clock that is never set back.
struct ReceiptSchedule: Sendable {
  /// The number of receipts that are stored together.
  static let batchSize = 256
  /// The longest time that a receipt waits for other receipts or for a read.
  static let delay = Duration.seconds(1)

  /// Receipts that no transaction is storing.
  private var unsaved: Set<Int64> = []
  /// The receipts in `unsaved` for which no read is expected.
  private var unread: Set<Int64> = []
  /// Receipts that a transaction is storing.
  private var saving: Set<Int64> = []
  /// Receipts that could not be stored alone, and the times of their next attempts.
  ///
  /// Each of these receipts has its own wait. Otherwise the success of other receipts would end the
  /// wait of a receipt that can never be stored.
  private var failed: [Int64: (failures: Int, due: Duration)] = [:]
  /// The latest time to store the receipts of `unsaved`.
  private var due: Duration?

  /// Whether a transaction is storing receipts.
  var isSaving: Bool { !saving.isEmpty }

  /// The time at which receipts must be stored; `nil` while a transaction stores receipts.
  var wake: Duration? {
    guard saving.isEmpty else { return nil }
    return ([unsaved.isEmpty ? nil : due] + failed.values.map(\.due)).compactMap(\.self).min()
  }

  mutating func add(_ sequence: Int64, isReadSoon: Bool, now: Duration) {
    unsaved.insert(sequence)
    if !isReadSoon { unread.insert(sequence) }
    if due == nil { due = now + Self.delay }
  }

  /// Returns receipts for the caller to store; the caller reports the result.
  ///
  /// Receipts that could not be stored alone are left out, because they would make the caller's
  /// transaction fail.
  ///
  /// - Parameter wanted: The receipts to return; `nil` for all.
  /// - Complexity: O(wanted).
  mutating func claim(_ wanted: Set<Int64>? = nil) -> [Int64] {
    let claimed = wanted.map { $0.intersection(unsaved) } ?? unsaved
    unsaved.subtract(claimed)
    unread.subtract(claimed)
    saving.formUnion(claimed)
    if unsaved.isEmpty { due = nil }
    return claimed.sorted()
  }

  /// Returns the receipts to store now.
  ///
  /// Receipts are stored when there are many of them, or when they have waited long enough. They
  /// are also stored when no other answer is expected and no read will store them.
  mutating func claimDue(_ now: Duration, isSending: Bool) -> [Int64] {
    guard saving.isEmpty else { return [] }
    let again = failed.filter { $0.value.due <= now }.map(\.key)
    let isDue = due.map { $0 <= now } ?? false
    let isFull = unsaved.count >= Self.batchSize || (!unread.isEmpty && !isSending)
    let first = isDue || isFull ? claim() : []
    saving.formUnion(again)
    return (first + again).sorted()
  }

  /// Records that receipts were committed.
  mutating func saved(_ sequences: [Int64]) {
    saving.subtract(sequences)
    for sequence in sequences { failed[sequence] = nil }
  }

  /// Records that receipts could not be stored alone.
  mutating func notSaved(_ sequences: [Int64], now: Duration, _ backoff: Backoff, random: Double) {
    for sequence in saving.intersection(sequences) {
      let failures = (failed[sequence]?.failures ?? 0) + 1
      failed[sequence] = (
        failures, now + backoff.delay(afterAttempts: failures, random: random)
      )
      saving.remove(sequence)
    }
  }

  /// Records that a transaction failed for another reason.
  mutating func unclaimed(_ sequences: [Int64], now: Duration) {
    let released = saving.intersection(sequences)
    saving.subtract(released)
    let unfailed = released.filter { failed[$0] == nil }
    unsaved.formUnion(unfailed)
    unread.formUnion(unfailed)
    if due == nil, !unfailed.isEmpty { due = now + Self.delay }
  }

  /// Records that the read that should have stored receipts has failed.
  mutating func readFailed(_ sequences: [Int64]) {
    unread.formUnion(unsaved.intersection(sequences))
  }

  /// Ends all waits.
  mutating func retryNow(_ now: Duration) {
    if due != nil { due = now }
    for sequence in failed.keys { failed[sequence]?.due = now }
  }
}
