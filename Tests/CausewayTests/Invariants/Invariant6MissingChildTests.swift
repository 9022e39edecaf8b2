import Causeway
import TestSupport
import Testing

@MainActor
struct Invariant6MissingChildTests {
  private static func empty() -> Tree.State {
    Tree.State(pane: nil, card: nil, rows: IdentifiedArray(), sheet: nil, loading: .loading)
  }

  @Test(arguments: Place.allCases.filter { $0 != .scope })
  func `actions for a missing child are dropped and reported once`(place: Place) {
    let errors = Log<String>()
    let model = ViewModel(
      Tree(), initialState: Self.empty(), onError: { errors.append($0.description) })
    for number in 0..<3 {
      model.send(place.adding(number))
    }
    #expect(place.numbers(model.viewState) == nil)
    #expect(model.seen == 3, "the parent still receives them")
    #expect(errors.all.count == 1)
    // The report names only the case, because the values of an action may be private.
    #expect(errors.all.first?.contains("add arrived for a missing") == true)
    #expect(errors.all.first?.contains("/Tree.swift:") == true)
    if place == .row { #expect(errors.all.first?.contains("a missing row") == true) }
  }

  @Test func `each child declaration reports its missing children once`() {
    let errors = Log<String>()
    let model = ViewModel(
      Tree(), initialState: Self.empty(), onError: { errors.append($0.description) })
    for _ in 0..<2 {
      model.send(.pane(.add(1)))
      model.send(.card(.add(1)))
      model.send(.row(1, .add(1)))
      model.send(.row(2, .add(1)))
    }
    #expect(errors.all.count == 3)
  }

  @Test func `late actions of an effect of a removed row change nothing`() async {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    let isSending = Signal()
    let isDone = Gate()
    model.send(
      .row(
        2,
        .run { _ in
          .perform { send in
            isSending.send()
            await send(.add(1))
            await send { $0.numbers.append(2) }
            isDone.open()
          }
        }))
    // The main actor is blocked from here on, so the sends arrive after the removal of the row.
    #expect(isSending.wait())
    model.change { _ = $0.rows.remove(id: 2) }
    await isDone.waitUncancellably()
    #expect(model.rows.ids == [0, 1, 3])
    #expect(model.seen == 2)
    #expect(errors.all.isEmpty, "cancelled effects report nothing")
  }

  @Test func `an action fed back to a removed row is dropped`() {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    model.send(
      .run { state in
        state.rows.remove(id: 1)
        return .action(.row(1, .add(1)))
      })
    #expect(errors.all.count == 1)
    #expect(model.rows.count == 3)
  }
}
