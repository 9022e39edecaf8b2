import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// The part of a group's board that was read from the database, and its version.
///
/// The cost of a change depends on the changed activities, and the cost of a page on the activities
/// that it shows: the database finds both by indexes. The number of other activities matters only
/// because the database counts them again after some changes of activities beyond the edges.
struct BoardPart: Sendable {
  /// The number of changes beyond which the part is read again.
  private static let largestChange = 1_000
  /// The largest number of moved activities that a new reading keeps, because pages may show them.
  private static let largestMoved = 256
  /// Two programs can read the same digits as slightly different numbers, so edges have a margin.
  static let margin = 0.001
  /// The number of activities that the part may have beyond those that pages show, before it is
  /// read again.
  private static let spare = 1_000

  /// The number of activities that are read on each side of now, at least.
  let smallest: Int
  var activities = Activities([])
  private var feed: Feed?
  /// The starts at the edges, in seconds since 1970; `nil` where the board ends.
  private(set) var first, last: Double?
  /// When the part was read.
  ///
  /// The part has all activities that were not over at this time.
  private var since = 0.0
  /// The number of activities when the part was read.
  private var countAtReading = 0
  /// Activities that were moved beyond the edges.
  private var moved: Set<Activity.ID> = []

  private struct Feed: Decodable {
    var version: Int64 = 0
    var records = 0
  }

  init(smallest: Int = 256) { self.smallest = smallest }

  /// Follows the changes since the last call, and extends the part as far as pages show it.
  ///
  /// - Returns: Whether the part differs now.
  mutating func update(
    _ records: Records, reach: Activities.Reach, at now: Date, in transaction: any ReadTransaction
  ) throws -> Bool {
    let next =
      try transaction.row(
        "SELECT version, records FROM feed WHERE \(records.filter)", as: Feed.self) ?? Feed()
    if let feed, next.version >= feed.version, activities.edges?.reach.coversNow(reach) ?? true {
      let (isNew, isLarger) = (next.version > feed.version, !activities.covers(reach))
      let lacksRuns = activities.edges?.runs.keys.contains {
        reach.runs.contains($0) && activities.lacksRows(of: $0, at: now)
      }
      if !isNew, !isLarger, lacksRuns != true, !isOutdated(for: reach, at: now) { return false }
      let old = activities
      if try !isNew || follow(records, from: feed, to: next, in: transaction) {
        if isLarger { try extend(records, to: reach, in: transaction) }
        try readRuns(reach.runs, records, at: now, in: transaction)
        self.feed = next
        if !isOutdated(for: reach, at: now) { return isNew || isLarger || activities != old }
      }
    }
    try read(records, reach: reach, at: now, in: transaction)
    try readRuns(reach.runs, records, at: now, in: transaction)
    feed = next
    countAtReading = activities.count
    return true
  }

  /// Whether the part must be read again: it is no longer the part around now, it has too few
  /// activities for a page although the board has more, or it has far more activities than the
  /// pages show.
  private func isOutdated(for reach: Activities.Reach, at now: Date) -> Bool {
    if activities.count > 2 * countAtReading + Self.spare { return true }
    guard let edges = activities.edges else { return false }
    // A clock can be set back.
    if now >= edges.last || now.timeIntervalSince1970 < since - 60 { return true }
    return edges.reach.count > 2 * reach.count + Self.spare || lacksRows(at: now)
  }

  /// Whether a page would show too few activities, although the board has more.
  private func lacksRows(at now: Date) -> Bool {
    guard let edges = activities.edges else { return false }
    func lacks(_ count: Int, areOver isOver: Bool) -> Bool {
      activities.countInside(areOver: isOver, at: now) < max(count, 1)
    }
    return edges.after > 0 && lacks(edges.reach.ahead, areOver: false)
      || edges.before > 0 && lacks(edges.reach.over, areOver: true)
      || edges.reach.days.contains { moment, count in
        edges.days[moment] != .distantFuture
          && activities.rows(from: moment, count - 1..<count).isEmpty
      }
  }
}

