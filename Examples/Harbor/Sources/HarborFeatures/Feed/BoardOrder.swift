import HarborDomain

/// Activities in the order of the board: future ones from the earliest on, then past ones from the
/// latest on.
struct BoardOrder {
  /// The future activities, earliest first.
  var ahead: ArraySlice<Activity>
  /// The past activities, earliest first.
  var over: ArraySlice<Activity>

  /// Complexity: O(*n*) if the activities are sorted by their start, as the store returns them.
  init(_ activities: [Activity], isOver: (Activity) -> Bool) {
    var sorted = activities
    if !Self.isSorted(sorted) { sorted.sort(by: Activity.precedes) }
    // Most past ones come first, but a long activity can end after one that begins later.
    let first = sorted.firstIndex { !isOver($0) } ?? sorted.endIndex
    (over, ahead) = (sorted[..<first], sorted[first...])
    guard ahead.contains(where: isOver) else { return }
    (over, ahead) = (over + ahead.filter(isOver), ahead.filter { !isOver($0) }[...])
  }

  /// The activities of a window, and those outside of it that must stay; all without a window.
  ///
  /// - Parameter skips: Whether to leave out what is on the pages before.
  ///
  /// Complexity: O(`window.end`), and O(*n*) if any activity must stay.
  func shown(in window: BoardWindow?, keeping ids: Set<Activity.ID>, skips: Bool = true) -> Self {
    guard let window else { return self }
    var (shown, ids) = (self, ids)
    let before = skips ? window.page * BoardWindow.rows : 0
    let near = window.part == .ahead ? ahead.prefix(window.end).dropFirst(before) : ahead.prefix(0)
    let late = window.part == .over ? over.suffix(window.end).dropLast(before) : over.prefix(0)
    if case .activity(let id) = window.part { ids.insert(id) }
    func pick(_ rows: ArraySlice<Activity>, _ part: ArraySlice<Activity>) -> ArraySlice<Activity> {
      if ids.isEmpty { return part }
      return ArraySlice(
        rows.indices.filter { part.indices.contains($0) || ids.contains(rows[$0].id) }
          .map { rows[$0] })
    }
    (shown.ahead, shown.over) = (pick(ahead, near), pick(over, late))
    return shown
  }

  private static func isSorted(_ activities: [Activity]) -> Bool {
    activities.indices.dropFirst().allSatisfy {
      !Activity.precedes(activities[$0], activities[$0 - 1])
    }
  }
}
