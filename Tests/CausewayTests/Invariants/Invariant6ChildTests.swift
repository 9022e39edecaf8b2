import Causeway
import TestSupport
import Testing

@MainActor
struct Invariant6ChildTests {
  @Test(arguments: Place.allCases)
  func `a child handles its action before its parent does`(place: Place) {
    let model = ViewModel(Tree())
    model.send(place.adding(5))
    #expect(place.numbers(model.viewState) == [5])
    #expect(model.seen == 1)
    for other in Place.allCases where other != place {
      #expect(other.numbers(model.viewState) == [])
    }
  }

  @Test(arguments: Place.allCases)
  func `the sends of a child's effect are delivered to the child`(place: Place) async {
    let model = ViewModel(Tree())
    let life = Life()
    life.gate.open()
    await model.send(place.starting(life)).finish()
    #expect(place.numbers(model.viewState) == [1])
    #expect(model.seen == 1)
    #expect(model.runningEffects.isEmpty)
  }

  /// How and where a child is removed.
  nonisolated enum Leaving: CaseIterable, Sendable {
    case paneToNil, cardToNil, cardReplaced, rowRemoved, rowsReplaced, rowsFiltered
    case sheetToNil, sheetRowRemoved, sheetCardToNil, sheetCardReplaced, sheetOfCardToNil
    case caseToOther, caseToOtherWithChild

    var place: Place {
      switch self {
      case .paneToNil: .pane
      case .cardToNil, .cardReplaced: .card
      case .rowRemoved, .rowsReplaced, .rowsFiltered: .row
      case .sheetToNil, .sheetRowRemoved: .sheetRow
      case .sheetCardToNil, .sheetCardReplaced, .sheetOfCardToNil: .sheetCard
      case .caseToOther, .caseToOtherWithChild: .enumCase
      }
    }

    func apply(_ state: inout Tree.State) {
      switch self {
      case .paneToNil: state.pane = nil
      case .cardToNil: state.card = nil
      case .cardReplaced: state.card = Leaf.State(id: 2)
      case .rowRemoved: state.rows.remove(id: 2)
      case .rowsReplaced: state.rows = IdentifiedArray(uniqueElements: [Leaf.State(id: 9)])
      case .rowsFiltered: state.rows.removeAll { $0.id > 0 }
      case .sheetToNil, .sheetOfCardToNil: state.sheet = nil
      case .sheetRowRemoved: state.sheet?.rows.remove(id: 2)
      case .sheetCardToNil: state.sheet?.card = nil
      case .sheetCardReplaced: state.sheet?.card = Leaf.State(id: 8)
      case .caseToOther: state.loading = .loading
      case .caseToOtherWithChild: state.loading = .failed(Leaf.State())
      }
    }
  }

  @Test(arguments: Leaving.allCases)
  func `a child's effects are cancelled when the child is removed`(leaving: Leaving) async {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(leaving.place.starting(life))
    await life.isStarted.wait()
    #expect(model.runningEffects.count == 1)
    model.change { leaving.apply(&$0) }
    #expect(model.runningEffects.isEmpty)
    // The effect's gate was never opened, so only the cancellation can have ended the wait.
    await life.isEnded.waitUncancellably()
    await task.finish()
    var expected = Tree.State(seen: 2)
    leaving.apply(&expected)
    #expect(model.viewState == expected)
  }

  @Test(arguments: Leaving.allCases)
  func `a child's effects are cancelled when another effect's update removes the child`(
    leaving: Leaving
  )
    async
  {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(leaving.place.starting(life))
    await life.isStarted.wait()
    await model.send(.run { _ in .perform { send in await send { leaving.apply(&$0) } } }).finish()
    #expect(model.runningEffects.isEmpty)
    await life.isEnded.waitUncancellably()
    await task.finish()
  }

  @Test(arguments: Leaving.allCases)
  func `delayed and queued effects of a removed child never start`(leaving: Leaving) async {
    let clock = ManualClock()
    let model = ViewModel(Tree(), clock: clock)
    let lives = (0..<4).map { _ in Life() }
    model.send(leaving.place.starting(lives[0], .serial, id: "queue"))
    model.send(leaving.place.starting(lives[1], .serial, id: "queue"))
    model.send(leaving.place.starting(lives[2], .serial, id: "queue"))
    model.send(leaving.place.starting(lives[3], .debounce(for: .seconds(1)), id: "slow"))
    await lives[0].isStarted.wait()
    await clock.sleepers(1)
    model.change { leaving.apply(&$0) }
    #expect(model.runningEffects.isEmpty)
    clock.advance(by: .seconds(2))
    await lives[0].isEnded.waitUncancellably()
    // This takes a full turn of the executor, so an effect that was started by mistake would run
    // before it ends.
    await model.send(Place.scope.starting(openLife())).finish()
    #expect(lives.dropFirst().allSatisfy { !$0.isStarted.isPassable })
  }

  private func openLife() -> Life {
    let life = Life()
    life.gate.open()
    return life
  }

