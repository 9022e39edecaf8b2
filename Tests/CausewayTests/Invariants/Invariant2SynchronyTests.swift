import Causeway
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Invariant 2: synchrony")
struct Invariant2SynchronyTests {
  @Test func `state is up to date when send returns`() {
    let model = ViewModel(Script())
    model.send(.add(1))
    #expect(model.numbers == [1])
    #expect(model.viewState.numbers == [1])
  }

  @Test func `derived view state is up to date when send returns`() {
    let reducer = { @MainActor (state: Script.State) in "\(state.numbers)" }
    let model = ViewModel(Script(), reducer: reducer)
    #expect(model.viewState == "[]")
    model.send(.add(1))
    #expect(model.viewState == "[1]")
  }

  @Test func `observers have been notified when send returns`() {
    let model = ViewModel(Script())
    let calls = Log<Int>()
    withObservationTracking {
      _ = model.numbers
    } onChange: {
      calls.append(1)
    }
    model.send(.add(1))
    #expect(calls.all == [1])
  }

  @Test func `a chain of actions is handled when send returns`() {
    let model = ViewModel(Script())
    model.run { _ in .action(.run { _ in .action(.add(7)) }) }
    #expect(model.numbers == [7])
  }

  @Test func `an action without effects returns a finished task`() async {
    let model = ViewModel(Script())
    let task = model.send(.add(1))
    #expect(model.runningEffects.isEmpty)
    await task.finish()
  }
}
