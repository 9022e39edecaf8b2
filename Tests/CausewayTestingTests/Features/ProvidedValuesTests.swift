import Causeway
import CausewayTesting
import TestSupport
import Testing

extension ProvidedKey<@Sendable (Int) async -> String> {
  fileprivate static var names: Self { ProvidedKey("names", default: { "app \($0)" }) }
}

extension ProvidedKey<Int> {
  fileprivate static var limit: Self { ProvidedKey("limit", default: 10, inTests: { 3 }) }
  fileprivate static var offset: Self { ProvidedKey("offset", default: 20) }
}

/// Values that interactors provide to their descendants.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ProvidedValuesTests {
  struct Row: Interactor {
    struct State: Equatable, Sendable, Identifiable {
      let id: Int
      var name = ""
      var limit = 0
    }

    enum Action: Equatable, Sendable { case load, count }

    var body: some InteractorOf<Self> {
      InteractWithValues(initialValue: State(id: 0)) { state, action, values in
        switch action {
        case .load:
          return .perform { [id = state.id] send in
            let name = await values[.names](id)
            await send { $0.name = name }
          }
        case .count:
          state.limit = values[.limit]
          return .state
        }
      }
    }
  }

  struct List: Interactor {
    struct State: Equatable, Sendable {
      var rows: IdentifiedArray<Int, Row.State> = [Row.State(id: 1), Row.State(id: 2)]
      var detail: Row.State? = Row.State(id: 9)
    }

    enum Action: Equatable, Sendable {
      case row(Int, Row.Action)
      case detail(Row.Action)

      var row: (Int, Row.Action)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
      var detail: Row.Action? { if case .detail(let action) = self { action } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State())
        .forEach(\.rows, action: \.row, embed: Action.row) { Row() }
        .ifLet(\.detail, action: \.detail, embed: Action.detail) { Row().providing(.limit, 99) }
    }
  }

  @Test func `handlers and effects of all descendants read a provided value`() async {
    let model = TestModel(List().providing(.names) { "test \($0)" })
    await model.send(.row(2, .load))
    await model.expect { $0.rows[id: 2]?.name = "test 2" }
    await model.send(.detail(.load))
    await model.expect { $0.detail?.name = "test 9" }
    await model.finish()
  }

  @Test func `the value of the nearest interactor is used, and only in its subtree`() async {
    let model = TestModel(List().providing(.limit, 5))
    await model.send(.detail(.count)) { $0.detail?.limit = 99 }
    await model.send(.row(1, .count)) { $0.rows[id: 1]?.limit = 5 }
    await model.finish()
  }

  @Test func `an app reads the default of a key`() async {
    let model = ViewModel(List())
    await model.send(.row(1, .load)).finish()
    model.send(.row(1, .count))
    #expect(model.rows.all[id: 1] == Row.State(id: 1, name: "app 1", limit: 10))
  }

  @Test func `a test reads the value for tests`() async {
    let model = TestModel(List())
    await model.send(.row(1, .count)) { $0.rows[id: 1]?.limit = 3 }
    await model.finish()
  }

  @Test func `a missing value in a test is a failure, once for each key`() async {
    let failures = Failures()
    let model = TestModel(List(), reporter: failures.reporter)
    for id in [1, 2] {
      await model.send(.row(id, .load))
      await model.expect { $0.rows[id: id]?.name = "app \(id)" }
    }
    await model.finish()
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("The value names was read") == true)
  }

  @Test func `a missing value fails an exploration`() async {
    let failures = Failures()
    let result = await exploreInterleavings(
      of: List(), script: [.row(1, .load)], trials: 2,
      options: ExplorationOptions(reporter: failures.reporter)
    ) { _ in }
    #expect(result.failure != nil)
    #expect(failures.all.first?.contains("The value names was read") == true)
  }

  @Test func `two view models with different values do not influence each other`() {
    let (left, right) = (
      ViewModel(List().providing(.limit, 1)), ViewModel(List().providing(.limit, 2))
    )
    left.send(.row(1, .count))
    right.send(.row(1, .count))
    left.send(.row(2, .count))
    #expect(left.rows.all.map(\.limit) == [1, 1])
    #expect(right.rows.all.map(\.limit) == [2, 0])
  }

  /// A feature whose handler sends an action to another view model.
  struct Caller: Interactor {
    let other: ViewModel<Row.State, Row.Action>

    var body: some Interactor<Int, Int> {
      Interact(initialValue: 0) { [other] state, action in
        state = action
        other.send(.count)
        return .state
      }
    }
  }

  @Test(arguments: [false, true])
  func `a handler that sends to another view model does not provide its values there`(
    otherProvides: Bool
  ) {
    let other = ViewModel(otherProvides ? Row().providing(.offset, 1) : Row().resolve())
    let model = ViewModel(Caller(other: other).providing(.limit, 5))
    model.send(1)
    #expect(other.limit == 10)
  }

  @Test func `a test model does not turn another view model into a part of the test`() async {
    let other = ViewModel(Row())
    let model = TestModel(Caller(other: other))
    await model.send(1) { $0 = 1 }
    #expect(other.limit == 10)
    await model.finish()
  }

  @Test func `an interactor in two features reads the values of each`() {
    let shared = Sum().providing(.offset, 40)
    let models = [1, 2].map { ViewModel(shared.providing(.limit, $0)) }
    for _ in 0..<2 {
      for model in models { model.send(0) }
      #expect(models.map(\.viewState) == [41, 42])
    }
  }

  struct Sum: Interactor {
    var body: some Interactor<Int, Int> {
      InteractWithValues(initialValue: 0) { state, _, values in
        state = values[.limit] + values[.offset]
        return .state
      }
    }
  }

  @Test func `keys of the same type and different places are different`() async {
    let model = TestModel(Sum().providing(.offset, 40).providing(.limit, 2))
    await model.send(0) { $0 = 42 }
    await model.finish()
  }
}
