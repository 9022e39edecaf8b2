public import Causeway
import Foundation
import HarborDomain

/// Derives the texts of the page from the state of the feed.
public struct FeedReducer: ViewStateReducer {
  private let wording: BoardWording
  private let known = KnownCards()

  /// Makes a reducer with this wording.
  public init(wording: BoardWording) {
    self.wording = wording
  }

  /// Returns the content of the page.
  ///
  /// It formats only the activities that have changed since the last call, and all of them when the
  /// time has changed.
  ///
  /// Complexity: O(*n* log *n*) in the number of activities.
  public func reduce(_ state: FeedInteractor.State) -> FeedViewState {
    let cards = CardReducer(wording: wording, state: state)
    let days = days(of: cards.activities, cards)
    return FeedViewState(
      summary: summary(of: state),
      you: you(state),
      isLoading: state.activities == nil && state.boardProblem == nil,
      isEmpty: state.activities != nil && days.isEmpty,
      failure: state.boardProblem ?? "",
      days: days,
      isComposing: state.composer.isOpen,
      composer: form(
        state.composer.sheet, id: "new", earliest: wording.fieldValue(state.now)),
      attempt: state.composer.attempt,
      isRefused: state.composer.sheet.problems != nil || state.naming.waiting != nil,
      problem: state.problem ?? "",
      announcements: state.announcement.map { [$0] } ?? [])
  }

  private func summary(of state: FeedInteractor.State) -> String {
    guard let activities = state.activities else { return "" }
    let ahead = activities.filter { !wording.isOver($0.details.start, at: state.now) }
      .sorted { $0.details.start < $1.details.start }
    guard let next = ahead.first else { return "Nothing planned at the moment." }
    let distance = wording.distance(next.details.start, at: state.now)
    return "\(wording.count(ahead.count, "activity", "activities")) ahead, the next \(distance)."
  }

  private func you(_ state: FeedInteractor.State) -> FeedViewState.You {
    FeedViewState.You(
      name: state.person?.text ?? "",
      badge: state.person.map { badge($0) },
      isNaming: state.naming.isOpen || state.person == nil,
      isAsked: state.naming.waiting != nil,
      canCancel: state.naming.isOpen,
      typed: state.naming.problem == nil ? state.person?.text ?? "" : state.naming.typed,
      problem: state.naming.problem ?? "",
      invalid: state.naming.problem == nil ? "false" : "true")
  }

  /// Groups activities by day: future days first, the earliest at the top, then past days, the
  /// latest at the top.
  private func days(of activities: [Activity], _ cards: CardReducer) -> [FeedViewState.Day] {
    let now = cards.state.now
    known.begin(at: now)
    let sorted = activities.sorted {
      ($0.details.start, $0.id) < ($1.details.start, $1.id)
    }
    let ahead = sorted.filter { !wording.isOver($0.details.start, at: now) }
    let over = sorted.filter { wording.isOver($0.details.start, at: now) }
    return grouped(ahead, isOver: false, cards) + grouped(over, isOver: true, cards).reversed()
  }

  private func grouped(
    _ activities: [Activity], isOver: Bool, _ cards: CardReducer
  ) -> [FeedViewState.Day] {
    activities.map { known.entry(of: $0, by: cards) }.chunked(by: \.day).map { key, entries in
      let heading = known.heading(of: key) {
        let start = entries[0].activity.details.start
        return (
          wording.dayName(start, at: cards.state.now), wording.dayDate(start, at: cards.state.now)
        )
      }
      return FeedViewState.Day(
        id: isOver ? "over-\(key)" : key, name: heading.name, date: heading.date, isOver: isOver,
        cards: entries.map(\.card))
    }
  }
}

extension Array {
  /// Groups neighbours with the same key; no group is empty.
  fileprivate func chunked<Key: Equatable>(by key: (Element) -> Key) -> [(Key, [Element])] {
    var groups: [(Key, [Element])] = []
    for element in self {
      let own = key(element)
      if groups.last?.0 == own {
        groups[groups.count - 1].1.append(element)
      } else {
        groups.append((own, [element]))
      }
    }
    return groups
  }
}
