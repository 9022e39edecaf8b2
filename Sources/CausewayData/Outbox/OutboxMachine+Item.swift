import Foundation

extension OutboxMachine.Item {
  /// An entry that was never sent.
  init(_ entry: OutboxEntry, requires: [Int64]) {
    self.init(
      sequence: entry.sequence, collection: entry.collection, scope: entry.scope,
      requires: requires)
  }

  /// An entry in the state in which an earlier attempt or run has stored it.
  init(_ entry: WaitingEntry, _ environment: SyncEnvironment, _ backoff: Backoff) {
    var due = Duration.zero
    if let next = entry.nextAttempt {
      let wait = Duration.seconds(next.timeIntervalSince(environment.date()))
      // A date further away than the longest wait was stored before the clock was set back.
      due = environment.now() + min(max(wait, .zero), backoff.cap)
    }
    self.init(
      sequence: entry.sequence, collection: entry.collection, scope: entry.scope,
      attempts: entry.attempts, failures: FailureCounts(text: entry.failures), due: due,
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
      counts[kind] = count
    }
  }

  /// The counts in stored form, such as `garbled 2,timedOut 1`; empty if there are no failures.
  var text: String {
    counts.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ",")
  }

  subscript(kind: RemoteFailure.Kind) -> Int { counts[kind, default: 0] }

  mutating func add(_ kind: RemoteFailure.Kind) {
    counts[kind, default: 0] += 1
  }
}
