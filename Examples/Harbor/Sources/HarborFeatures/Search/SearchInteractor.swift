public import Causeway
public import HarborDomain

/// The search: waits for a pause in typing, and shows the results of the last text.
public struct SearchInteractor: Interactor {
  /// The state of a search.
  public struct State: Sendable, Equatable {
    /// The text in the field.
    public internal(set) var text = ""
    /// The results; `nil` while there is no search.
    public internal(set) var found: SearchResults?
    /// The largest number of results to read and to show.
    public internal(set) var rows = Self.firstRows
    /// Whether a search is waiting or running.
    public internal(set) var isSearching = false
    /// The reason why the last search failed.
    public internal(set) var problem: String?

    static let firstRows = 50

    /// An empty search.
    public init() {}
  }

  /// The actions of a search.
  public enum Action: Sendable, Equatable {
    /// The user has typed a text.
    case type(String)
    /// The user wants to see more results.
    case showMore
    /// The user clears the field.
    case clear
  }

  private let repository: any SearchRepositoryProtocol

  /// Makes a search.
  public init(repository: any SearchRepositoryProtocol) {
    self.repository = repository
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .type(let text):
        state.text = text
        state.problem = nil
        state.rows = State.firstRows
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return clear(&state) }
        return search(&state, .debounce(for: .milliseconds(200)))
      case .showMore:
        guard let found = state.found, found.rows.count < found.total else { return .state }
        // The results may not have come yet.
        state.rows = 2 * max(found.rows.count, State.firstRows)
        state.problem = nil
        return search(&state, .latest)
      case .clear:
        state.text = ""
        state.rows = State.firstRows
        return clear(&state)
      }
    }
  }

  private func search(
    _ state: inout State, _ policy: EffectPolicy
  ) -> Emission<State, Action> {
    state.isSearching = true
    return .perform(policy, id: "search") {
      [repository, text = state.text, rows = state.rows] send in
      // The results stay up to date until the next search cancels this effect.
      for try await found in repository.results(of: text, limit: rows) {
        await send { state in
          state.found = found
          state.isSearching = false
        }
      }
    } catch: { state, error in
      state.problem = Sentence.of(error)
      state.isSearching = false
    }
  }

  private func clear(_ state: inout State) -> Emission<State, Action> {
    state.found = nil
    state.isSearching = false
    return .cancel("search")
  }
}
