import Foundation
import HarborDomain

/// The texts of the last reduction.
///
/// Formatting dates takes most of the time of a reduction, and a change of the board changes few
/// activities.
@MainActor
final class KnownCards {
  struct Entry {
    let activity: Activity
    /// The key of the day.
    let day: String
    var card: FeedViewState.Card
  }

  private var now: Date?
  private var person: PersonName?
  private var entries: [Activity.ID: Entry] = [:]
  /// The ids of the activities that the current reduction has used.
  private var used: Set<Activity.ID> = []
  private var headings: [String: (name: String, date: String)] = [:]
  private var ownBadge: FeedViewState.Person?
  private var earliestStart: String?

  nonisolated init() {}

  /// Begins a reduction.
  ///
  /// All texts depend on the time and on the person who uses the page.
  func begin(for state: FeedInteractor.State) {
    if state.now != now || state.person?.text != person?.text {
      entries = [:]
      headings = [:]
      (ownBadge, earliestStart) = (nil, nil)
    } else if entries.count > 2 * used.count + 100 {
      // Most of them are no longer shown.
      entries = entries.filter { used.contains($0.key) }
    }
    used.removeAll(keepingCapacity: true)
    (now, person) = (state.now, state.person)
  }

  /// Returns the card of an activity.
  ///
  /// The card of an activity with an open form is always new. A running write changes only one mark.
  func entry(of activity: Activity, by cards: CardReducer) -> Entry {
    if cards.state.editors[activity.id] != nil { return new(activity, cards) }
    used.insert(activity.id)
    var entry: Entry
    if let known = entries[activity.id], known.activity.isIdentical(to: activity) {
      entry = known
    } else {
      entry = new(activity, cards)
      entries[activity.id] = entry
    }
    entry.card.isBusy = cards.state.busy.contains(activity.id)
    return entry
  }

  private func new(_ activity: Activity, _ cards: CardReducer) -> Entry {
    let last = entries[activity.id].flatMap { $0.activity.details == activity.details ? $0 : nil }
    return Entry(
      activity: activity, day: last?.day ?? cards.wording.dayKey(activity.details.start),
      card: cards.card(activity, after: last?.card))
  }

  /// The badge of the person who uses the page.
  func badge(make: () -> FeedViewState.Person) -> FeedViewState.Person {
    let badge = ownBadge ?? make()
    ownBadge = badge
    return badge
  }

  /// The earliest date that a form accepts.
  func earliest(make: () -> String) -> String {
    let earliest = earliestStart ?? make()
    earliestStart = earliest
    return earliest
  }

  func heading(
    of day: String, make: () -> (name: String, date: String)
  ) -> (name: String, date: String) {
    if let known = headings[day] { return known }
    let heading = make()
    headings[day] = heading
    return heading
  }
}
