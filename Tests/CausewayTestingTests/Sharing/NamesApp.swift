import Causeway

/// Features that show the same list of names.
struct Names: Interactor {
  struct State: Hashable, Sendable, Identifiable {
    var id = 0
    var names: [String] = []
    var isDone = false
  }

  enum Action: Equatable, Sendable {
    case add(String), clear, addLater(String), addTwice(String), done(String)
  }

  let names: SharedValue<[String]>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .add(let name): state.names.append(name)
      case .clear: state.names = []
      case .addLater(let name):
        return .perform(.parallel) { send in await send { $0.names.append(name) } }
      case .addTwice(let name):
        state.names.append(name)
        return .action(.add(name))
      case .done(let name):
        state.names.append(name)
        state.isDone = true
      }
      return .state
    }
    .sharing(\.names, names)
  }
}

/// A tree in which each kind of child shows the names.
struct NamesApp: Interactor {
  struct State: Equatable, Sendable {
    var names: [String] = []
    var always = Names.State()
    var sheet: Names.State?
    var phase = Phase.empty
    var rows: IdentifiedArray<Int, Names.State> = []
    var path: ScreenPath<Names.State> = []
  }

  enum Phase: Hashable, Sendable {
    case empty
    case loaded(Names.State)
    var loaded: Names.State? { if case .loaded(let state) = self { state } else { nil } }
  }

  enum Action: Equatable, Sendable {
    case open, close, add(String)
    case always(Names.Action)
    case sheet(Names.Action)
    case phase(Names.Action)
    case row(Int, Names.Action)
    case path(PathAction<Names.State, Names.Action>)

    var always: Names.Action? { if case .always(let action) = self { action } else { nil } }
    var sheet: Names.Action? { if case .sheet(let action) = self { action } else { nil } }
    var phase: Names.Action? { if case .phase(let action) = self { action } else { nil } }
    var row: (Int, Names.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var path: PathAction<Names.State, Names.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  let names: SharedValue<[String]>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .open:
        state.sheet = Names.State()
        state.phase = .loaded(Names.State())
        for id in 1...2 { state.rows.updateOrAppend(Names.State(id: id)) }
        state.path.push(Names.State(id: 7))
      case .close:
        state.sheet = nil
        state.phase = .empty
        state.rows = []
        state.path = []
      case .add(let name): state.names.append(name)
      case .sheet(.done): state.sheet = nil
      case .sheet(.addTwice(let name)): state.names.append("root \(name)")
      case .always, .sheet, .phase, .row, .path: break
      }
      return .state
    }
    .sharing(\.names, names)
    .scope(state: \.always, action: \.always, embed: Action.always) { Names(names: names) }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Names(names: names) }
    .scope(state: \.phase, action: \.phase, embed: Action.phase) {
      Interact<Phase, Names.Action>(initialValue: .empty)
        .ifCase(\.loaded, embed: Phase.loaded, action: { $0 }, embed: { $0 }) {
          Names(names: names)
        }
    }
    .forEach(\.rows, action: \.row, embed: Action.row) { Names(names: names) }
    .screens(\.path, action: \.path, embed: Action.path) { Names(names: names) }
  }
}

extension NamesApp.State {
  /// The names of each feature that exists.
  var all: [[String]] {
    var all = [names, always.names]
    if let sheet { all.append(sheet.names) }
    if let loaded = phase.loaded { all.append(loaded.names) }
    all += rows.map(\.names)
    all += path.screens.map(\.names)
    return all
  }

  /// Sets the names of each feature that exists.
  mutating func set(_ names: [String]) {
    self.names = names
    always.names = names
    sheet?.names = names
    if var loaded = phase.loaded {
      loaded.names = names
      phase = .loaded(loaded)
    }
    for id in rows.ids { rows[id: id]?.names = names }
    for id in path.ids { path[id: id]?.names = names }
  }
}
