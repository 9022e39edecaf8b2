/// A consumer of view states.
///
/// Records whether the consumer has taken the last view state.
///
/// The class is not generic. Consumers can be many, and generic code looks up metadata at run time.
@MainActor
final class StateSubscription {
  /// Whether there is a view state that the consumer has not taken.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) var isDue = true
  private var isFinished = false
  private let table: ObservationTable
  /// The waiting consumer.
  ///
  /// The continuation is unchecked, because a checked one would cost an allocation for each
  /// element. Each call of `resume` first takes the waiter out, on the main actor, so the waiter is
  /// resumed once.
  private var waiter: UnsafeContinuation<Void, Never>?

  init(_ table: ObservationTable) {
    self.table = table
    table.subscribe(self)
  }

  /// Marks the current view state as not taken yet, and wakes a waiting consumer.
  func publish() {
    isDue = true
    waiter.take()?.resume()
  }

  /// Ends the sequence.
  ///
  /// If the consumer has not taken the last view state yet, it receives that view state first.
  func finish() {
    isFinished = true
    waiter.take()?.resume()
  }

  func cancel() {
    table.unsubscribe(self)
    waiter.take()?.resume()
  }

  /// Waits for a view state that was not taken yet, and takes it.
  ///
  /// Returns false at the end and in a cancelled task.
  func take() async -> Bool {
    if Task.isCancelled { return false }
    if !isDue {
      if isFinished { return false }
      await wait()
    }
    defer { isDue = false }
    return isDue
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        waiter.take()?.resume()
        if Task.isCancelled { return continuation.resume() }
        waiter = continuation
      }
    } onCancel: {
      Task { @MainActor in waiter.take()?.resume() }
    }
  }
}
