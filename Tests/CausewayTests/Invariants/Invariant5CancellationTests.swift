import Causeway
import TestSupport
import Testing

@MainActor
@Suite("Invariant 5: cancellation")
struct Invariant5CancellationTests {
  @Test func `a waiting send does nothing after its effect was cancelled`() async {
    for _ in 0..<200 {
      let model = ViewModel(Script())
      let isSending = Signal()
      let isDone = Gate()
      model.run { _ in
        .perform(id: "adding") { send in
          isSending.send()
          await send { $0.numbers.append(1) }
          await send(.add(2))
          isDone.open()
        }
      }
      // The main actor is blocked from here to the cancellation, so the send has to wait for it.
      #expect(isSending.wait())
      model.run { _ in .cancel("adding") }
      await isDone.waitUncancellably()
      #expect(model.numbers == [])
      #expect(model.runningEffects.isEmpty)
    }
  }

  @Test func `an action task cancels every effect that its action started`() async {
    let model = ViewModel(Script())
    let isStarted = Gate()
    let task = model.run { _ in
      .perform { send in
        await send(
          .run { _ in
            .perform { send in
              isStarted.open()
              await Gate().wait()
              await send(.add(1))
            }
          })
      }
    }
    await isStarted.wait()
    task.cancel()
    #expect(model.runningEffects.isEmpty)
    await task.finish()
    #expect(model.numbers == [])
  }

  @Test(arguments: [false, true])
  func `elements after a cancellation are not applied, even if many arrived together`(
    isWatched: Bool
  ) async {
    let stream = AsyncStream<Int> { continuation in
      for number in 1...32 { continuation.yield(number) }
      continuation.finish()
    }
    let interactor: any Interactor<Script.State, Script.Action> =
      isWatched ? Script().onChange(of: \.other) { _, _ in .state } : Script()
    let model = ViewModel(interactor.resolve())
    var task: ActionTask?
    task = model.run { _ in
      .observe(stream) { state, number in
        state.numbers.append(number)
        if number == 3 { task?.cancel() }
      }
    }
    await task?.finish()
    #expect(model.numbers == [1, 2, 3])
  }

  /// Endless numbers that ignore cancellation.
  nonisolated private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let witness: Witness
    var last = 0

    func makeAsyncIterator() -> Numbers { self }

    mutating func next() async -> Int? {
      last += 1
      return last
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a sequence that ignores cancellation is not iterated further`() async {
    let model = ViewModel(Script())
    let isStarted = Gate()
    let isFreed = Gate()
    func follow(_ numbers: Numbers) {
      model.run { _ in
        .observe(numbers, id: "numbers") { state, number in
          state.other = number
          isStarted.open()
        }
      }
    }
    follow(Numbers(witness: Witness(isFreed)))
    await isStarted.wait()
    model.run { _ in .cancel("numbers") }
    let last = model.other
    // The iteration ends before the sequence is freed.
    await isFreed.wait()
    #expect(isFreed.isPassable)
    #expect(model.other == last)
  }

  @Test func `cancelling the waiting task cancels the effects`() async {
    let model = ViewModel(Script())
    let isStarted = Gate()
    let waiting = Task {
      await model.run { _ in
        .perform { send in
          isStarted.open()
          await Gate().wait()
        }
      }.finish()
    }
    await isStarted.wait()
    waiting.cancel()
    await waiting.value
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a newer observation replaces the observation at the same call site`() async {
    let model = ViewModel(Script())
    let (first, feedFirst) = AsyncStream.makeStream(of: Int.self)
    let (second, feedSecond) = AsyncStream.makeStream(of: Int.self)
    func observe(_ stream: AsyncStream<Int>) -> ActionTask {
      model.run { _ in .observe(stream) { state, number in state.numbers.append(number) } }
    }
    let firstTask = observe(first)
    let secondTask = observe(second)
    // The cancellation took effect when the second action was handled, not when its task ran.
    #expect(model.runningEffects.count == 1)
    feedFirst.yield(1)
    feedFirst.finish()
    feedSecond.yield(2)
    feedSecond.finish()
    await firstTask.finish()
    await secondTask.finish()
    #expect(model.numbers == [2])
  }

  @Test func `delayed work that was cancelled never starts`() async {
    let clock = ManualClock()
    let model = ViewModel(Script(), clock: clock)
    let starts = Log<String>()
    let task = model.run { _ in
      .perform(.debounce(for: .seconds(1)), id: "slow") { _ in starts.append("cancelled") }
    }
    await clock.sleepers(1)
    model.run { _ in .cancel("slow") }
    #expect(model.runningEffects.isEmpty)
    let other = model.run { _ in
      .perform(.debounce(for: .seconds(1)), id: "other") { _ in starts.append("other") }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    await task.finish()
    await other.finish()
    #expect(starts.all == ["other"])
  }
}
