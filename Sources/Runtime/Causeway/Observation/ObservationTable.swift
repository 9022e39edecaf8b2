public import Observation

/// The observed parts of a view state and the consumers of its values.
@MainActor
@usableFromInline
final class ObservationTable: Observable {
  /// Whether there is any work after a step.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline private(set) var isActive = false

  /// Whether observers are being notified, so the state and the view state are up to date.
  ///
  /// Unchecked, like ``isActive``.
  @exclusivity(unchecked) var isNotifying = false

  // The marked properties are unchecked: only the methods of tables change them, on the main actor,
  // and no code of a feature runs during a change. A list is moved to a local variable before such
  // code runs. `rowsByID` is checked, because it compares ids while it changes.
  @exclusivity(unchecked) private var armed: [ArmedCell] = []
  /// The cells that changed between two notifications of a publication, for the next publication.
  ///
  /// A cell that has changed twice is in the list twice, for the observers of both values.
  @exclusivity(unchecked) private var due: [ObservationCell] = []
  /// The tables of observed arrays of rows.
  @exclusivity(unchecked) private var branches: [Branch] = []
  /// The tables of this array's rows, in the order of their first observations.
  ///
  /// A table without armed cells stays until all rows are compared.
  @exclusivity(unchecked) private var rows: [ObservationTable] = []
  private var rowsByID: [ChildID: ObservationTable] = [:]
  /// The number of rows with armed cells.
  @exclusivity(unchecked) private var activeRowCount = 0
  /// Whether two tables have the same row id.
  ///
  /// `rowsByID` then contains only one of them.
  private var isIndexIncomplete = false
  @exclusivity(unchecked) private var subscribers: [StateSubscription] = []
  /// The lives of removable parts that view models show; only in the table of the whole view state.
  @exclusivity(unchecked) private var lives: [ObjectIdentifier: WeakLife] = [:]
  /// Unchecked, like ``isActive``.
  @exclusivity(unchecked) private var isClosed = false
  /// Registers probes; shared by the tables of a runtime, and never notified.
  private nonisolated let registrar: ObservationRegistrar
  private nonisolated let probe: any KeyPath<ObservationTable, Void> & Sendable =
    ObservationProbe.keyPath

  /// For an array, the table of the view state that contains it; for a row, the table of its array.
  private let parent: ObservationTable?
  /// The array of rows of this table; `nil` for other tables.
  private let array: RowsReader?
  /// The id of the row; `nil` for other tables.
  private var row: ChildID?
  /// Whether the parent compares the cells of this table.
  private var isAttached = false

  /// The number of armed cells, including the cells of rows.
  var armedCount: Int {
    (branches.map(\.table) + rows).reduce(armed.count) { $0 + $1.armedCount }
  }

  /// The table of an array of rows.
  ///
  /// Its cells are compared only after the array has changed.
  private struct Branch {
    let table: ObservationTable
    let array: RowsReader
    var lastVersion: UInt64?
  }

  /// A weak reference to a life, which may be released off the main actor and removed later.
  private struct WeakLife {
    weak var life: PartLife?
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
    registrar = ObservationRegistrar()
    parent = nil
    array = nil
  }

  /// Makes the table of an array of rows.
  ///
  /// - Parameter parent: The table of the view state that contains the array.
  @usableFromInline
  init(_ array: RowsReader, in parent: ObservationTable) {
    registrar = parent.registrar
    self.parent = parent
    self.array = array
  }

  /// Makes the table of a row.
  ///
  /// - Parameter parent: The table of the array.
  init(row: ChildID, in parent: ObservationTable) {
    registrar = parent.registrar
    self.parent = parent
    self.row = row
    array = nil
  }

  /// Whether an observation may be running; if not, a read needs no cell.
  ///
  /// - Parameter table: Kept by the caller.
  @usableFromInline
  static func mayBeObserved(_ table: Unmanaged<ObservationTable>) -> Bool {
    if TrackingDetection.assumedReads > 0 {
      TrackingDetection.assumedReads &-= 1
      return true
    }
    if !isProbeObserved(of: table), TrackingDetection.isVerified || TrackingDetection.verify() {
      return false
    }
    TrackingDetection.assumeMore()
    return true
  }

