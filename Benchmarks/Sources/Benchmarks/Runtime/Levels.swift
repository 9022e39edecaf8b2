import Causeway

// Five features, each with the previous one as its child.

struct Level1: Interactor {
  struct State: Sendable {
    var other = 0
    var child = Leaf.State()
  }

  enum Action: Sendable {
    case child(Leaf.Action)
    case ping

    var child: Leaf.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .scope(state: \.child, action: \.child, embed: Action.child) { Leaf() }
  }
}

struct Level2: Interactor {
  struct State: Sendable {
    var other = 0
    var child = Level1.State()
  }

  enum Action: Sendable {
    case child(Level1.Action)
    case ping

    var child: Level1.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .scope(state: \.child, action: \.child, embed: Action.child) { Level1() }
  }
}

struct Level3: Interactor {
  struct State: Sendable {
    var other = 0
    var child = Level2.State()
  }

  enum Action: Sendable {
    case child(Level2.Action)
    case ping

    var child: Level2.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .scope(state: \.child, action: \.child, embed: Action.child) { Level2() }
  }
}

struct Level4: Interactor {
  struct State: Sendable {
    var other = 0
    var child = Level3.State()
  }

  enum Action: Sendable {
    case child(Level3.Action)
    case ping

    var child: Level3.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .scope(state: \.child, action: \.child, embed: Action.child) { Level3() }
  }
}

struct Level5: Interactor {
  struct State: Sendable {
    var other = 0
    var child = Level4.State()
  }

  enum Action: Sendable {
    case child(Level4.Action)
    case ping

    var child: Level4.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .scope(state: \.child, action: \.child, embed: Action.child) { Level4() }
  }
}
