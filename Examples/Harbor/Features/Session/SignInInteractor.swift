public import Causeway
public import HarborDomain

/// Signing in and signing up.
public struct SignInInteractor: Interactor {
  /// The state of the form.
  public struct State: Sendable, Equatable {
    /// The name as typed.
    ///
    /// The state never keeps the passphrase.
    public internal(set) var name = ""
    /// The reason why the last attempt failed.
    public internal(set) var problem: String?
    /// Whether an attempt is running.
    public internal(set) var isWorking = false
    /// Whether this machine has an account that needs no passphrase.
    public internal(set) var hasLocalAccount = false

    init(hasLocalAccount: Bool = false) { self.hasLocalAccount = hasLocalAccount }
  }

  /// The actions of the form.
  public enum Action: Sendable, Equatable {
    /// Signs in with an existing account.
    case signIn(Credentials)
    /// Makes an account.
    case signUp(Credentials)
    /// Signs in with the account of this machine.
    case useLocalAccount
  }

  let account: any AccountServiceProtocol

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [account] state, action in
      switch action {
      case .signIn(let credentials):
        state.name = credentials.name
        return attempt(&state) { try await account.signIn(credentials) }
      case .signUp(let credentials):
        state.name = credentials.name
        guard credentials.passphrase.count >= Credentials.shortest else {
          state.problem = "Choose a passphrase of at least \(Credentials.shortest) characters."
          return .state
        }
        return attempt(&state) { try await account.signUp(credentials) }
      case .useLocalAccount:
        return attempt(&state) { try await account.signInLocally() }
      }
    }
  }

  private func attempt(
    _ state: inout State, _ work: @escaping @concurrent @Sendable () async throws -> Void
  ) -> Emission<State, Action> {
    state.problem = nil
    state.isWorking = true
    return .perform(.first, id: "attempt") { send in
      try await work()
      await send { $0.isWorking = false }
    } catch: { state, error in
      state.isWorking = false
      state.problem = Sentence.of(error)
    }
  }
}