/// Changes.
extension BoardPart {
  /// Applies the changes between two versions; returns `false` if there are very many.
  private mutating func follow(
    _ records: Records, from old: Feed, to new: Feed, in transaction: any ReadTransaction
  ) throws -> Bool {
    let rows = try BoardSearch(records: records, transaction: transaction)
      .rows("version > \(old.version) LIMIT \(Self.largestChange + 1)")
    guard rows.count <= Self.largestChange else { return false }
    var (gone, fresh): ([Activity], [Activity]) = ([], [])
    var edges = activities.edges
    // The number of records after the changes if each unknown activity is new.
    var (expected, hasUnknown) = (old.records, false)
    // Whether an activity was, or is now, beyond an edge.
    var isBeyond = false
    for row in rows {
      let (before, after) = (activities[id: row.id], row.activity)
      for activity in [before, after] {
        if let activity, edges?.side(of: activity.details.start) != .inside { isBeyond = true }
      }
      if let before {
        gone.append(before)
        edges?.remove(before)
      }
      switch (before, after) {
      case (nil, nil): hasUnknown = true
      case (nil, _?): expected += 1
      // A body that cannot be read still counts as a record.
      case (_?, nil): if row.body == nil { expected -= 1 } else { hasUnknown = true }
      case (_?, _?): break
      }
      guard let after else { continue }
      edges?.add(after)
      let isInside = includes(row, after)
      if isInside || before != nil { fresh.append(after) }
      if !isInside { keep(after.id) }
    }
    activities.edges = edges
    activities.replace(gone, by: fresh)
    guard edges != nil else { return true }
    // Otherwise an activity was changed or removed that had not been read.
    let isUnknown = hasUnknown || expected != new.records
    if isUnknown { try countOthers(records, in: transaction) }
    if isUnknown || isBeyond { try countSkipped(records, in: transaction) }
    return true
  }

  /// Whether the part must have an activity.
  private func includes(_ row: BoardRow, _ activity: Activity) -> Bool {
    guard let edges = activities.edges else { return true }
    let start = activity.details.start
    if edges.side(of: start) == .inside || edges.reach.ids.contains(activity.id) { return true }
    if edges.days.contains(where: { $0.key <= start && start <= $0.value }) { return true }
    if edges.runs.values.contains(where: { $0.contains(start) }) { return true }
    guard edges.side(of: start) == .before, let begins = row.begins, let ends = row.ends else {
      return false
    }
    return ends >= since && ends > begins + ActivityTimes.longest
  }

  /// Keeps an activity that was moved, because the form of a page may be open for it.
  private mutating func keep(_ id: Activity.ID) {
    guard activities[id: id] != nil else { return }
    if moved.count >= Self.largestMoved { moved = [] }
    moved.insert(id)
  }

  /// Complexity: O(*n*) in the activities beyond the edges; the database reads only their index.
  private mutating func countOthers(
    _ records: Records, in transaction: any ReadTransaction
  ) throws {
    let search = BoardSearch(records: records, transaction: transaction)
    activities.edges?.before = try first.map { try search.count("begins < \($0)") } ?? 0
    activities.edges?.after = try last.map { try search.count("begins > \($0)") } ?? 0
  }
}

/// Reading.
extension BoardPart {
  /// Reads the part again.
  private mutating func read(
    _ records: Records, reach: Activities.Reach, at now: Date, in transaction: any ReadTransaction
  ) throws {
    // More is read than is shown now, because the next pages then need no further read.
    let kept = Activities.Reach(
      ahead: max(reach.ahead, smallest / 2), over: max(reach.over, smallest / 2))
    // Some rows can be removed before the part is read again.
    var more = smallest / 4
    repeat {
      try readNow(
        Activities.Reach(
          ahead: max(smallest, kept.ahead) + more, over: max(smallest, kept.over) + more),
        keeping: kept, records, at: now, in: transaction)
      try extend(records, to: reach, in: transaction)
      // Many activities last long.
      more = 4 * (more + max(kept.ahead, kept.over, smallest))
    } while lacksRows(at: now)
  }

