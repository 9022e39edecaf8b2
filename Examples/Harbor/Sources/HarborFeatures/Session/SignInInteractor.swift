public import Causeway
public import HarborDomain

/// Signs a person in or up, and can remove the changes that accounts have left on the device.
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
    /// Whether the last attempt was for a new account.
    var isNew = false
    /// Whether this machine has an account that needs no passphrase.
    public internal(set) var hasLocalAccount: Bool
    /// Who may make an account; `nil` if only the server knows it.
    public internal(set) var signUp: SignUp?
    /// The code of the page's address, which stays there until the person has signed in.
    public internal(set) var code: String?
    /// The invitation for a new account, as typed.
    public internal(set) var invitation: String

    init(_ account: AccountState = .init(), code: String? = nil) {
      (hasLocalAccount, signUp) = (account.hasLocalAccount, account.signUp)
      (self.code, invitation) = (code, code ?? "")
    }
  }

  /// The actions of the form.
  public enum Action: Sendable, Equatable {
    /// Signs in with an existing account.
    case signIn(Credentials)
    /// Makes an account.
    case signUp(Credentials)
    /// Signs in with the account of this machine.
    case useLocalAccount
    /// Removes the changes that accounts have left on this device.
    case removeUnsent
  }

  let account: any AccountServiceProtocol

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [account] state, action in
      switch action {
      case .signIn(let credentials):
        return attempt(&state, with: credentials) { try await account.signIn(credentials) }
      case .signUp(var credentials):
        state.invitation = credentials.invitation ?? ""
        credentials.invitation = credentials.invitation.map(GroupsInteractor.code(in:))
        return attempt(&state, with: credentials, shortest: Credentials.shortest) {
          [credentials] in
          try await account.signUp(credentials)
        }
      case .useLocalAccount:
        return attempt(&state) { try await account.signInLocally() }
      case .removeUnsent:
        return attempt(&state) { try await account.removeUnsent() }
      }
    }
  }

  /// Checks typed credentials and then sends them.
  ///
  /// The page does not get the server's sentences about credentials, because they could contain the
  /// passphrase.
  private func attempt(
    _ state: inout State, with credentials: Credentials, shortest: Int = 1,
    _ work: @escaping @concurrent @Sendable () async throws -> Void
  ) -> Emission<State, Action> {
    (state.name, state.isNew) = (credentials.name, shortest > 1)
    state.problem =
      Self.nameProblem(credentials, isNew: shortest > 1)
      ?? Self.problem(credentials, shortest: shortest)
    return state.problem == nil ? attempt(&state, isNew: shortest > 1, work) : .state
  }

  private static func nameProblem(_ credentials: Credentials, isNew: Bool) -> String? {
    // The name of an account can be older than the rule for names.
    if !isNew, PersonName(existing: credentials.name) != nil { return nil }
    do {
      _ = try PersonName(credentials.name)
      return nil
    } catch PersonNameProblem.missing {
      return "Type your name and your passphrase."
    } catch {
      return "\(error)"
    }
  }

  /// The problem of a typed passphrase.
  static func problem(_ credentials: Credentials, shortest: Int) -> String? {
    let passphrase = credentials.passphrase
    if passphrase.isEmpty { return "Type your name and your passphrase." }
    if passphrase.count < shortest {
      return "Choose a passphrase of at least \(shortest) characters."
    }
    return passphrase.utf8.count > Credentials.longest
      ? "A passphrase has at most \(Credentials.longest) bytes." : nil
  }

  private func attempt(
    _ state: inout State, isNew: Bool = false,
    _ work: @escaping @concurrent @Sendable () async throws -> Void
  ) -> Emission<State, Action> {
    (state.problem, state.isNew) = (nil, isNew)
    state.isWorking = true
    return .perform(.first, id: "attempt") { send in
      try await work()
      await send { $0.isWorking = false }
    } catch: { state, error in
      state.isWorking = false
      state.problem = Sentence.ofSignIn(error, isNew: isNew)
    }
  }
}