  @Test(arguments: Place.allCases)
  func `an effect whose child is removed in the same step does not start`(place: Place) async {
    struct Closing: Interactor {
      var body: some Interactor<Tree.State, Tree.Action> {
        Tree()
        Interact<Tree.State, Tree.Action>(initialValue: Tree.State()) { state, action in
          if case .run = action { return .state }
          state.pane = nil
          state.card = nil
          state.rows = IdentifiedArray()
          state.sheet = nil
          state.loading = .loading
          return .state
        }
      }
    }
    let model = ViewModel(Closing())
    let life = Life()
    life.gate.open()
    let task = model.send(place.starting(life))
    #expect(model.runningEffects.count == (place == .scope ? 1 : 0))
    await task.finish()
    #expect(life.isStarted.isPassable == (place == .scope))
  }

  @Test(arguments: Place.allCases)
  func `changes that keep the child keep its effects`(place: Place) async {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(place.starting(life))
    await life.isStarted.wait()
    model.change { state in
      state.pane?.text = "changed"
      state.card?.numbers.append(0)
      state.rows.remove(id: 3)
      state.rows.sort { $0.id > $1.id }
      state.rows.updateOrAppend(Leaf.State(id: 10))
      state.rows.modify(id: 2) { $0.numbers.append(0) }
      state.sheet?.rows.remove(id: 1)
      _ = state.sheet?.rows.insert(Leaf.State(id: 5), at: 0)
      state.sheet?.card?.numbers.append(0)
      if case .loaded(var leaf) = state.loading {
        leaf.numbers.append(0)
        state.loading = .loaded(leaf)
      }
    }
    #expect(model.runningEffects.count == 1)
    life.gate.open()
    await task.finish()
    #expect(place.numbers(model.viewState)?.last == 1)
  }

  @Test func `one id in two scopes and two rows identifies four effects`() async {
    let model = ViewModel(Tree())
    let lives = (0..<4).map { _ in Life() }
    let leaf: (Life) -> Leaf.Action = { life in
      .run { _ in life.effect(.latest, "same") { $0.numbers.append(1) } }
    }
    let script: (Life) -> Script.Action = { life in
      .run { _ in life.effect(.latest, "same") { $0.numbers.append(1) } }
    }
    let tasks = [
      model.send(.left(script(lives[0]))), model.send(.right(script(lives[1]))),
      model.send(.row(0, leaf(lives[2]))), model.send(.row(1, leaf(lives[3]))),
    ]
    #expect(model.runningEffects.count == 4)
    model.send(.left(.run { _ in .cancel("same") }))
    model.send(.row(1, .run { _ in .cancel("same") }))
    #expect(model.runningEffects.count == 2)
    model.send(.run { _ in .cancel("same") })
    #expect(model.runningEffects.count == 2)
    for life in lives { life.gate.open() }
    for task in tasks { await task.finish() }
    #expect(model.left.numbers == [])
    #expect(model.right.numbers == [1])
    #expect(model.rows[id: 0]?.numbers == [1])
    #expect(model.rows[id: 1]?.numbers == [])
  }

  @Test func `many effects of many rows end when their rows are removed`() async {
    let model = ViewModel(Tree())
    model.change { state in
      state.rows = IdentifiedArray(uniqueElements: (0..<500).map { Leaf.State(id: $0) })
    }
    let tasks = (0..<500).flatMap { row in
      (0..<3).map { _ in
        model.send(.row(row, .run { _ in .perform(.serial, id: "x") { _ in await Gate().wait() } }))
      }
    }
    #expect(model.runningEffects.count == 1_500)
    for row in (0..<500).reversed() where row.isMultiple(of: 2) {
      model.change { _ = $0.rows.remove(id: row) }
    }
    #expect(model.runningEffects.count == 750)
    model.change { $0.rows = IdentifiedArray() }
    #expect(model.runningEffects.isEmpty)
    for task in tasks { await task.finish() }
  }

  @Test func `when a sequence's part ends with its child, the next part starts`() async {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(
      .run { _ in
        .sequence(
          .action(Place.card.starting(life)),
          .action(
            .run { state in
              state.log.append("next")
              return .state
            }))
      })
    await life.isStarted.wait()
    model.change { $0.card = nil }
    await task.finish()
    #expect(model.log == ["next"])
  }

  @Test func `effects of children removed together are cancelled in the order of their requests`()
    async
  {
    let rows = IdentifiedArray(uniqueElements: (0..<24).map { Leaf.State(id: $0) })
    var state = Tree().resolve().initialValue
    state.rows = rows
    var cancelled: [Int] = []
    let model = ViewModel(
      Tree(), initialState: state,
      observer: StepObserver(
        { _ in }, effects: { if $0.kind == .cancelled { cancelled.append($0.number) } }))
    for id in rows.ids.reversed() {
      model.send(.row(id, .run { _ in .perform { _ in await Gate().wait() } }))
    }
    model.change { $0.rows = IdentifiedArray() }
    #expect(cancelled == Array(1...24))
    #expect(model.runningEffects.isEmpty)
  }
}
