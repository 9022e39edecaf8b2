import Causeway
import Foundation

struct PantryList: Interactor {
  struct State: Codable, Equatable, Sendable {
    struct Row: Codable, Equatable, Identifiable, Sendable {
      var id: String
      var title: String
      var isMissing: Bool
      /// Whether the server does not have it yet.
      var isPending: Bool
    }

    var items: [Row] = []
    var problem: String?
  }

  enum Action: Codable, Equatable, Sendable {
    case appear
    case add(title: String)
    case mark(id: String, isMissing: Bool)
  }

  let pantry: any PantryRepository

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [pantry] state, action in
      state.problem = nil
      switch action {
      case .appear:
        return .observe(pantry.items(), id: "items") { state, items in
          state.items = items.map {
            State.Row(
              id: $0.id, title: $0.title, isMissing: $0.isMissing, isPending: $0.isPending)
          }
        } catch: { state, error in
          state.problem = error.localizedDescription
        }
      case .add(let title):
        guard !title.allSatisfy(\.isWhitespace) else {
          state.problem = "An item needs a name."
          return .state
        }
        return store { try await pantry.add(Item(title: title)) }
      case .mark(let id, let isMissing):
        return store { try await pantry.mark(id, isMissing: isMissing) }
      }
    }
  }

  /// Stores the changes one after another.
  private func store(
    _ change: @escaping @concurrent @Sendable () async throws -> Void
  ) -> Emission<State, Action> {
    .perform(.serial, id: "changes") { _ in
      try await change()
    } catch: { state, error in
      state.problem = error.localizedDescription
    }
  }
}
