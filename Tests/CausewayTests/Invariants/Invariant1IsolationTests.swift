import Causeway
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Invariant 1: isolation")
struct Invariant1IsolationTests {
  @Test func `effect work runs while the main actor is blocked`() async {
    let model = ViewModel(Script())
    let signal = Signal()
    let task = model.run { _ in .perform { _ in signal.send() } }
    #expect(signal.wait())
    await task.finish()
  }

  @Test func `observing work runs while the main actor is blocked`() async {
    let model = ViewModel(Script())
    let signal = Signal()
    let task = model.run { _ in .observe { _, _ in signal.send() } }
    #expect(signal.wait())
    await task.finish()
  }

  @Test func `staying work runs on the main actor, after the turn of its action`() async {
    let model = ViewModel(Script())
    let task = model.run { state in
      state.numbers.append(1)
      return .stay { send in
        MainActor.assertIsolated()
        send { $0.numbers.append(3) }
        await Task.yield()
        MainActor.assertIsolated()
        send(.add(4))
      }
    }
    model.send(.add(2))
    #expect(model.numbers == [1, 2])
    await task.finish()
    #expect(model.numbers == [1, 2, 3, 4])
  }

  @Test func `a sequence is iterated while the main actor is blocked`() async {
    let model = ViewModel(Script())
    let signal = Signal()
    let sequence = AsyncStream<Int>(unfolding: {
      signal.send()
      return nil
    })
    let task = model.run { _ in .observe(sequence) { state, number in state.numbers.append(number) }
    }
    #expect(signal.wait())
    await task.finish()
  }

  @Test func `handlers, updates, errors, elements and reducers run on the main actor`() async {
    struct Problem: Error {}
    let visits = Log<String>()
    let visit: @MainActor (String) -> Void = { place in
      MainActor.assertIsolated()
      visits.append(place)
    }
    let reducer = { @MainActor (state: Script.State) in
      visit("reducer")
      return state.numbers.count
    }
    let model = ViewModel(Script(), reducer: reducer)
    let elements = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    await model.run { _ in
      visit("handler")
      return .merge(
        .perform { send in await send { _ in visit("update") } },
        .perform { _ in
          throw Problem()
        } catch: { _, _ in
          visit("catch")
        },
        .observe(elements) { _, _ in visit("element") },
        .observe { currentState, _ in _ = await currentState.numbers })
    }.finish()
    #expect(Set(visits.all) == ["handler", "update", "catch", "element", "reducer"])
  }

  @Test func `observers are called on the main actor`() {
    let model = ViewModel(Script())
    let visits = Log<Bool>()
    withObservationTracking {
      _ = model.other
    } onChange: {
      MainActor.assertIsolated()
      visits.append(true)
    }
    model.run { state in
      state.other = 1
      return .state
    }
    #expect(visits.all == [true])
  }
}
