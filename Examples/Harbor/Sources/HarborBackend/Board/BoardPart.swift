import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// The part of a group's board that was read from the database, and the version that it has.
///
/// A change costs what it changes, and a page that shows more costs what it shows: the database finds
/// both by indexes. Nothing depends on the number of the other activities, except that the database
/// counts them again after some changes of activities beyond the edges.
struct BoardPart: Sendable {
  /// The number of changes beyond which the part is read again.
  private static let largestChange = 1_000
  /// The most activities beyond the edges that are kept because pages may still show them.
  private static let largestMoved = 256
  /// Two programs can read the digits of a number as neighbouring numbers, so edges have a margin.
  private static let margin = 0.001

  /// The number of activities that are read on each side of now, at least.
  let smallest: Int
  private(set) var activities = Activities([])
  private var feed: Feed?
  /// The starts at the edges, in seconds since 1970; `nil` where the board ends.
  private var first, last: Double?
  /// When the part was read: it has all activities that were not over then.
  private var since = 0.0
  /// Activities that were moved beyond the edges.
  private var moved: Set<Activity.ID> = []

  private struct Feed: Decodable {
    var version: Int64 = 0
    var records = 0
  }

  private struct Row: Decodable {
    var id: String
    var body: String?
    var begins, ends: Double?

    var activity: Activity? {
      body.flatMap {
        try? JSONDecoder().decode(ActivityRecord.self, from: Data($0.utf8)).activity()
      }
    }
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
    if let feed, activities.covers(reach), next.version >= feed.version {
      if next.version == feed.version, !lacksRows(for: reach, at: now) { return false }
      if try follow(records, from: feed, to: next, in: transaction),
        !lacksRows(for: reach, at: now)
      {
        self.feed = next
        return true
      }
    }
    try read(records, reach: reach, at: now, in: transaction)
    feed = next
    return true
  }

  /// Whether the part is no longer the one around now, or has too few activities for a page, although
  /// the board has more.
  private func lacksRows(for reach: Activities.Reach, at now: Date) -> Bool {
    guard let edges = activities.edges else { return false }
    // A clock can be set back.
    if now >= edges.last || now.timeIntervalSince1970 < since - 60 { return true }
    let last = max(reach.rows, 1) - 1
    return [(edges.after, false), (edges.before, true)].contains { hidden, isOver in
      hidden > 0 && activities.rows(areOver: isOver, last..<last + 1, at: now).isEmpty
    }
  }
}

/// Changes.
extension BoardPart {
  /// Applies the changes between two versions; returns `false` if there are very many.
  private mutating func follow(
    _ records: Records, from old: Feed, to new: Feed, in transaction: any ReadTransaction
  ) throws -> Bool {
    let rows = try transaction.rows(
      """
      SELECT id, body, begins, ends FROM record
      WHERE \(records.filter) AND version > \(old.version) LIMIT \(Self.largestChange + 1)
      """, as: Row.self)
    guard rows.count <= Self.largestChange else { return false }
    var (gone, fresh): ([Activity], [Activity]) = ([], [])
    var edges = activities.edges
    // What the number of records becomes if each unknown activity is a new one.
    var (expected, hasUnknown) = (old.records, false)
    for row in rows {
      let (before, after) = (activities[id: row.id], row.activity)
      if let before {
        gone.append(before)
        edges?.count(before, -1)
      }
      switch (before, after) {
      case (nil, nil): hasUnknown = true
      case (nil, _?): expected += 1
      // A body that cannot be read still counts as a record.
      case (_?, nil): if row.body == nil { expected -= 1 } else { hasUnknown = true }
      case (_?, _?): break
      }
      guard let after else { continue }
      edges?.count(after, 1)
      let isInside = includes(row, after)
      if isInside || before != nil { fresh.append(after) }
      if !isInside { keep(after.id) }
    }
    activities.edges = edges
    activities.replace(gone, by: fresh)
    // Otherwise an activity was changed or removed that had not been read.
    if edges != nil, hasUnknown || expected != new.records {
      try countOthers(records, in: transaction)
    }
    return true
  }

