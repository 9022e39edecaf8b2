import Causeway

/// A list of rows that start effects.
struct WorkingRows: Interactor {
  struct State: Sendable {
    var rows: IdentifiedArray<Int, Worker.State>
  }

  enum Action: Sendable {
    case row(Int, Worker.Action)

    var row: (Int, Worker.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
  }

  let count: Int

  var body: some InteractorOf<Self> {
    let rows = IdentifiedArray(
      uniqueElements: (0..<count).map { Worker.State(id: $0) }, id: { $0.id })
    Interact<State, Action>(initialValue: State(rows: rows)) { _, _ in .state }
      .forEach(\.rows, action: \.row, embed: Action.row) { Worker() }
  }
}

/// A feature with an optional child that starts effects.
struct WorkingSheet: Interactor {
  struct State: Sendable {
    var id = 0
    var count = 0
    var sheet: Worker.State?
  }

  enum Action: Sendable {
    case show(Bool)
    case ping
    case sheet(Worker.Action)

    var sheet: Worker.Action? {
      if case .sheet(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .show(let isShown): state.sheet = isShown ? Worker.State() : nil
      case .ping: state.count += 1
      case .sheet: break
      }
      return .state
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Worker() }
  }
}

/// A list of rows that each have an optional child.
struct WorkingBoard: Interactor {
  struct State: Sendable {
    var other = 0
    var rows: IdentifiedArray<Int, WorkingSheet.State>
  }

  enum Action: Sendable {
    case row(Int, WorkingSheet.Action)
    case ping

    var row: (Int, WorkingSheet.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
  }

  let count: Int

  var body: some InteractorOf<Self> {
    let rows = IdentifiedArray(
      uniqueElements: (0..<count).map { WorkingSheet.State(id: $0, sheet: Worker.State()) },
      id: { $0.id })
    Interact<State, Action>(initialValue: State(rows: rows)) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .forEach(\.rows, action: \.row, embed: Action.row) { WorkingSheet() }
  }
}
