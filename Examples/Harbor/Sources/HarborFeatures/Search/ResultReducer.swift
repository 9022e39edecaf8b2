import Foundation
import HarborDomain

/// Derives the texts of search results.
///
/// It formats only the results that have changed since the last call, and all of them on a new day.
@MainActor
final class ResultReducer {
  typealias Result = PageViewState.Search.Result

  private let wording: BoardWording
  private var day = ""
  private var known: [Activity.ID: (activity: Activity, result: Result)] = [:]

  nonisolated init(wording: BoardWording) { self.wording = wording }

  /// Complexity: O(*n*) in the number of results.
  func reduce(_ found: ArraySlice<Activity>, at now: Date) -> [Result] {
    guard !found.isEmpty else {
      known = [:]
      return []
    }
    let day = wording.dayKey(now)
    let last = day == self.day ? known : [:]
    self.day = day
    known = [:]
    return found.map { activity in
      if let entry = last[activity.id], entry.activity.isIdentical(to: activity) {
        known[activity.id] = entry
        return entry.result
      }
      let result = result(of: activity, at: now)
      known[activity.id] = (activity, result)
      return result
    }
  }

  private func result(of activity: Activity, at now: Date) -> Result {
    let details = activity.details
    let day =
      "\(wording.dayName(details.start, at: now)), \(wording.dayDate(details.start, at: now))"
    return Result(
      id: activity.id, title: details.title,
      address: BoardWindow(.activity(activity.id)).address,
      when: "\(day), \(wording.time(details.start)) \(wording.until(details, at: now))",
      place: details.place ?? "", people: wording.list(activity.participants.map(\.text)))
  }
}
