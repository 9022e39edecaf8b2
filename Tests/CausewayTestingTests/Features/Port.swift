import Causeway

enum Screen: Identifiable, Equatable, Sendable {
  case piers(Piers.State)
  case pier(Pier.State)

  enum ID: Hashable, Sendable { case piers, pier(Int) }

  var id: ID {
    switch self {
    case .piers: .piers
    case .pier(let pier): .pier(pier.number)
    }
  }

  var piers: Piers.State? { if case .piers(let piers) = self { piers } else { nil } }
  var pier: Pier.State? { if case .pier(let pier) = self { pier } else { nil } }
}

enum ScreenAction: Equatable, Sendable {
  case piers(Piers.Action)
  case pier(Pier.Action)

  var piers: Piers.Action? { if case .piers(let action) = self { action } else { nil } }
  var pier: Pier.Action? { if case .pier(let action) = self { action } else { nil } }
}

struct Piers: Interactor {
  struct State: Equatable, Sendable {}
  enum Action: Equatable, Sendable { case choose(Int) }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State())
  }
}

struct Pier: Interactor {
  /// Receives a closure that reads the number of the pier.
  typealias Watch = @Sendable (_ number: @escaping @Sendable () async -> Int) async -> Void

  struct State: Equatable, Sendable {
    var number: Int
    var next = ""
  }

  enum Action: Equatable, Sendable {
    case load, close, ask, answer, double, watch
    case rename(String)
  }

  let departures: @Sendable (Int) async -> String
  var watch: Watch = { _ in }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State(number: 0)) { [departures, watch] state, action in
      switch action {
      case .load:
        return .perform { [number = state.number] send in
          let next = await departures(number)
          await send { $0.next = next }
        }
      case .close: return .perform { send in await send.dismiss() }
      case .ask: return .action(.answer)
      case .answer: return .state
      case .double:
        return .observe { current, send in
          let next = await current.next
          await send { $0.next += next }
        }
      case .watch:
        return .observe { current, _ in await watch { await current.number } }
      case .rename(let next):
        state.next = next
        return .state
      }
    }
  }
}

/// Every screen of the stack.
struct Screens: Interactor {
  typealias State = Screen
  typealias Action = ScreenAction

  let departures: @Sendable (Int) async -> String
  var watch: Pier.Watch = { _ in }

  var body: some InteractorOf<Self> {
    Interact<Screen, ScreenAction>(initialValue: .piers(Piers.State()))
      .ifCase(\.piers, embed: Screen.piers, action: \.piers, embed: ScreenAction.piers) { Piers() }
      .ifCase(\.pier, embed: Screen.pier, action: \.pier, embed: ScreenAction.pier) {
        Pier(departures: departures, watch: watch)
      }
  }
}

struct Port: Interactor {
  struct State: Equatable, Sendable {
    var path: ScreenPath<Screen> = []
    var answers = 0
  }

  enum Action: Equatable, Sendable {
    case openPiers
    case link([Screen])
    case path(PathAction<Screen, ScreenAction>)

    var path: PathAction<Screen, ScreenAction>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  let departures: @Sendable (Int) async -> String
  var watch: Pier.Watch = { _ in }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .openPiers: state.path.push(.piers(Piers.State()))
      case .link(let screens): state.path = ScreenPath(screens)
      case .path(.screen(_, .piers(.choose(let number)))):
        state.path.push(.pier(Pier.State(number: number)))
      case .path(.screen(_, .pier(.answer))): state.answers += 1
      case .path: break
      }
      return .state
    }
    .screens(\.path, action: \.path, embed: Action.path) {
      Screens(departures: departures, watch: watch)
    }
  }
}
