import Causeway
import TestSupport

/// Effects under one id, each started with a number and ended by the test.
///
/// An effect that finishes adds its number to the state.
@MainActor
struct Rivals {
  let model: ViewModel<Script.State, Script.Action>
  let policy: EffectPolicy
  let id: EffectID?
  let starts = Log<Int>()
  let gates = (0..<8).map { _ in Gate() }

  init(
    _ policy: EffectPolicy, id: EffectID? = "rivals",
    model: ViewModel<Script.State, Script.Action> = ViewModel(Script())
  ) {
    self.model = model
    self.policy = policy
    self.id = id
  }

  @discardableResult
  func request(_ number: Int) -> ActionTask {
    let (starts, gate, policy, id) = (self.starts, gates[number], self.policy, self.id)
    return model.run { _ in
      .perform(policy, id: id) { send in
        starts.append(number)
        await gate.wait()
        await send(.add(number))
      }
    }
  }

  func openAll() {
    for gate in gates { gate.open() }
  }
}