  /// Nonisolated, because the standard library would check the closure's isolation at each call.
  @inline(__always)
  private nonisolated static func isProbeObserved(of table: Unmanaged<ObservationTable>) -> Bool {
    ObservationProbe.wasHashed = false
    table._withUnsafeGuaranteedRef { $0.registrar.access($0, keyPath: $0.probe) }
    return ObservationProbe.wasHashed
  }

  private var isProbeObserved: Bool { Self.isProbeObserved(of: .passUnretained(self)) }

  /// Whether the probe distinguishes reads in an observation from other reads.
  var isProbeTold: Bool {
    if isProbeObserved { return false }
    return withObservationTracking {
      // An observation must also hash the key path of a repeated access.
      isProbeObserved && isProbeObserved
    } onChange: {
    }
  }

  private func becomeActive() {
    if isActive { return }
    isActive = true
    guard let parent else { return }
    if let row { return parent.activate(self, row) }
    if !isAttached, let array {
      isAttached = true
      parent.branches.append(Branch(table: self, array: array, lastVersion: array.version()))
    }
    parent.becomeActive()
  }

  private func activate(_ table: ObservationTable, _ row: ChildID) {
    activeRowCount += 1
    if !table.isAttached {
      table.isAttached = true
      rows.append(table)
      if let twin = rowsByID.updateValue(table, forKey: row), twin !== table {
        isIndexIncomplete = true
      }
    }
    becomeActive()
  }

  /// Compares a cell after each publication until its value has changed.
  func arm(_ cell: ObservationCell) {
    armed.append(
      ArmedCell(cell: cell, place: cell.address, seen: cell.seen, size: cell.size))
    becomeActive()
  }

  /// Checks after each step whether a life has ended.
  ///
  /// Only the table of the whole view state checks: the tables of rows compare their cells at a
  /// publication, and a part may be replaced before that.
  func insert(_ life: PartLife) {
    if let parent { return parent.insert(life) }
    lives[ObjectIdentifier(life)] = WeakLife(life: life)
    becomeActive()
  }

  /// Removes a life that no view model owns any more.
  func remove(_ life: ObjectIdentifier) {
    if let parent { return parent.remove(life) }
    lives[life] = nil
    updateActivity()
  }

  /// Ends the lives of the parts that the last step has removed or replaced.
  ///
  /// Complexity: O(*n*) in the number of removable parts that view models show.
  @inline(__always)
  func endLives() {
    if !lives.isEmpty { checkLives() }
  }

  @inline(never)
  private func checkLives() {
    for entry in lives.values { entry.life?.check() }
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
    if !isActive, branches.isEmpty, rows.isEmpty { return }
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
    for row in rows {
      row.isAttached = false
      row.close()
    }
    rows = []
    rowsByID = [:]
    for subscriber in subscribers {
      subscriber.finish()
    }
    subscribers = []
    updateActivity()
  }

  /// Notifies each observer of a changed value once, and then the subscribers.
  ///
  /// Complexity: O(*n*) in the number of armed cells and of subscribers that have taken the last
  /// value. The cells of a row count only if the row may have changed: if up to four rows of its
  /// array were changed or appended, the cells of other rows do not count.
  @usableFromInline
  func publish() {
    if !isActive { return }
    // Usually only one part has changed. An array is needed only for several changes.
    var first: ObservationCell?
    var others: [ObservationCell] = []
    var due: [ObservationCell] = []
    if !self.due.isEmpty { swap(&due, &self.due) }
    collectChanged(&first, &others)
    if first != nil || !due.isEmpty {
      // All cells are disarmed before the first notification: an observer may send, or arm cells by
      // reading.
      first?.expire()
      for cell in others { cell.expire() }
      isNotifying = true
      for cell in due { cell.notify() }
      first?.notify()
      for cell in others { cell.notify() }
      isNotifying = false
    }
    if subscribers.isEmpty { return }
    for subscriber in subscribers where !subscriber.isDue {
      subscriber.publish()
    }
  }

