package import Foundation

/// Pages of a large board that are far from now.
extension Activities {
  /// Activities of one kind that pages far from now show.
  package struct Run: Hashable, Sendable {
    /// Whether they are over.
    package var isOver: Bool
    /// Their numbers, as ``Activities/rows(areOver:_:at:of:)`` counts them.
    package var rows: Range<Int>

    package init(areOver isOver: Bool, _ rows: Range<Int>) {
      (self.isOver, self.rows) = (isOver, rows)
    }
  }

  /// The part of a board beyond one of its edges that was read for a run.
  package struct Stretch: Sendable, Equatable {
    /// The earliest and the latest start.
    ///
    /// In an empty stretch, `first` is later than `last`.
    package var first, last: Date
    /// The number of activities of the board between the edge and the stretch.
    package var skipped: Int

    package init(first: Date = .distantFuture, last: Date = .distantPast, skipped: Int = 0) {
      (self.first, self.last, self.skipped) = (first, last, skipped)
    }

    /// Whether it has all activities with this start.
    package func contains(_ start: Date) -> Bool { first <= start && start <= last }
  }

  /// Whether this value lacks activities of a run that the board has.
  ///
  /// Complexity: O(parts + rows).
  package func lacksRows(of run: Run, at now: Date) -> Bool {
    let counts = counts(at: now)
    let others = (run.isOver ? counts.over : counts.ahead) - run.rows.lowerBound
    let wanted = Swift.max(0, Swift.min(run.rows.count, others))
    return rows(areOver: run.isOver, run.rows, at: now).count < wanted
  }

  /// The number of activities of one kind that are not beyond the edge.
  ///
  /// Complexity: O(parts), and O(*n*) if parts have activities of both kinds.
  package func countInside(areOver isOver: Bool, at now: Date) -> Int {
    parts.reduce(0) { total, part in
      guard let edges, let starts = part.starts,
        edges.side(of: starts.first) != .inside
          || edges.side(of: starts.last) != .inside
      else {
        let over = part.countOver(at: now)
        return total + (isOver ? over : part.rows.count - over)
      }
      return total
        + part.rows.count {
          edges.counts($0.details.start, areOver: isOver) && $0.details.isOver(at: now) == isOver
        }
    }
  }

  /// The number of activities before the first edge that start after a moment and are not over.
  ///
  /// Complexity: O(parts), and O(*n*) in the activities of the parts that have such activities.
  package func countLasting(after moment: Date, at now: Date) -> Int {
    guard let edges else { return 0 }
    return parts.reduce(0) { total, part in
      guard let starts = part.starts, starts.first < edges.first, starts.last > moment,
        now <= part.ends.upperBound
      else { return total }
      return total
        + part.rows.count {
          $0.details.start > moment && $0.details.start < edges.first
            && !$0.details.isOver(at: now)
        }
    }
  }

  /// Activities of one kind beyond the edge, counted from the edge on.
  ///
  /// - Parameters:
  ///   - range: The activities to return, with the numbers of ``rows(areOver:_:at:of:)``.
  ///   - inside: The number of those that are not beyond the edge.
  func distantRows(
    areOver isOver: Bool, _ range: Range<Int>, after inside: Int, at now: Date
  ) -> [Activity] {
    var most: [Activity] = []
    for (run, stretch) in edges?.runs ?? [:] where run.isOver == isOver {
      let rows = distantRows(areOver: isOver, in: [stretch], at: now)
      let lasting = isOver ? countLasting(after: stretch.last, at: now) : 0
      let number = inside + stretch.skipped - lasting
      guard number <= range.lowerBound, range.lowerBound < number + rows.count else { continue }
      let found = rows[(range.lowerBound - number)...].prefix(range.count)
      if found.count > most.count { most = Array(found) }
    }
    return most
  }

  /// All known activities of one kind beyond the edge, in their order from the edge.
  func distantRows(areOver isOver: Bool, at now: Date) -> [Activity] {
    let stretches = (edges?.runs ?? [:]).filter { $0.key.isOver == isOver }.map(\.value)
    return stretches.isEmpty ? [] : distantRows(areOver: isOver, in: stretches, at: now)
  }

  private func distantRows(
    areOver isOver: Bool, in stretches: [Stretch], at now: Date
  ) -> [Activity] {
    guard let edges else { return [] }
    var found: [Activity] = []
    for part in parts {
      guard let starts = part.starts,
        isOver ? starts.first < edges.first : starts.last > edges.last
      else { continue }
      found += part.rows.filter { row in
        let start = row.details.start
        return edges.side(of: start) == (isOver ? .before : .after)
          && row.details.isOver(at: now) == isOver && stretches.contains { $0.contains(start) }
      }
    }
    return isOver ? found.reversed() : found
  }
}
