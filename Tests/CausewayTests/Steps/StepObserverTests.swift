import Causeway
import Observation
import TestSupport
import Testing

@MainActor
struct StepObserverTests {
  private let steps = Log<Step<Script.State, Script.Action>>()

  private func model() -> ViewModel<Script.State, Script.Action> {
    let steps = self.steps
    return ViewModel(Script(), observer: StepObserver { steps.append($0) }, onError: { _ in })
  }

  private func cause(_ step: Step<Script.State, Script.Action>) -> String {
    switch step.cause {
    case .action(_, let effect): effect.map { "action of \($0)" } ?? "action"
    case .update(let effect): "update of \(effect)"
    case .failure(let effect): "failure of \(effect)"
    }
  }

  @Test func `each step has a number, a cause and the states before and after it`() async {
    struct Problem: Error {}
    let model = model()
    await model.run { state in
      state.numbers = [0]
      return .perform(id: "loading") { send in
        await send { $0.numbers.append(1) }
        await send(.add(2))
        await send(replacing: Script.State(numbers: [3]))
        throw Problem()
      } catch: { state, _ in
        state.numbers.append(4)
      }
    }.finish()
    model.send(.add(5))
    #expect(steps.all.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(
      steps.all.map(cause) == [
        "action", "update of loading", "action of loading", "update of loading",
        "failure of loading", "action",
      ])
    #expect(steps.all.map(\.before.numbers) == [[], [0], [0, 1], [0, 1, 2], [3], [3, 4]])
    #expect(steps.all.map(\.after.numbers) == [[0], [0, 1], [0, 1, 2], [3], [3, 4], [3, 4, 5]])
    #expect(steps.all.map(\.origin) == [1, 1, 1, 1, 1, 6])
  }

  @Test func `actions that are fed back name the original action`() {
    let model = model()
    model.send(.add(0))
    model.run { _ in .merge(.action(.run { _ in .action(.add(1)) }), .action(.add(2))) }
    #expect(steps.all.map(\.number) == [1, 2, 3, 4, 5])
    #expect(steps.all.map(\.origin) == [1, 2, 2, 2, 2])
    #expect(steps.all.map(\.after.numbers.count) == [1, 1, 1, 2, 3])
  }

  @Test func `parts of a sequence name the original action`() async {
    let model = model()
    await model.run { _ in
      .sequence(
        .perform(id: "a") { send in await send(.add(1)) },
        .perform(id: "b") { send in await send(.add(2)) }, .action(.add(3)))
    }.finish()
    #expect(steps.all.map(\.origin) == [1, 1, 1, 1])
  }

  @Test func `steps started by an observer's send name that send as their origin`() {
    let model = model()
    withObservationTracking {
      _ = model.other
    } onChange: {
      MainActor.assumeIsolated {
        _ = model.run { _ in .action(.run { _ in .action(.add(1)) }) }
      }
    }
    model.run { state in
      state.other = 1
      return .state
    }
    #expect(steps.all.map(\.origin) == [1, 2, 2, 2])
  }

  @Test func `a step observer can send actions`() {
    weak var late: ViewModel<Script.State, Script.Action>?
    let numbers = Log<Int>()
    let model = ViewModel(
      Script(),
      observer: StepObserver { step in
        numbers.append(step.number)
        if step.after.numbers.count < 3 { late?.send(.add(step.number)) }
      })
    late = model
    model.send(.add(0))
    #expect(model.numbers == [0, 1, 2])
    #expect(numbers.all == [1, 2, 3])
  }

  @Test func `sends of a cancelled effect are not steps`() async {
    let model = model()
    let isSending = Signal()
    let isDone = Gate()
    model.run { _ in
      .perform(id: "x") { send in
        isSending.send()
        await send(.add(1))
        isDone.open()
      }
    }
    #expect(isSending.wait())
    model.run { _ in .cancel("x") }
    await isDone.waitUncancellably()
    #expect(steps.all.count == 2)
  }

  @Test func `merged observers receive each step in their order`()
    async
  {
    let log = Log<String>()
    let texts = Log<String>()
    func observer(_ name: String) -> StepObserver<Script.State, Script.Action> {
      StepObserver { log.append("\(name)\($0.number)") }
    }
    let model = ViewModel(
      Script(),
      observer: .merge(observer("a"), .printChanges(to: { texts.append($0) }), nil, observer("b")))
    model.send(.add(1))
    await model.run { _ in .perform { send in await send { $0.numbers.append(2) } } }.finish()
    #expect(log.all == ["a1", "b1", "a2", "b2", "a3", "b3"])
    #expect(texts.all.count == 3)
  }

  @Test func `a merge of no observer observes nothing`() {
    #expect(StepObserver<Script.State, Script.Action>.merge() == nil)
    let model = ViewModel(Script(), observer: .merge(nil))
    model.send(.add(1))
    #expect(model.numbers == [1])
  }
}
