import Causeway
import CausewayData

@testable import CausewayStores

/// Uses a store in concurrent effects.
struct StoreScript: Interactor {
  enum Action: Sendable, Equatable {
    case set(Int)
    /// Sets a value that belongs to the current session.
    case setWithTicket(Int)
    case remove(Int)
    case removeAll
    case flush
    case close
    case reload
    /// Advances the time until no operation waits.
    case wait
    case failLoad
    case failSave(SteppedBacking.Fault)
    case logOut
    case signIn(AccountID)
  }

  struct State: Sendable {
    var isBackingRunning = false
  }

  let world: StoreWorld

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [world] state, action in
      let work = Emission<State, Action>.perform(id: EffectID("\(action)")) { _ in
        await world.perform(action)
      }
      // This is not a part of the script, because a shortened script needs it too.
      if state.isBackingRunning { return work }
      state.isBackingRunning = true
      return .merge(.observe(id: "backing") { _, _ in await world.backing.steps.run() }, work)
    }
  }
}
