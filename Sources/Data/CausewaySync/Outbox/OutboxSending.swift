import CausewayBasics
import CausewayNetwork

/// A request in progress.
struct OutboxSending: Sendable {
  /// The entries of the request: at least one, of one scope, in order.
  let entries: [OutboxEntry]
  let ticket: SessionTicket
  let contact: ServerContact
  let route: OutboxRoute
  let attempt: Attempt
  /// The longest time for the request; `nil` for no limit.
  let timeout: Duration?
  let surroundings: Surroundings

  /// Sends the entries, and returns the answer; `nil` if the session or the outbox has ended.
  @concurrent
  func perform() async -> Result<OutboxRoute.Results, RemoteFailure>? {
    for entry in entries { DataSignals.send(entry.signal(.sent)) }
    do {
      let results = try await attempt.perform(timeout: timeout, surroundings) {
        try await ServerContact.$current.withValue(contact) {
          try await ticket.run { try await route.send(entries) }
        }
      }
      return .success(results)
    } catch {
      // The send was cancelled, and its answer is ignored.
      if Task.isCancelled || !ticket.isCurrent { return nil }
      return .failure(RemoteFailure(error))
    }
  }

  /// Whether the entries are sent in smaller requests after a failure.
  func maySplit(after failure: RemoteFailure) -> Bool {
    entries.count > 1 && failure.mayConcernOneEntry
  }

  /// The results of the first entries; the other entries are sent again.
  func results(
    of answer: Result<OutboxRoute.Results, RemoteFailure>, _ table: RetryTable
  ) -> OutboxRoute.Results {
    switch answer {
    case .success(let given):
      // If the list were empty, the outbox would send the batch again immediately and forever.
      return given.isEmpty ? [.failure(RemoteFailure(.garbled, "An answer is missing."))] : given
    case .failure(let failure):
      if maySplit(after: failure), !table.retriesForEver(failure) { return [] }
      return [.failure(failure)]
    }
  }
}

extension RemoteFailure {
  /// Whether one entry of a batch may be the reason why the whole request failed.
  fileprivate var mayConcernOneEntry: Bool {
    switch kind {
    case .unreachable, .busy, .unauthorized: false
    case .timedOut, .serverFault, .rejected, .conflict, .garbled, .unsendable, .dependencyFailed,
      .unknown:
      true
    }
  }
}

extension RetryTable {
  fileprivate func retriesForEver(_ failure: RemoteFailure) -> Bool {
    self[failure.kind] == .retry(limit: nil)
  }
}
