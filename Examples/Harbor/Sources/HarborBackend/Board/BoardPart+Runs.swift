import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// Pages far from now.
///
/// A run is a range of activities that such pages show. The database finds these activities by
/// their numbers, with the index of the starts. The part reads them and some activities beside
/// them. It reads all activities with equal starts together, because their titles decide their
/// order.
extension BoardPart {
  /// The number of additional activities that are read on each side of a run, so few changes need
  /// more.
  private var runSpare: Int { smallest / 4 }

  /// Reads the runs that are new or lack activities, and forgets the others.
  ///
  /// Complexity: O(*n*) in the activities of these runs. The database reads the index from the edge
  /// to the run.
  mutating func readRuns(
    _ runs: Set<Activities.Run>, _ records: Records, at now: Date,
    in transaction: any ReadTransaction
  ) throws {
    guard let known = activities.edges?.runs, !known.isEmpty || !runs.isEmpty else { return }
    activities.edges?.runs = known.filter { runs.contains($0.key) }
    let search = BoardSearch(records: records, transaction: transaction)
    for run in runs where known[run] == nil || activities.lacksRows(of: run, at: now) {
      let stretch = try stretch(of: run, search, at: now)
      activities.edges?.runs[run] = stretch
      if stretch.first > stretch.last { continue }
      let (first, last) = (stretch.first.timeIntervalSince1970, stretch.last.timeIntervalSince1970)
      let found = try search.activities("begins BETWEEN \(first) AND \(last)")
      activities.replace([], by: found.filter { activities[id: $0.id] == nil })
    }
    activities.edges?.reach.runs = runs
  }

  /// Counts the activities between the edges and the stretches again.
  ///
  /// Complexity: The database reads the index from the edge to each stretch.
  mutating func countSkipped(_ records: Records, in transaction: any ReadTransaction) throws {
    let search = BoardSearch(records: records, transaction: transaction)
    for (run, stretch) in activities.edges?.runs ?? [:] where stretch.first <= stretch.last {
      let skipped = try count(from: stretch, search, of: run)
      activities.edges?.runs[run]?.skipped = skipped
    }
  }

  private func count(
    from stretch: Activities.Stretch, _ search: BoardSearch, of run: Activities.Run
  ) throws -> Int {
    if run.isOver {
      guard let first else { return 0 }
      return try search.count(
        "begins > \(stretch.last.timeIntervalSince1970) AND begins < \(first)")
    }
    guard let last else { return 0 }
    return try search.count(
      "begins > \(last) AND begins < \(stretch.first.timeIntervalSince1970)")
  }

  /// Finds the activities of a run, and some beside them.
  ///
  /// - Returns: The stretch. It is empty if the run is not beyond the edge, or is after the end of
  ///   the board.
  private func stretch(
    of run: Activities.Run, _ search: BoardSearch, at now: Date
  ) throws -> Activities.Stretch {
    let inside = activities.countInside(areOver: run.isOver, at: now)
    let end = run.rows.upperBound - inside + runSpare
    guard let edge = run.isOver ? first : last, end > 0,
      let near = try start(
        max(0, run.rows.lowerBound - inside - runSpare), beyond: edge, run, search, at: now)
    else { return Activities.Stretch() }
    let far = try start(end, beyond: edge, run, search, at: now)
    var stretch = Activities.Stretch()
    if run.isOver {
      stretch.first = far.map { Date(timeIntervalSince1970: $0 - Self.margin) } ?? .distantPast
      stretch.last = Date(timeIntervalSince1970: near + Self.margin)
    } else {
      stretch.first = Date(timeIntervalSince1970: near - Self.margin)
      stretch.last = far.map { Date(timeIntervalSince1970: $0 + Self.margin) } ?? .distantFuture
    }
    stretch.skipped = try count(from: stretch, search, of: run)
    return stretch
  }

  /// The start of an activity of the run's kind beyond the edge, by the activity's number.
  private func start(
    _ number: Int, beyond edge: Double, _ run: Activities.Run, _ search: BoardSearch, at now: Date
  ) throws -> Double? {
    if !run.isOver { return try search.start("begins > \(edge)", "begins", after: number) }
    // Activities that last until now are not over. The part has all of them.
    var place = number
    while let start = try search.start("begins < \(edge)", "begins DESC", after: place) {
      let next =
        number
        + activities.countLasting(after: Date(timeIntervalSince1970: start), at: now)
      if next == place { return start }
      place = next
    }
    return nil
  }
}
