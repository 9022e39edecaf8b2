import Causeway
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Invariant 9: one publication")
struct Invariant9PublicationTests {
  private let reductions = Log<Int>()

  private func model() -> ViewModel<Int, Script.Action> {
    let reductions = self.reductions
    return ViewModel(
      Script(),
      reducer: { state in
        reductions.append(state.numbers.count)
        return state.numbers.count
      })
  }

  @Test func `a send derives the view state once, at its end`() {
    let model = model()
    #expect(reductions.all == [0])
    model.send(.add(1))
    #expect(reductions.all == [0, 1])
  }

  @Test func `a send that handles a thousand actions derives the view state once`() {
    let model = model()
    model.run { _ in .merge((0..<1_000).map { .action(.add($0)) }) }
    #expect(reductions.all == [0, 1_000])
  }

  @Test func `a send that starts an effect derives once, and so does each update of the effect`()
    async
  {
    let model = model()
    let gate = Gate()
    let task = model.run { _ in
      .perform { send in
        await gate.wait()
        await send { $0.numbers = [1] }
        await send(.run { _ in .merge(.action(.add(2)), .action(.add(3))) })
      }
    }
    #expect(reductions.all == [0, 0])
    gate.open()
    await task.finish()
    #expect(reductions.all == [0, 0, 1, 3])
  }

  @Test func `a send with many changes notifies an observer once`() {
    let model = ViewModel(Script())
    let changes = Log<Int>()
    withObservationTracking {
      _ = model.numbers
      _ = model.text
    } onChange: {
      changes.append(1)
    }
    model.run { state in
      state.text = "changed"
      return .merge((0..<100).map { .action(.add($0)) })
    }
    #expect(changes.all.count == 1)
  }

  @Test func `a change reverted in the same send is not published`() {
    let model = ViewModel(Script())
    let changes = Log<Int>()
    withObservationTracking {
      _ = model.other
    } onChange: {
      changes.append(1)
    }
    model.run { state in
      state.other = 1
      return .action(
        .run { state in
          state.other = 0
          return .state
        })
    }
    #expect(changes.all.isEmpty)
  }

  @Test func `streams of view states get one element for each send`() async {
    let model = model()
    var states = model.states.makeAsyncIterator()
    #expect(await states.next() == 0)
    model.run { _ in .merge((0..<10).map { .action(.add($0)) }) }
    #expect(await states.next() == 10)
    model.send(.add(1))
    model.send(.add(1))
    #expect(await states.next() == 12)
  }
}
