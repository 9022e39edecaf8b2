/// The observed parts of a view state and the consumers of its values.
@MainActor
@usableFromInline
final class ObservationTable {
  /// Whether there is any work after a step.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline private(set) var isActive = false

  /// Unchecked: only the table's own methods access it, on the main actor.
  ///
  /// None of these methods calls an observer while it changes the array.
  @exclusivity(unchecked) private var armed: [ArmedCell] = []
  /// The tables of rows that are observed.
  private var branches: [Branch] = []
  private var subscribers: [StateSubscription] = []
  private var isClosed = false

  /// The table of the view state that contains the rows; `nil` for the root table.
  private let parent: ObservationTable?
  /// Returns the version of the array of rows; `nil` while there is no array.
  private let version: @MainActor () -> UInt64?
  /// Whether the parent compares the cells of this table.
  private var isAttached = false

  /// The number of armed cells, including the cells of rows.
  var armedCount: Int { branches.reduce(armed.count) { $0 + $1.table.armedCount } }

  /// The table of the rows of an array.
  ///
  /// Its cells are compared only after the array has changed.
  private struct Branch {
    let table: ObservationTable
    var lastVersion: UInt64?
  }

  /// A cell with copies of the data that most comparisons need, for memory locality.
  private struct ArmedCell {
    let cell: ObservationCell
    let place: UnsafeRawPointer?
    let seen: UnsafeMutableRawPointer?
    let size: Int

    /// Whether the value differs from the stored one.
    @MainActor var hasChanged: Bool {
      // Values with the same bytes are equal: the same number, or the same storage.
      if let place, let seen, UnsafeRawPointer(seen).hasSameBytes(as: place, count: size) {
        return false
      }
      return cell.isDifferent()
    }
  }

  @usableFromInline
  nonisolated init() {
    parent = nil
    version = { nil }
  }

  /// Makes the table of the rows of an array.
  ///
  /// - Parameters:
  ///   - parent: The table of the view state that contains the array.
  ///   - version: Returns the version of the array; `nil` while there is no array.
  @usableFromInline
  init(rowsIn parent: ObservationTable, version: @escaping @MainActor () -> UInt64?) {
    self.parent = parent
    self.version = version
  }

  private func becomeActive() {
    isActive = true
    guard let parent, !isAttached else { return }
    isAttached = true
    parent.branches.append(Branch(table: self, lastVersion: version()))
    parent.becomeActive()
  }

  /// Compares a cell after each publication until its value has changed.
  func arm(_ cell: ObservationCell) {
    armed.append(
      ArmedCell(cell: cell, place: cell.place?.address, seen: cell.seen, size: cell.size))
    becomeActive()
  }

  /// Notifies a consumer of view states of each publication.
  func subscribe(_ subscription: StateSubscription) {
    if let parent { return parent.subscribe(subscription) }
    if isClosed { return subscription.finish() }
    subscribers.append(subscription)
    isActive = true
  }

  /// Complexity: O(*n*) in the number of consumers.
  func unsubscribe(_ subscription: StateSubscription) {
    if let parent { return parent.unsubscribe(subscription) }
    subscribers.removeAll { $0 === subscription }
    updateActivity()
  }

  /// Ends all streams and releases the stored values.
  func close() {
    isClosed = true
    let armed = self.armed
    self.armed = []
    for entry in armed {
      entry.cell.disarm()
    }
    for branch in branches {
      branch.table.isAttached = false
      branch.table.close()
    }
    branches = []
    for subscriber in subscribers {
      subscriber.finish()
    }
    subscribers = []
    updateActivity()
  }

  /// Notifies each observer of a changed value once, and then the subscribers.
  ///
  /// Complexity: O(*n*) in the number of armed cells and of subscribers that have taken the last
  /// value. The cells of rows count only if their array has changed.
  @usableFromInline
  func publish() {
    if !isActive { return }
    // Usually only one part has changed. An array is needed only for several changes.
    var first: ObservationCell?
    var others: [ObservationCell] = []
    collectChanged(&first, &others)
    if let first {
      // All cells are disarmed before the first notification: an observer may send, or arm cells by
      // reading.
      first.expire()
      for cell in others { cell.expire() }
      first.notify()
      for cell in others { cell.notify() }
    }
    if subscribers.isEmpty { return }
    for subscriber in subscribers where !subscriber.isDue {
      subscriber.publish()
    }
  }

  /// Removes the armed cells whose values have changed, and returns them in the parameters.
  private func collectChanged(_ first: inout ObservationCell?, _ others: inout [ObservationCell]) {
    // The list is emptied first: a comparison runs the feature's code, which may arm cells by
    // reading.
    var compared: [ArmedCell] = []
    swap(&compared, &armed)
    var kept = 0
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
    if !branches.isEmpty { collectChangedRows(&first, &others) }
    updateActivity()
  }

  private func collectChangedRows(
    _ first: inout ObservationCell?, _ others: inout [ObservationCell]
  ) {
    // Iterates by index: a comparison runs code of the feature, which may add branches.
    var position = 0
    while position < branches.count {
      let table = branches[position].table
      let version = table.version()
      if version == nil || version != branches[position].lastVersion {
        branches[position].lastVersion = version
        table.collectChanged(&first, &others)
        // The comparison may have released the last view model, which removes all branches.
        guard position < branches.count else { return }
      }
      if table.isActive {
        position += 1
      } else {
        table.isAttached = false
        branches.remove(at: position)
      }
    }
  }

  private func updateActivity() {
    isActive = !armed.isEmpty || !branches.isEmpty || !subscribers.isEmpty
  }
}
