public import Causeway
public import HarborDomain

/// The banner of the connection.
public struct ConnectionInteractor: Interactor {
  /// The state of the banner.
  public struct State: Sendable, Equatable {
    /// The last state of the connection.
    public internal(set) var connection = ConnectionState()
    /// The largest number of pending changes since this number was last zero.
    public internal(set) var peak = 0
    /// The reason why the last request of the user failed.
    public internal(set) var problem: String?

    /// A banner before the first state.
    public init() {}
  }

  /// The actions of the banner.
  public enum Action: Sendable, Equatable {
    /// Follows the connection.
    case appear
    /// Tries to connect at once.
    case retry
    /// Sets a change aside that the server fails to take.
    case setAside(String)
    /// Sends a refused change again.
    case resend(String)
    /// Discards a refused change.
    case discard(String)
  }

  private let connection: any ConnectionServiceProtocol

  /// Makes the banner.
  public init(connection: any ConnectionServiceProtocol) {
    self.connection = connection
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [connection] state, action in
      switch action {
      case .appear:
        return .observe(connection.states(), id: "states") { state, connection in
          state.peak = connection.pending == 0 ? 0 : max(state.peak, connection.pending)
          state.connection = connection
        }
      case .retry:
        return .perform { _ in await connection.retry() }
      case .setAside(let key):
        state.problem = nil
        return .perform { _ in
          try await connection.setAside(key)
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      case .resend(let key):
        state.problem = nil
        return .perform { _ in
          try await connection.resend(key)
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      case .discard(let key):
        state.problem = nil
        return .perform { _ in
          try await connection.discard(key)
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      }
    }
  }
}
