import Foundation
import HarborDomain

/// The activities of a board at a time, in the order of the page: future ones, earliest first, then
/// past ones, latest first.
struct BoardOrder {
  /// Some activities of a board, future and past ones; the earliest first in both lists.
  struct Rows {
    var ahead: [Activity] = []
    var over: [Activity] = []
  }

  let activities: Activities
  let now: Date
  /// The numbers of future and of past activities.
  let aheadCount, overCount: Int

  /// Complexity: O(parts).
  init(_ activities: Activities, at now: Date) {
    (self.activities, self.now) = (activities, now)
    (aheadCount, overCount) = activities.counts(at: now)
  }

  /// The next activity.
  var next: Activity? { activities.rows(areOver: false, 0..<1, at: now).first }

  /// The activities of a window, and other activities that must stay; without a window, all
  /// activities.
  ///
  /// Complexity: O(parts + rows of the window).
  func shown(in window: BoardWindow?, keeping ids: Set<Activity.ID>) -> Rows {
    guard let window else { return rows(0..<activities.count) }
    return rows(window.end - BoardWindow.rows..<window.end, in: window.part, keeping: ids)
  }

  /// Whether a window is followed by another one.
  ///
  /// Complexity: O(parts + end of the window).
  func hasMore(after window: BoardWindow) -> Bool {
    switch window.part {
    case .ahead: aheadCount > window.end
    case .over: overCount > window.end
    case .day(_, let start):
      !activities.rows(from: start, window.end..<window.end + 1).isEmpty
    case .activity: false
    }
  }

  /// The activities that a person hosts or joins and that the window may show, and others that the
  /// person's page must show.
  ///
  /// The activities that the window shows are among the first of them, up to the window's end.
  ///
  /// Complexity: O(parts + rows of the window), and O(*n*) if the person has activities everywhere, but
  /// fewer than the window shows.
  func own(
    of person: PersonName?, in window: BoardWindow?, keeping ids: Set<Activity.ID>
  ) -> Rows {
    let end = window?.end ?? activities.count
    guard let person else { return rows(0..<0, keeping: ids) }
    return rows(0..<end, in: window?.part, of: person, keeping: ids)
  }

  private func rows(
    _ range: Range<Int>, in part: BoardWindow.Part? = nil, of person: PersonName? = nil,
    keeping ids: Set<Activity.ID> = []
  ) -> Rows {
    var rows = Rows()
    if part == nil || part == .ahead {
      rows.ahead = activities.rows(areOver: false, range, at: now, of: person)
    }
    if part == nil || part == .over {
      rows.over = activities.rows(areOver: true, range, at: now, of: person)
    }
    if case .day(_, let start)? = part {
      for activity in activities.rows(from: start, range, of: person) {
        if activity.details.isOver(at: now) {
          rows.over.append(activity)
        } else {
          rows.ahead.append(activity)
        }
      }
    }
    var kept = ids.compactMap { activities[id: $0] }
    if case .activity(let id)? = part, let activity = activities[id: id],
      person.map(activity.belongs) ?? true
    {
      kept.append(activity)
    }
    if !kept.isEmpty { rows.add(kept, at: now) }
    return rows
  }
}

extension BoardOrder.Rows {
  /// Adds activities, some of which may be in the lists already.
  fileprivate mutating func add(_ kept: [Activity], at now: Date) {
    var known = Set((ahead + over).map(\.id))
    for activity in kept where known.insert(activity.id).inserted {
      if activity.details.isOver(at: now) { over.append(activity) } else { ahead.append(activity) }
    }
    ahead.sort(by: Activity.precedes)
    over.sort(by: Activity.precedes)
  }
}
