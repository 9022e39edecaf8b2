/// Who wants to know about changes of a view state.
@MainActor
@usableFromInline
final class ObservationTable {
  /// True while there is anything to do after a step.
  ///
  /// Unchecked because every access to it is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline private(set) var isActive = false

  /// Unchecked because only the table's own methods touch it, on the main actor, and none of them
  /// calls an observer while it is changed.
  @exclusivity(unchecked) private var armed: [ArmedCell] = []
  private var subscribers: [Subscriber] = []
  private var nextSubscriber = 0

  /// How many cells are compared after each publication.
  var armedCount: Int { armed.count }

  /// A cell with a copy of what most comparisons need, so that they touch one piece of memory.
  private struct ArmedCell {
    let cell: ObservationCell
    let place: UnsafeRawPointer?
    let seen: UnsafeMutableRawPointer?
    let size: Int

    /// Whether the value differs from the one that was seen.
    @MainActor var hasChanged: Bool {
      // Values with the same bytes are equal: the same number, or the same storage.
      if let place, let seen, UnsafeRawPointer(seen).hasSameBytes(as: place, count: size) {
        return false
      }
      return cell.isDifferent()
    }
  }

  /// A stream of view states.
  private struct Subscriber {
    let number: Int
    let publish: @MainActor () -> Void
    let finish: @MainActor () -> Void
  }

  @usableFromInline nonisolated init() {}

  /// Has a cell compared after each publication until it has changed.
  func arm(_ cell: ObservationCell) {
    armed.append(
      ArmedCell(cell: cell, place: cell.place?.address, seen: cell.seen, size: cell.size))
    isActive = true
  }

  /// Yields the value after each publication, until the stream's consumer is gone.
  func subscribe<Value: Sendable>(
    _ continuation: AsyncStream<Value>.Continuation, _ read: @escaping @MainActor () -> Value
  ) {
    let subscriber = nextSubscriber
    nextSubscriber += 1
    subscribers.append(
      Subscriber(
        number: subscriber, publish: { continuation.yield(read()) },
        finish: { continuation.finish() }))
    isActive = true
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.unsubscribe(subscriber) }
    }
  }

  private func unsubscribe(_ subscriber: Int) {
    subscribers.removeAll { $0.number == subscriber }
    updateActivity()
  }

  /// Ends all streams, and lets go of what was seen.
  func close() {
    let armed = self.armed
    self.armed = []
    for entry in armed {
      entry.cell.disarm()
    }
    for subscriber in subscribers {
      subscriber.finish()
    }
    subscribers = []
    updateActivity()
  }

  /// Notifies the observers of what has changed, each once, and the subscribers.
  ///
  /// Complexity: O(*n*) in the number of armed cells and subscribers.
  @usableFromInline
  func publish() {
    if !isActive { return }
    // Taken out, because comparing runs code of the feature's, which may read, and so arm cells.
    var compared: [ArmedCell] = []
    swap(&compared, &armed)
    var kept = 0
    // Usually one part has changed; only more of them need an array.
    var first: ObservationCell?
    var others: [ObservationCell] = []
    for position in compared.indices {
      if compared[position].hasChanged {
        if first == nil {
          first = compared[position].cell
        } else {
          others.append(compared[position].cell)
        }
      } else {
        if kept != position { compared[kept] = compared[position] }
        kept += 1
      }
    }
    if kept == 0 {
      compared.removeAll(keepingCapacity: true)
    } else if kept < compared.count {
      compared.removeSubrange(kept...)
    }
    if !armed.isEmpty { compared += armed }
    swap(&compared, &armed)
    if let first {
      updateActivity()
      // All are disarmed before one is notified: observers may read, and so arm cells, or send.
      first.expire()
      for cell in others { cell.expire() }
      first.notify()
      for cell in others { cell.notify() }
    }
    if subscribers.isEmpty { return }
    for subscriber in subscribers {
      subscriber.publish()
    }
  }

  private func updateActivity() {
    isActive = !armed.isEmpty || !subscribers.isEmpty
  }
}
