import Causeway
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Invariant 3: order")
struct Invariant3OrderTests {
  @Test func `a hundred thousand chained actions do not grow the stack`() {
    struct Countdown: Interactor {
      var body: some Interactor<Int, Int> {
        Interact(initialValue: 0) { state, action in
          state += 1
          return action > 0 ? .action(action - 1) : .state
        }
      }
    }
    let model = ViewModel(Countdown())
    model.send(99_999)
    #expect(model.viewState == 100_000)
  }

  @Test func `actions that are fed back are handled first in, first out`() {
    let model = ViewModel(Script())
    model.run { state in
      state.numbers.append(0)
      return .merge(
        .action(
          .run { state in
            state.numbers.append(1)
            return .action(.add(3))
          }),
        .action(.add(2)))
    }
    #expect(model.numbers == [0, 1, 2, 3])
  }

  @Test func `an observer's send is handled before the outermost send returns`() {
    let model = ViewModel(Script())
    withObservationTracking {
      _ = model.other
    } onChange: {
      MainActor.assumeIsolated {
        _ = model.send(.add(2))
        #expect(model.numbers == [1, 2], "a send from an observer is handled at once")
      }
    }
    model.run { state in
      state.other = 1
      return .action(.add(1))
    }
    #expect(model.numbers == [1, 2])
  }

  @Test func `a reducer's send is handled before the outermost send returns`() {
    weak var late: ViewModel<Int, Script.Action>?
    let reducer = { @MainActor (state: Script.State) in
      if state.numbers == [1] { late?.send(.add(2)) }
      return state.numbers.count
    }
    let model = ViewModel(Script(), reducer: reducer)
    late = model
    model.send(.add(1))
    #expect(model.viewState == 2)
  }

  @Test func `the sends of one effect are applied in order`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .perform { send in
        for number in 0..<1_000 {
          if number.isMultiple(of: 2) {
            await send(.add(number))
          } else {
            await send { $0.numbers.append(number) }
          }
        }
      }
    }.finish()
    #expect(model.numbers == Array(0..<1_000))
  }

  @Test(arguments: [1, 63, 64, 65, 10_000])
  func `stream elements are neither lost, doubled nor reordered`(count: Int) async {
    let model = ViewModel(Script())
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = model.run { _ in
      .observe(stream) { state, number in state.numbers.append(number) }
    }
    for number in 0..<count {
      continuation.yield(number)
    }
    continuation.finish()
    await task.finish()
    #expect(model.numbers == Array(0..<count))
  }

  @Test func `elements before an error are applied before the error`() async {
    struct Problem: Error {}
    let stream = AsyncThrowingStream<Int, any Error> { continuation in
      for number in 0..<100 {
        continuation.yield(number)
      }
      continuation.finish(throwing: Problem())
    }
    let model = ViewModel(Script())
    await model.run { _ in
      .observe(stream) { state, number in
        state.numbers.append(number)
      } catch: { state, error in
        state.text = "\(error is Problem) after \(state.numbers.count)"
      }
    }.finish()
    #expect(model.text == "true after 100")
  }
}