  /// Releases the values that have changed.
  ///
  /// The next publication notifies their observers first.
  ///
  /// Complexity: the same as for ``publish()``.
  func expireChanged() {
    if !isActive { return }
    var first: ObservationCell?
    var others: [ObservationCell] = []
    collectChanged(&first, &others)
    guard let first else { return }
    for cell in CollectionOfOne(first) + others {
      cell.expire()
      due.append(cell)
    }
    isActive = true
  }

  /// Removes the armed cells whose values have changed, and returns them in the parameters.
  ///
  /// - Parameter lastVersion: The version of this table's array at the last comparison.
  private func collectChanged(
    _ first: inout ObservationCell?, _ others: inout [ObservationCell],
    since lastVersion: UInt64? = nil
  ) {
    // First, because the cells of a part that is gone are not compared.
    endLives()
    if !armed.isEmpty { compareArmed(&first, &others) }
    if !branches.isEmpty { collectChangedArrays(&first, &others) }
    if !rows.isEmpty { collectChangedRows(&first, &others, since: lastVersion) }
    updateActivity()
  }

  private func compareArmed(
    _ first: inout ObservationCell?, _ others: inout [ObservationCell]
  ) {
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
      } else if compared[position].place == nil, compared[position].cell.wasMissing,
        compared[position].cell.isGone
      {
        compared[position].cell.disarm()
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
  }

  private func collectChangedArrays(
    _ first: inout ObservationCell?, _ others: inout [ObservationCell]
  ) {
    // Iterates by index: a comparison runs code of the feature, which may add branches.
    var position = 0
    while position < branches.count {
      let table = branches[position].table
      let version = branches[position].array.version()
      let lastVersion = branches[position].lastVersion
      if version == nil || version != lastVersion {
        branches[position].lastVersion = version
        table.collectChanged(&first, &others, since: lastVersion)
        // The comparison may have released the last view model, which removes all branches.
        guard position < branches.count else { return }
      }
      if table.isActive {
        position += 1
      } else {
        table.isAttached = false
        // The tables of the rows retain this table, but the table above no longer visits them.
        if !table.rows.isEmpty { table.dropInactiveRows() }
        branches.remove(at: position)
      }
    }
  }

  private func collectChangedRows(
    _ first: inout ObservationCell?, _ others: inout [ObservationCell], since lastVersion: UInt64?
  ) {
    if let array, let lastVersion, !isIndexIncomplete,
      array.forEachChange(
        lastVersion, { rowsByID[$0]?.collectChanged(&first, &others) })
    {
      return
    }
    // The list is emptied first: a comparison runs code of the feature, which may arm further rows.
    var compared: [ObservationTable] = []
    swap(&compared, &rows)
    for table in compared {
      if table.isActive { table.collectChanged(&first, &others) }
    }
    swap(&compared, &rows)
    rows += compared
    dropInactiveRows()
    if isClosed { close() }
  }

  private func dropInactiveRows() {
    rowsByID.removeAll(keepingCapacity: true)
    isIndexIncomplete = false
    // The list is emptied first: comparing ids runs code of the feature.
    var kept: [ObservationTable] = []
    swap(&kept, &rows)
    kept.removeAll { table in
      table.isAttached = table.isActive
      guard table.isActive, let row = table.row else { return true }
      if rowsByID.updateValue(table, forKey: row) != nil { isIndexIncomplete = true }
      return false
    }
    swap(&kept, &rows)
    rows += kept
  }

  private func updateActivity() {
    let wasActive = isActive
    isActive =
      !armed.isEmpty || !branches.isEmpty || activeRowCount > 0 || !subscribers.isEmpty
      || !lives.isEmpty || !due.isEmpty
    if wasActive, !isActive, row != nil { parent?.activeRowCount -= 1 }
  }
}

/// Keeps the observation table of a view state, and makes it on first use.
@MainActor
@usableFromInline
protocol TableOwner: AnyObject {
  /// Always the same table.
  var observation: ObservationTable { get }
}

extension ObservationTable: TableOwner {
  @usableFromInline var observation: ObservationTable { self }
}
