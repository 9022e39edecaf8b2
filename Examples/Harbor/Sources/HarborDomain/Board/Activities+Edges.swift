package import Foundation

/// A part of a large board, which has the activities that pages show.
extension Activities {
  /// What pages show of a board.
  package struct Reach: Sendable, Equatable {
    /// The numbers of shown activities that are not over and that are over.
    package var ahead, over: Int
    /// The numbers of shown activities that start at a moment or later, with the moments as keys.
    package var days: [Date: Int] = [:]
    /// Single activities.
    package var ids: Set<Activity.ID> = []
    /// Activities that are far from now.
    package var runs: Set<Run> = []

    package init(
      ahead: Int = 0, over: Int = 0, days: [Date: Int] = [:], ids: Set<Activity.ID> = [],
      runs: Set<Run> = []
    ) {
      (self.ahead, self.over, self.days, self.ids) = (ahead, over, days, ids)
      self.runs = runs
    }

    /// The number of activities that are shown, if none is shown twice.
    package var count: Int {
      ahead + over + days.values.reduce(0, +) + ids.count + runs.reduce(0) { $0 + $1.rows.count }
    }

    /// Whether it covers the activities of another reach around now.
    package func coversNow(_ other: Reach) -> Bool { ahead >= other.ahead && over >= other.over }

    /// Whether the activities of another reach are among those of this one.
    package func covers(_ other: Reach) -> Bool {
      coversNow(other) && ids.isSuperset(of: other.ids) && runs.isSuperset(of: other.runs)
        && other.days.allSatisfy { days[$0.key, default: 0] >= $0.value }
    }

    /// Adds the activities of another reach.
    package mutating func formUnion(_ other: Reach) {
      ahead = Swift.max(ahead, other.ahead)
      over = Swift.max(over, other.over)
      days.merge(other.days, uniquingKeysWith: Swift.max)
      ids.formUnion(other.ids)
      runs.formUnion(other.runs)
    }
  }

  /// Where a part of a board ends.
  ///
  /// The part has all activities that start between two moments, and those that start earlier and
  /// are not over. It can also have other activities, for pages of a single activity, of a day, or
  /// far from now.
  package struct Edges: Sendable, Equatable {
    /// The place of an activity: before, between or after the edges.
    package enum Side: Sendable { case before, inside, after }

    /// The earliest and the latest start of the part.
    package var first = Date.distantPast, last = Date.distantFuture
    /// The number of activities of the board that start before and after the part.
    package var before = 0, after = 0
    /// The part has all activities that start between a key and its value.
    package var days: [Date: Date] = [:]
    /// What was read for each run.
    package var runs: [Run: Stretch] = [:]
    /// What the part was made to show.
    package var reach: Reach

    package init(reach: Reach) { self.reach = reach }

    /// The place of an activity with this start.
    package func side(of start: Date) -> Side {
      start < first ? .before : start > last ? .after : .inside
    }

    /// Whether the part counts an activity with this start among those that are over, or among the
    /// others.
    func counts(_ start: Date, areOver isOver: Bool) -> Bool {
      isOver ? start >= first : start <= last
    }
  }

  /// Whether it has all activities that a page shows.
  package func covers(_ reach: Reach) -> Bool { edges?.reach.covers(reach) ?? true }

  /// The numbers of activities of the board that are not over and that are over.
  ///
  /// Complexity: O(parts), and O(*n*) if parts have activities of both kinds.
  package func counts(at now: Date) -> (ahead: Int, over: Int) {
    guard let edges else {
      let over = countOver(at: now)
      return (count - over, over)
    }
    return (
      edges.after + countInside(areOver: false, at: now),
      edges.before + countInside(areOver: true, at: now)
        - countLasting(after: .distantPast, at: now)
    )
  }

  /// Activities that start at a moment or later, earliest first.
  ///
  /// Complexity: O(parts + range), and O(*n*) if a person has fewer activities than asked for.
  ///
  /// - Parameters:
  ///   - moment: The moment. For a part of a board, it must be one of its ``Edges/days``.
  ///   - range: The activities to return, counted from the earliest one.
  ///   - person: Only activities that this person hosts or joins; `nil` for all.
  package func rows(
    from moment: Date, _ range: Range<Int>, of person: PersonName? = nil
  ) -> [Activity] {
    if range.isEmpty { return [] }
    let last = edges?.days[moment] ?? .distantFuture
    var (skipped, found) = (0, [Activity]())
    for part in parts where part.starts.map({ $0.last >= moment }) == true {
      if let person, part.counts[person] == nil { continue }
      for row in part.rows where row.details.start >= moment {
        if row.details.start > last { return found }
        if let person, !row.belongs(to: person) { continue }
        if skipped < range.lowerBound { skipped += 1 } else { found.append(row) }
        if found.count == range.count { return found }
      }
    }
    return found
  }
}
