// snippet
import Causeway
import CausewayNetwork
import Foundation

/// An error of the app, with a text for people and a text for developers.
enum MooringError: LocalizedError, CustomStringConvertible {
  case noBerth(harbour: String, length: Double)

  /// For people: what happened, and what they can do.
  var errorDescription: String? {
    switch self {
    case .noBerth: "There is no free berth for your boat. Choose another day."
    }
  }

  /// For developers: the values that explain the error.
  ///
  /// The app never shows them.
  var description: String {
    switch self {
    case .noBerth(let harbour, let length): "no berth of \(length) m in \(harbour)"
    }
  }
}

struct Mooring: Interactor {
  struct State: Equatable, Sendable {
    var berth: String?
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case reserve(harbour: String)
  }

  let reserve: @Sendable (_ harbour: String) async throws -> String
  let log: @Sendable (String) -> Void

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [reserve, log] state, action in
      switch action {
      case .reserve(let harbour):
        state.problem = nil
        return .perform(.first, id: "reserve") { send in
          let berth = try await reserve(harbour)
          await send { $0.berth = berth }
        } catch: {
          $0.problem = $1.localizedDescription  // on the screen
          log("\($1)")  // in the log
        }
      }
    }
  }
}
// end

// snippet
/// Writes the text for people into a field of the state.
func text<State>(
  into problem: any WritableKeyPath<State, String?> & Sendable
) -> @MainActor @Sendable (inout State, any Error) -> Void {
  { $0[keyPath: problem] = $1.localizedDescription }
}
// end

func perform(
  _ work: @escaping @concurrent @Sendable (Send<Mooring.State, Mooring.Action>) async throws -> Void
) -> Emission<Mooring.State, Mooring.Action> {
  // snippet
  .perform(.first, id: "reserve", work, catch: text(into: \.problem))
  // end
}

// snippet
/// Returns the code of a refusal, for a program that handles one refusal in a special way.
func code(of error: NetworkError) -> String? {
  struct Refusal: Decodable {
    var code: String
  }
  guard error.kind == .status, let body = error.bodyExcerpt else { return nil }
  return try? JSONDecoder().decode(Refusal.self, from: Data(body.utf8)).code
}
// end