  /// Whether the part must have an activity.
  private func includes(_ row: Row, _ activity: Activity) -> Bool {
    guard let edges = activities.edges else { return true }
    let start = activity.details.start
    if edges.side(of: start) == .inside || edges.reach.ids.contains(activity.id) { return true }
    if edges.days.contains(where: { $0.key <= start && start <= $0.value }) { return true }
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

  /// Complexity: O(*n*) in the activities beyond the edges, of which the database reads only the index.
  private mutating func countOthers(
    _ records: Records, in transaction: any ReadTransaction
  ) throws {
    func count(_ condition: SQL) throws -> Int {
      try transaction.row(
        "SELECT count(*) FROM record WHERE \(records.filter) AND \(condition)", as: Int.self) ?? 0
    }
    activities.edges?.before = try first.map { try count("begins < \($0)") } ?? 0
    activities.edges?.after = try last.map { try count("begins > \($0)") } ?? 0
  }
}

/// Reading.
extension BoardPart {
  /// Reads the part again.
  private mutating func read(
    _ records: Records, reach: Activities.Reach, at now: Date, in transaction: any ReadTransaction
  ) throws {
    var rows = max(smallest, 2 * reach.rows)
    repeat {
      try read(rows, records, reach: reach, at: now, in: transaction)
      // Many activities last long, or begin at the same time.
      rows *= 4
    } while lacksRows(for: reach, at: now)
  }

  private mutating func read(
    _ rows: Int, _ records: Records, reach: Activities.Reach, at now: Date,
    in transaction: any ReadTransaction
  ) throws {
    func start(_ condition: SQL, _ order: SQL, after rows: Int) throws -> Double? {
      try transaction.row(
        """
        SELECT begins FROM record WHERE \(records.filter) AND \(condition)
        ORDER BY \(order) LIMIT 1 OFFSET \(rows)
        """, as: Double.self)
    }
    var found: [Activity.ID: Activity] = [:]
    func add(_ condition: SQL) throws {
      let rows = try transaction.rows(
        "SELECT id, body, begins, ends FROM record WHERE \(records.filter) AND \(condition)",
        as: Row.self)
      for row in rows { found[row.id] = row.activity }
    }
    since = now.timeIntervalSince1970
    first = try start("begins < \(since - ActivityTimes.longest)", "begins DESC", after: rows)
    last = try start("begins >= \(since)", "begins", after: rows)
    var edges = Activities.Edges(reach: reach)
    switch (first, last) {
    case (nil, nil): try add("begins IS NOT NULL")
    case (let first?, nil): try add("begins >= \(first)")
    case (nil, let last?): try add("begins <= \(last)")
    case (let first?, let last?): try add("begins BETWEEN \(first) AND \(last)")
    }
    if let first {
      edges.first = Date(timeIntervalSince1970: first - Self.margin)
      try add("\(ActivityTimes.isLong) AND ends >= \(since) AND begins < \(first)")
    }
    if let last { edges.last = Date(timeIntervalSince1970: last + Self.margin) }
    guard first != nil || last != nil else {
      activities = Activities(found.values)
      return
    }
    for (moment, rows) in reach.days {
      let day = moment.timeIntervalSince1970
      let end = try start("begins >= \(day)", "begins", after: rows)
      try add(end.map { "begins BETWEEN \(day) AND \($0)" } ?? "begins >= \(day)")
      edges.days[moment] =
        end.map { Date(timeIntervalSince1970: $0 + Self.margin) } ?? .distantFuture
    }
    for id in reach.ids.union(moved) { try add("id = \(id)") }
    activities = Activities(found.values)
    activities.edges = edges
    try countOthers(records, in: transaction)
  }
}

extension Activities.Edges {
  /// Counts an activity that was added, or no longer counts one.
  fileprivate mutating func count(_ activity: Activity, _ difference: Int) {
    switch side(of: activity.details.start) {
    case .before: before += difference
    case .after: after += difference
    case .inside: break
    }
  }
}
