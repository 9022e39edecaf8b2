public import Causeway
import Foundation
import HarborDomain

/// Derives the texts of the page from the state of the feed.
public struct FeedReducer: ViewStateReducer {
  private let wording: BoardWording
  private let window: BoardWindow?
  private let known = KnownCards()

  /// Makes a reducer with this wording.
  ///
  /// - Parameter window: The activities to show; `nil` for all. Activities with an open form are
  ///   also shown outside of the window.
  public init(wording: BoardWording, window: BoardWindow? = nil) {
    (self.wording, self.window) = (wording, window)
  }

  /// Returns the content of the page.
  ///
  /// It formats only the shown activities that have changed since the last call, and all of them when
  /// the time has changed.
  ///
  /// Complexity: O(shown activities + parts of the board).
  public func reduce(_ state: FeedInteractor.State) -> FeedViewState {
    reduceBoard(state).view
  }

  /// Returns the content of the page, and the whole board.
  func reduceBoard(_ state: FeedInteractor.State) -> (view: FeedViewState, order: BoardOrder) {
    let cards = CardReducer(wording: wording, state: state)
    let order = cards.order
    let shown = order.shown(in: window, keeping: Set(state.editors.keys))
    let days = days(of: shown, cards)
    let view = FeedViewState(
      summary: summary(of: cards.stored ?? order, state),
      you: you(state),
      isLoading: state.activities == nil && state.boardProblem == nil,
      isEmpty: state.activities != nil && days.isEmpty,
      failure: state.boardProblem ?? "",
      days: days,
      isComposing: state.composer.isOpen,
      composer: form(
        state.composer.sheet, id: "new",
        earliest: known.earliest { wording.fieldValue(state.now) }),
      attempt: state.composer.attempt,
      isRefused: state.composer.sheet.problems != nil || state.naming.waiting != nil,
      problem: state.problem ?? "",
      announcements: state.announcement.map { [$0] } ?? [])
    return (view, order)
  }

  private func summary(of order: BoardOrder, _ state: FeedInteractor.State) -> String {
    guard state.activities != nil else { return "" }
    guard let next = order.next else { return "Nothing planned at the moment." }
    let distance = wording.distance(next.details, at: state.now)
    let count = wording.count(order.aheadCount, "activity", "activities")
    return "\(count) ahead, the next \(distance)."
  }

  private func you(_ state: FeedInteractor.State) -> FeedViewState.You {
    FeedViewState.You(
      name: state.person?.text ?? "",
      badge: state.person.map { person in known.badge { badge(person) } },
      isNaming: state.naming.isOpen || state.person == nil,
      isAsked: state.naming.waiting != nil,
      canCancel: state.naming.isOpen,
      typed: state.naming.problem == nil ? state.person?.text ?? "" : state.naming.typed,
      problem: state.naming.problem ?? "",
      invalid: state.naming.problem == nil ? "false" : "true")
  }

  /// Groups activities by day: future days first, the earliest at the top, then past days, the
  /// latest at the top.
  private func days(of order: BoardOrder.Rows, _ cards: CardReducer) -> [FeedViewState.Day] {
    known.begin(for: cards.state)
    defer { known.end() }
    return grouped(order.ahead, isOver: false, cards)
      + grouped(order.over, isOver: true, cards).reversed()
  }

  private func grouped(
    _ activities: [Activity], isOver: Bool, _ cards: CardReducer
  ) -> [FeedViewState.Day] {
    var rest = activities.indices.map { known.entry(of: activities[$0], by: cards) }[...]
    var days: [FeedViewState.Day] = []
    while let first = rest.first {
      let entries = rest.prefix { $0.day == first.day }
      let day = known.day(of: entries, isOver: isOver) { [now = cards.state.now] start in
        (wording.dayName(start, at: now), wording.dayDate(start, at: now))
      }
      days.append(day)
      rest = rest.dropFirst(entries.count)
    }
    return days
  }
}
