import Causeway
import HarborDomain

/// The person's own name.
extension FeedInteractor {
  func startNaming(_ state: inout State) -> FeedEmission {
    state.naming = Naming(isOpen: true)
    return .state
  }

  func cancelNaming(_ state: inout State) -> FeedEmission {
    state.naming = Naming()
    return .state
  }

  func setName(_ typed: String, _ state: inout State) -> FeedEmission {
    let name: PersonName
    do {
      name = try PersonName(typed)
    } catch {
      state.naming.typed = typed
      state.naming.problem = "\(error)"
      return .state
    }
    let (waiting, old) = (state.naming.waiting, state.person)
    state.person = name
    state.naming = Naming()
    let remember = FeedEmission.perform(.serial, id: "name") { [names] _ in
      try await names.remember(name)
    } catch: { state, error in
      state.person = old
      state.naming = Naming(isOpen: true, typed: typed, problem: Sentence.of(error))
    }
    guard let waiting else { return remember }
    return .merge(remember, .action(waiting))
  }

  /// Asks for the person's name and keeps the action that needs it.
  func ask(for action: Action, _ state: inout State) -> FeedEmission {
    state.naming = Naming(isOpen: true, waiting: action, problem: "\(PersonNameProblem.missing)")
    return .state
  }

  /// Reads the stored name, unless the user has set a name since this feed appeared.
  func recallName() -> FeedEmission {
    .perform(.latest, id: "recall") { [self, names] send in
      guard let name = try await names.remembered() else { return }
      await send { state in
        guard state.person == nil else { return }
        state.person = name
        // The page did not keep the activities of this person.
        readNewestBoard(&state)
      }
    } catch: { state, error in
      state.problem = Sentence.of(error)
    }
  }
}
