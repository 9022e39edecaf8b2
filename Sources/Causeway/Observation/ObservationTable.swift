/// Who wants to know about changes of a view state.
@MainActor
@usableFromInline
final class ObservationTable {
  /// True while there is anything to do after a step.
  ///
  /// Unchecked because every access to it is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline private(set) var isActive = false

  private var armed: [ObservationCell] = []
  private var subscribers: [Int: Subscriber] = [:]
  private var nextSubscriber = 0

  /// A stream of view states.
  private struct Subscriber {
    let publish: @MainActor () -> Void
    let finish: @MainActor () -> Void
  }

  @usableFromInline nonisolated init() {}

  /// Has a cell compared after each publication until it has changed.
  func arm(_ cell: ObservationCell) {
    armed.append(cell)
    isActive = true
  }

  /// Yields the value after each publication, until the stream's consumer is gone.
  func subscribe<Value: Sendable>(
    _ continuation: AsyncStream<Value>.Continuation, _ read: @escaping @MainActor () -> Value
  ) {
    let subscriber = nextSubscriber
    nextSubscriber += 1
    subscribers[subscriber] = Subscriber(
      publish: { continuation.yield(read()) }, finish: { continuation.finish() })
    isActive = true
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.unsubscribe(subscriber) }
    }
  }

  private func unsubscribe(_ subscriber: Int) {
    subscribers[subscriber] = nil
    updateActivity()
  }

  /// Ends all streams.
  func close() {
    for subscriber in subscribers.values {
      subscriber.finish()
    }
    subscribers = [:]
    updateActivity()
  }

  /// Notifies the observers of what has changed, each once, and the subscribers.
  ///
  /// Complexity: O(*n*) in the number of armed cells and subscribers.
  func publish() {
    guard isActive else { return }
    var changed: [ObservationCell] = []
    armed.removeAll { cell in
      guard cell.hasChanged() else { return false }
      changed.append(cell)
      return true
    }
    updateActivity()
    // Observers may read, and so arm cells, or send: both find the table in order.
    for cell in changed {
      cell.notify()
    }
    for subscriber in subscribers.values {
      subscriber.publish()
    }
  }

  private func updateActivity() {
    isActive = !armed.isEmpty || !subscribers.isEmpty
  }
}
