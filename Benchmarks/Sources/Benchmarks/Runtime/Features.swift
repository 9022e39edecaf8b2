import Causeway

/// A feature with a few fields and an array, for measuring sends.
struct Form: Interactor {
  struct State: Sendable {
    var count = 0
    var other = 0
    var name = ""
    var flag = false
    var size = 0.0
    var title: String?
    var items = Array(0..<1_000)
  }

  enum Action: Sendable {
    case increment
    case set(Int)
    case rename(String)
    case touch(Int)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .increment: state.count += 1
      case .set(let other): state.other = other
      case .rename(let name): state.name = name
      case .touch(let index): state.items[index] += 1
      }
      return .state
    }
  }
}

/// The same feature without Causeway, in a closure that cannot be inlined.
@MainActor
final class FormByHand {
  var state = Form.State()
  let handle: (inout Form.State, Form.Action) -> Void = FormByHand.makeHandler()

  @inline(never)
  static func makeHandler() -> (inout Form.State, Form.Action) -> Void {
    { state, action in
      switch action {
      case .increment: state.count += 1
      case .set(let other): state.other = other
      case .rename(let name): state.name = name
      case .touch(let index): state.items[index] += 1
      }
    }
  }
}

struct Leaf: Interactor {
  struct State: Sendable, Identifiable {
    var id = 0
    var count = 0
  }

  enum Action: Sendable {
    case increment
    case set(Int)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .increment: state.count += 1
      case .set(let count): state.count = count
      }
      return .state
    }
  }
}

/// A list of rows.
struct Rows: Interactor {
  struct State: Sendable {
    var other = 0
    var rows: IdentifiedArray<Int, Leaf.State>
  }

  enum Action: Sendable {
    case row(Int, Leaf.Action)
    case ping

    var row: (Int, Leaf.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
  }

  let count: Int

  var body: some InteractorOf<Self> {
    let rows = IdentifiedArray(uniqueElements: (0..<count).map { Leaf.State(id: $0) })
    Interact(initialValue: State(rows: rows)) { state, action in
      if case .ping = action { state.other += 1 }
      return .state
    }
    .forEach(\.rows, action: \.row, embed: Action.row) { Leaf() }
  }
}