  /// Reads the activities around now.
  ///
  /// - Parameters:
  ///   - wanted: The numbers of activities to read.
  ///   - kept: The numbers of activities with which the part need not be read again.
  private mutating func readNow(
    _ wanted: Activities.Reach, keeping kept: Activities.Reach, _ records: Records, at now: Date,
    in transaction: any ReadTransaction
  ) throws {
    since = now.timeIntervalSince1970
    let search = BoardSearch(records: records, transaction: transaction)
    let day = since - ActivityTimes.longest
    first = try search.start("begins < \(day)", "begins DESC", after: wanted.over)
      .map { $0 - Self.margin }
    last = try search.start("begins >= \(since)", "begins", after: wanted.ahead)
      .map { $0 + Self.margin }
    var found: [Activity]
    switch (first, last) {
    case (nil, nil): found = try search.activities("begins IS NOT NULL")
    case (let first?, nil): found = try search.activities("begins >= \(first)")
    case (nil, let last?): found = try search.activities("begins <= \(last)")
    case (let first?, let last?):
      found = try search.activities("begins BETWEEN \(first) AND \(last)")
    }
    if let first {
      found += try search.activities(
        "\(ActivityTimes.isLong) AND ends >= \(since) AND begins < \(first)")
    }
    activities = Activities(found)
    guard first != nil || last != nil else { return }
    var edges = Activities.Edges(reach: kept)
    if let first { edges.first = Date(timeIntervalSince1970: first) }
    if let last { edges.last = Date(timeIntervalSince1970: last) }
    activities.edges = edges
    try countOthers(records, in: transaction)
  }

  /// Reads the days and the single activities of a reach that are not read yet.
  private mutating func extend(
    _ records: Records, to reach: Activities.Reach, in transaction: any ReadTransaction
  ) throws {
    guard var edges = activities.edges else { return }
    let search = BoardSearch(records: records, transaction: transaction)
    var found: [Activity.ID: Activity] = [:]
    for (moment, count) in reach.days where edges.reach.days[moment, default: 0] < count {
      let day = moment.timeIntervalSince1970
      let end = try search.start("begins >= \(day)", "begins", after: count + smallest / 4)
        .map { $0 + Self.margin }
      let condition: SQL = end.map { "begins BETWEEN \(day) AND \($0)" } ?? "begins >= \(day)"
      for activity in try search.activities(condition) { found[activity.id] = activity }
      edges.days[moment] = end.map { Date(timeIntervalSince1970: $0) } ?? .distantFuture
    }
    for id in reach.ids.union(moved).subtracting(edges.reach.ids)
    where activities[id: id] == nil && found[id] == nil {
      for activity in try search.activities("id = \(id)") { found[activity.id] = activity }
    }
    edges.days = edges.days.filter { reach.days[$0.key] != nil }
    (edges.reach.days, edges.reach.ids) = (reach.days, reach.ids)
    (edges.reach.ahead, edges.reach.over) = (
      max(reach.ahead, edges.reach.ahead), max(reach.over, edges.reach.over)
    )
    activities.edges = edges
    activities.replace([], by: found.values.filter { activities[id: $0.id] == nil })
  }
}

extension Activities.Edges {
  /// Counts an activity.
  fileprivate mutating func add(_ activity: Activity) { count(activity, 1) }

  /// No longer counts an activity.
  fileprivate mutating func remove(_ activity: Activity) { count(activity, -1) }

  private mutating func count(_ activity: Activity, _ difference: Int) {
    switch side(of: activity.details.start) {
    case .before: before += difference
    case .after: after += difference
    case .inside: break
    }
  }
}
