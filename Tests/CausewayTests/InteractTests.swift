import Causeway
import TestSupport
import Testing

@MainActor
struct InteractTests {
  @Test func `yields the initial state, then the state after every action`() async {
    let (actions, continuation) = AsyncStream.makeStream(of: Script.Action.self)
    continuation.yield(.add(1))
    continuation.yield(.add(2))
    continuation.finish()
    var numbers: [[Int]] = []
    for await state in Script().interact(actions) {
      numbers.append(state.numbers)
    }
    #expect(numbers == [[], [1], [1, 2]])
  }

  @Test func `yields the state after every update of an effect`() async {
    let (actions, continuation) = AsyncStream.makeStream(of: Script.Action.self)
    continuation.yield(
      .run { _ in
        .perform { send in
          await send { $0.numbers = [1] }
          await send(.add(2))
          await send { $0.numbers.append(3) }
        }
      })
    var numbers: [[Int]] = []
    for await state in Script().interact(actions) {
      numbers.append(state.numbers)
      if state.numbers.count == 3 { break }
    }
    #expect(numbers == [[], [], [1], [1, 2], [1, 2, 3]])
  }

  @Test func `effects are cancelled when the actions end`() async {
    let (actions, continuation) = AsyncStream.makeStream(of: Script.Action.self)
    let isStarted = Gate()
    let isCancelled = Gate()
    continuation.yield(
      .run { _ in
        .perform { _ in
          isStarted.open()
          await Gate().wait()
          isCancelled.open()
        }
      })
    let states = Script().interact(actions)
    await isStarted.wait()
    continuation.finish()
    for await _ in states {}
    await isCancelled.waitUncancellably()
  }

  @Test func `waiting actions are not handled after the consumer is released`() async {
    let (actions, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { continuation.yield(number) }
    let handled = Log<Int>()
    let isFreed = Gate()
    // The consumer is released before the main actor does anything else. If the consumer took a
    // state first, it would leave the main actor, and actions could be handled in the meantime.
    _ = Counter(handled: handled, witness: Witness(isFreed)).interact(actions)
    // The interactor is released after the actions have been iterated.
    await isFreed.waitUncancellably()
    #expect(handled.all.isEmpty)
  }

  @Test func `all effects are cancelled when the consumer is cancelled`() async {
    let (actions, continuation) = AsyncStream.makeStream(of: Script.Action.self)
    let isCancelled = Gate()
    let isStarted = Gate()
    continuation.yield(
      .run { _ in
        .perform { _ in
          isStarted.open()
          await Gate().wait()
          isCancelled.open()
        }
      })
    let consumer = Task {
      for await _ in Script().interact(actions) {}
    }
    await isStarted.wait()
    consumer.cancel()
    await isCancelled.waitUncancellably()
  }
}

private struct Counter: Interactor {
  let handled: Log<Int>
  let witness: Witness

  var body: some Interactor<Int, Int> {
    Interact(initialValue: 0) { [handled, witness] state, number in
      withExtendedLifetime(witness) { handled.append(number) }
      state += number
      return .state
    }
  }
}
