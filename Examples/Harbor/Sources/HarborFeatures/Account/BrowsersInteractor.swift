public import Causeway
public import HarborDomain

/// The browsers that are signed in to the account.
public struct BrowsersInteractor: Interactor {
  /// The state of the list.
  public struct State: Sendable, Equatable {
    /// The browsers, most recently used first.
    public internal(set) var browsers: [AccountBrowser] = []
    /// The reason why the list could not be read, or why a browser could not be signed out.
    public internal(set) var problem: String?

    /// A list that has not been read.
    public init() {}
  }

  /// The actions of the list.
  public enum Action: Sendable, Equatable {
    /// Follows the browsers.
    case appear
    /// Signs a browser out.
    case end(String)
  }

  let list: (any BrowserListProtocol)?

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [list] state, action in
      guard let list else { return .state }
      state.problem = nil
      switch action {
      case .appear:
        return .observe(list.browsers(), id: "browsers") { state, browsers in
          state.browsers = browsers
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      case .end(let id):
        return .perform(.serial, id: "end") { _ in
          try await list.end(id)
        } catch: { state, error in
          state.problem = Sentence.of(error)
        }
      }
    }
  }
}
