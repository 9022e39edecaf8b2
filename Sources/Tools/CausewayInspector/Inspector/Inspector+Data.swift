package import CausewayBasics

extension Inspector {
  /// Also shows what the data layer of the program does: live queries, the mutations of outboxes,
  /// answers of caches, and requests.
  ///
  /// A query is shown with its text, without its bound values; a mutation without its payload; a
  /// request without header fields, body, and the values of its address's query. The keys of caches
  /// and the other parts of paths are shown. A part of a path after a part with a usual name of a
  /// secret, such as `/tokens/4711`, is hidden.
  ///
  /// Without this call, the data layer makes no signals. The call follows all databases, outboxes,
  /// caches and network services of the process, until ``stop()``, even if the inspector is
  /// released before.
  ///
  /// - Parameter names: Further parts of paths whose next part is hidden: `["invitations"]` hides the
  ///   code in `/invitations/4711`.
  public func followData(hidingAfter names: Set<String> = []) {
    followData(hidingAfter: names) { _ in true }
  }

  /// - Parameter isWanted: Whether a signal is shown; a test leaves out the signals of other tests.
  package func followData(
    hidingAfter names: Set<String>, where isWanted: @escaping @Sendable (DataSignal) -> Bool
  ) {
    let queue = queue
    queue.follow(
      DataSignals.observe { signal in
        guard isWanted(signal) else { return }
        queue.addSignal { RecordedEvent(signal, n: $0, at: $1, hiding: names) }
      })
  }
}
