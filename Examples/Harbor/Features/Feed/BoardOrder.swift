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
    if !Self.isSorted(sorted) { sorted.sort(by: Self.precedes) }
    // An earlier start means that an activity is over earlier, so the past ones come first.
    let first = sorted.firstIndex { !isOver($0) } ?? sorted.endIndex
    (over, ahead) = (sorted[..<first], sorted[first...])
  }

  var count: Int { ahead.count + over.count }

  /// The first activities in the order of the board, and those further down that must stay.
  ///
  /// Complexity: O(`rows`), and O(*n*) if any activity must stay.
  func prefix(_ rows: Int, keeping ids: Set<Activity.ID>) -> Self {
    guard count > rows else { return self }
    let near = ahead.prefix(rows)
    let late = over.suffix(rows - near.count)
    var shown = self
    (shown.ahead, shown.over) = (near, late)
    if ids.isEmpty { return shown }
    func mustStay(_ activity: Activity) -> Bool { ids.contains(activity.id) }
    let others = ahead.dropFirst(near.count).filter(mustStay)
    shown.ahead = others.isEmpty ? near : near + others
    let earlier = over.dropLast(late.count).filter(mustStay)
    shown.over = earlier.isEmpty ? late : ArraySlice(earlier + late)
    return shown
  }

  /// Compares single members, because copying each activity takes most of the time.
  private static func isSorted(_ activities: [Activity]) -> Bool {
    activities.indices.dropFirst().allSatisfy { index in
      let (start, last) = (activities[index].details.start, activities[index - 1].details.start)
      return start > last || start == last && activities[index].id >= activities[index - 1].id
    }
  }

  private static func precedes(_ left: Activity, _ right: Activity) -> Bool {
    let (start, other) = (left.details.start, right.details.start)
    return start == other ? left.id < right.id : start < other
  }
}
