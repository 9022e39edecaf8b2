import Causeway

/// A desk whose letters are kept when they are closed.
struct Correspondence: Interactor {
  struct State: Equatable, Sendable {
    var letter: Letter.State?
  }

  enum Action: Equatable, Sendable {
    case write
    case close
    case letter(Letter.Action)

    var letter: Letter.Action? { if case .letter(let action) = self { action } else { nil } }
  }

  let keep: @Sendable (String) async throws -> Void

  // snippet
  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .write: state.letter = Letter.State()
      case .close: state.letter = nil
      case .letter: break
      }
      return .state
    }
    .ifLet(\.letter, action: \.letter, embed: Action.letter) {
      Letter()
    } onRemoval: { [keep] _, letter in
      .perform { _ in try await keep(letter.text) }
    }
  }
  // end
}

struct Letter: Interactor {
  struct State: Equatable, Sendable {
    var text = ""
  }

  enum Action: Equatable, Sendable {
    case write(String)
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      switch action {
      case .write(let text): state.text = text
      }
      return .state
    }
  }
}
