import Causeway
import TestSupport
import Testing

/// Effects that begin again while an earlier one ends.
@MainActor
struct RestartedEffectTests {
  private func follow(
    _ stream: AsyncStream<Int>, _ policy: EffectPolicy
  ) -> Script.Action {
    .run { _ in
      .observe(policy, stream, id: "stream") { state, number in state.numbers.append(number) }
    }
  }

  @Test(arguments: [EffectPolicy.first, .serial, .limited(to: 1), .latest])
  func `an action whose task is cancelled can be sent again in the same turn`(
    policy: EffectPolicy
  ) async {
    let model = ViewModel(Script())
    let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
    let task = Task { await model.send(follow(first.stream, policy)).finish() }
    await until { model.runningEffects.count == 1 }
    first.continuation.yield(1)
    await until { model.numbers == [1] }
    task.cancel()
    let again = model.send(follow(second.stream, policy))
    #expect(model.runningEffects.count == 1)
    await task.value
    first.continuation.yield(2)
    second.continuation.yield(3)
    second.continuation.finish()
    await again.finish()
    #expect(model.numbers == [1, 3])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a cancelled task cancels its effects also without a later effect`() async {
    let model = ViewModel(Script())
    let task = Task { await model.run { _ in .perform { _ in await Gate().wait() } }.finish() }
    await until { model.runningEffects.count == 1 }
    task.cancel()
    await task.value
    #expect(model.runningEffects.isEmpty)
  }

  struct Pair: Interactor {
    var body: some InteractorOf<Script> {
      Script()
      Interact<Script.State, Script.Action>(initialValue: Script.State()) { _, action in
        guard case .add(let number) = action else { return .state }
        return number < 0
          ? .cancel("gate") : .perform(.first, id: "gate") { _ in await Gate().wait() }
      }
    }
  }

  @Test func `a cancel in one interactor of a body reaches no effect of another one`() {
    let model = ViewModel(Pair())
    model.run { _ in .perform(id: "gate") { _ in await Gate().wait() } }
    model.send(.add(-1))
    #expect(model.runningEffects == ["gate"])
    model.send(.add(1))
    #expect(model.runningEffects == ["gate", "gate"])
    model.run { _ in .cancel("gate") }
    #expect(model.runningEffects.count == 1)
    model.send(.add(-1))
    #expect(model.runningEffects.isEmpty)
  }
}
