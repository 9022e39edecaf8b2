import Causeway

// snippet
/// The screens of a guide to an island.
enum GuideScreen: Identifiable, Equatable, Sendable {
  case walks(Walks.State)
  case walk(Walk.State)

  enum ID: Hashable, Sendable {
    case walks
    case walk(Int)
  }

  var id: ID {
    switch self {
    case .walks: .walks
    case .walk(let walk): .walk(walk.number)
    }
  }

  var walks: Walks.State? { if case .walks(let walks) = self { walks } else { nil } }
  var walk: Walk.State? { if case .walk(let walk) = self { walk } else { nil } }
}

enum GuideScreenAction: Equatable, Sendable {
  case walks(Walks.Action)
  case walk(Walk.Action)

  var walks: Walks.Action? { if case .walks(let action) = self { action } else { nil } }
  var walk: Walk.Action? { if case .walk(let action) = self { action } else { nil } }
}

/// The interactor of every screen.
///
/// The guide pushes the screens with their states.
struct GuideScreens: Interactor {
  typealias State = GuideScreen
  typealias Action = GuideScreenAction

  var body: some InteractorOf<Self> {
    Interact<State, Action>()
      .ifCase(\.walks, embed: State.walks, action: \.walks, embed: Action.walks) { Walks() }
      .ifCase(\.walk, embed: State.walk, action: \.walk, embed: Action.walk) { Walk() }
  }
}
// end

// snippet
struct Guide: Interactor {
  struct State: Equatable, Sendable {
    var path: ScreenPath<GuideScreen> = []
  }

  enum Action: Equatable, Sendable {
    case openWalks
    case openLink(walk: Int)
    case path(PathAction<GuideScreen, GuideScreenAction>)

    var path: PathAction<GuideScreen, GuideScreenAction>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .openWalks:
        state.path.push(.walks(Walks.State()))
      case .openLink(let number):
        state.path = [.walks(Walks.State()), .walk(Walk.State(number: number))]
      case .path(.screen(_, .walks(.choose(let number)))):
        state.path.push(.walk(Walk.State(number: number)))
      case .path:
        break
      }
      return .state
    }
    .screens(\.path, action: \.path, embed: Action.path) { GuideScreens() }
  }
}
// end

struct Walks: Interactor {
  struct State: Equatable, Sendable {}

  enum Action: Equatable, Sendable {
    case choose(Int)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State())
  }
}

struct Walk: Interactor {
  struct State: Equatable, Sendable {
    var number: Int
    var isDone = false
  }

  enum Action: Equatable, Sendable {
    case finish
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      state.isDone = true
      return .perform { send in await send.dismiss() }
    }
  }
}
