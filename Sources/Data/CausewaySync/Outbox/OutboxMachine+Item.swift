import CausewayBasics
import Foundation

extension OutboxMachine.Item {
  /// An entry that was never sent.
  init(_ entry: OutboxEntry, requires: [Int64]) {
    self.init(
      sequence: entry.sequence, collection: entry.collection, scope: entry.scope,
      requires: requires)
  }

  /// An entry with the state that an earlier attempt or run has stored.
  init(_ entry: WaitingEntry, _ surroundings: Surroundings, _ table: RetryTable) {
    let failures = FailureCounts(text: entry.failures)
    let longest = table.longestWait(isLost: failures.isLoss)
    var due = Duration.zero
    if let next = entry.nextAttempt {
      let wait = next.timeIntervalSince(surroundings.date)
      // A date further away than the longest wait was stored before the clock was set back. Such a
      // date may also be too far away for a `Duration`.
      let isNear = wait < longest / .seconds(1)
      due = surroundings.now() + (isNear ? .seconds(max(wait, 0)) : longest)
    }
    self.init(
      sequence: entry.sequence, collection: entry.collection, scope: entry.scope,
      attempts: FailureCounts.plausible(entry.attempts), failures: failures, due: due,
      isLost: failures.isLoss,
      requires: EntryList(text: entry.requires).sequences)
  }
}

/// How often sending an entry has failed, for each kind of failure.
struct FailureCounts: Sendable, Equatable {
  private var counts: [RemoteFailure.Kind: Int] = [:]

  init() {}

  /// Reads the form that ``text`` writes; ignores kinds that this version does not know.
  init(text: String) {
    for part in text.split(separator: ",") {
      let pair = part.split(separator: " ")
      guard pair.count == 2, let kind = RemoteFailure.Kind(rawValue: String(pair[0])),
        let count = Int(pair[1])
      else { continue }
      counts[kind] = Self.plausible(count)
    }
  }

  /// A stored count of attempts, limited so that later attempts can be added to it.
  static func plausible(_ count: Int) -> Int { min(max(count, 0), Int(Int32.max)) }

  /// The counts in stored form, such as `garbled 2,timedOut 1`; empty if there are no failures.
  var text: String {
    counts.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ",")
  }

  /// Whether all failures mean that the server could not be reached; `false` without failures.
  var isLoss: Bool {
    !counts.isEmpty && counts.keys.allSatisfy { RemoteFailure($0).isLoss }
  }

  subscript(kind: RemoteFailure.Kind) -> Int { counts[kind, default: 0] }

  mutating func add(_ kind: RemoteFailure.Kind) {
    counts[kind, default: 0] += 1
  }
}
