import Foundation
import HarborDomain

/// The texts of the last reduction.
///
/// Formatting dates takes most of the time of a reduction, and a change of the board changes few
/// activities.
@MainActor
final class KnownCards {
  /// The card of an activity; another object for each version of the card.
  final class Entry {
    let activity: Activity
    /// The key of the day.
    let day: String
    let card: FeedViewState.Card

    init(_ activity: Activity, day: String, _ card: FeedViewState.Card) {
      (self.activity, self.day, self.card) = (activity, day, card)
    }
  }

  private typealias KnownDay = (entries: ArraySlice<Entry>, day: FeedViewState.Day)

  private var now: Date?
  private var person: PersonName?
  private var entries: [Activity.ID: Entry] = [:]
  /// The entries of the last reduction, in the order of the board.
  private var last: [Entry] = []
  /// The entries that the current reduction has used.
  private var used: [Entry] = []
  /// The days of the last reduction, and of the current one.
  private var lastDays: [KnownDay] = []
  private var usedDays: [KnownDay] = []
  private var headings: [String: (name: String, date: String)] = [:]
  private var ownBadge: FeedViewState.Person?
  private var earliestStart: String?

  nonisolated init() {}

  /// Begins a reduction.
  ///
  /// All texts depend on the time and on the person who uses the page.
  func begin(for state: FeedInteractor.State) {
    if state.now != now || state.person?.text != person?.text {
      (entries, last, lastDays, headings) = ([:], [], [], [:])
      (ownBadge, earliestStart) = (nil, nil)
    }
    (now, person) = (state.now, state.person)
  }

  /// Ends a reduction.
  func end() {
    swap(&last, &used)
    used.removeAll(keepingCapacity: true)
    swap(&lastDays, &usedDays)
    usedDays.removeAll(keepingCapacity: true)
    guard entries.count > 2 * last.count + 100 else { return }
    // Most of them are no longer shown.
    entries = Dictionary(last.map { ($0.activity.id, $0) }) { first, _ in first }
  }

  /// Returns the card of an activity.
  ///
  /// The card of an activity with an open form is always new. A running write changes only one mark.
  func entry(of activity: Activity, by cards: CardReducer) -> Entry {
    if cards.state.editors[activity.id] != nil { return new(activity, cards) }
    let isBusy = cards.state.busy.contains(activity.id)
    let entry: Entry
    if let known = known(activity) {
      if known.card.isBusy == isBusy {
        entry = known
      } else {
        var card = known.card
        card.isBusy = isBusy
        entry = Entry(activity, day: known.day, card)
        entries[activity.id] = entry
      }
    } else {
      entry = new(activity, cards)
      entries[activity.id] = entry
    }
    used.append(entry)
    return entry
  }

  /// The last card of an activity, if the activity has not changed.
  private func known(_ activity: Activity) -> Entry? {
    // Most activities stay in their places.
    let place = used.count
    if place < last.count, last[place].activity.isIdentical(to: activity) { return last[place] }
    return entries[activity.id].flatMap { $0.activity.isIdentical(to: activity) ? $0 : nil }
  }

  private func new(_ activity: Activity, _ cards: CardReducer) -> Entry {
    let last = entries[activity.id].flatMap { $0.activity.details == activity.details ? $0 : nil }
    return Entry(
      activity, day: last?.day ?? cards.wording.dayKey(activity.details.start),
      cards.card(activity, after: last?.card))
  }

  /// Returns a day of the board.
  ///
  /// If its cards have not changed, the day of the last reduction is returned, because a comparison
  /// with it is fast.
  ///
  /// - Parameter make: Makes the heading.
  func day(
    of entries: ArraySlice<Entry>, isOver: Bool,
    heading make: (Date) -> (name: String, date: String)
  ) -> FeedViewState.Day {
    let place = usedDays.count
    if place < lastDays.count, lastDays[place].entries.elementsEqual(entries, by: ===) {
      usedDays.append(lastDays[place])
      return lastDays[place].day
    }
    let (key, start) =
      entries.first.map { ($0.day, $0.activity.details.start) } ?? ("", .distantPast)
    let heading = headings[key] ?? make(start)
    headings[key] = heading
    let day = FeedViewState.Day(
      id: isOver ? "over-\(key)" : key, name: heading.name, date: heading.date, isOver: isOver,
      cards: entries.map(\.card))
    usedDays.append((entries, day))
    return day
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
}
