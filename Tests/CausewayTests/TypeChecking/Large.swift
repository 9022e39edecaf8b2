import Causeway

/// A very large feature: 40 actions, and 12 modifiers on one body.
///
/// It type-checks in a fraction of a second, because the type does not grow with the modifiers.
struct Large: Interactor {
  nonisolated struct Page: Equatable, Sendable {
    var left = Script.State()
    var right = Script.State()
    var top = Script.State()
    var bottom = Script.State()
    var card: Leaf.State? = Leaf.State(id: 1)
    var sheet: Sheet.State? = Sheet.State()
    var rows = IdentifiedArray(uniqueElements: (0..<3).map { Leaf.State(id: $0) })
    var items = IdentifiedArray(uniqueElements: (0..<3).map { Leaf.State(id: $0) })
    var text = ""
    var number = 0
    var flags: Set<String> = []
    var changes: [String] = []
  }

  nonisolated enum State: Equatable, Sendable {
    case ready(Page)
    case closed(Leaf.State)

    var page: Page {
      get { if case .ready(let page) = self { page } else { Page() } }
      set { if case .ready = self { self = .ready(newValue) } }
    }
    var closed: Leaf.State? { if case .closed(let state) = self { state } else { nil } }
  }

  enum Action: Sendable {
    case start
    case stop
    case refresh
    case reload
    case clear
    case reset
    case undo
    case redo
    case open
    case close
    case lock
    case unlock
    case pin
    case unpin
    case archive
    case restore
    case finish
    case select(Int)
    case move(Int)
    case insert(Int)
    case remove(Int)
    case increment(Int)
    case decrement(Int)
    case zoom(Int)
    case scroll(Int)
    case rename(String)
    case search(String)
    case filter(String)
    case tag(String)
    case note(String)
    case share(String)
    case left(Script.Action)
    case right(Script.Action)
    case top(Script.Action)
    case bottom(Script.Action)
    case card(Leaf.Action)
    case sheet(Sheet.Action)
    case closed(Leaf.Action)
    case row(Int, Leaf.Action)
    case item(Int, Leaf.Action)

    var left: Script.Action? { if case .left(let action) = self { action } else { nil } }
    var right: Script.Action? { if case .right(let action) = self { action } else { nil } }
    var top: Script.Action? { if case .top(let action) = self { action } else { nil } }
    var bottom: Script.Action? { if case .bottom(let action) = self { action } else { nil } }
    var card: Leaf.Action? { if case .card(let action) = self { action } else { nil } }
    var sheet: Sheet.Action? { if case .sheet(let action) = self { action } else { nil } }
    var closed: Leaf.Action? { if case .closed(let action) = self { action } else { nil } }
    var row: (Int, Leaf.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var item: (Int, Leaf.Action)? {
      if case .item(let id, let action) = self { (id, action) } else { nil }
    }
  }

  // `Interact` has no explicit types: the compiler has to infer them behind twelve modifiers.
  var body: some InteractorOf<Self> {
    Interact(initialValue: .ready(Page())) { state, action in
      switch action {
      case .start:
        state.page.flags.insert("start")
        return .state
      case .stop:
        state.page.flags.insert("stop")
        return .state
      case .refresh:
        return .perform(.latest) { send in await send { $0.page.flags.insert("refreshed") } }
      case .reload:
        return .merge(.action(.refresh), .action(.start))
      case .clear:
        state.page.flags = []
        return .state
      case .reset:
        state.page.flags.insert("reset")
        return .state
      case .undo:
        state.page.flags.insert("undo")
        return .state
      case .redo:
        state.page.flags.insert("redo")
        return .state
      case .open:
        state.page.flags.insert("open")
        return .state
      case .close:
        state = .closed(Leaf.State(id: 9))
        return .state
      case .lock:
        state.page.flags.insert("lock")
        return .state
      case .unlock:
        state.page.flags.insert("unlock")
        return .state
      case .pin:
        state.page.flags.insert("pin")
        return .state
      case .unpin:
        state.page.flags.insert("unpin")
        return .state
      case .archive:
        state.page.flags.insert("archive")
        return .state
      case .restore:
        state.page.flags.insert("restore")
        return .state
      case .finish:
        state.page.flags.insert("finish")
        return .state
      case .select(let number):
        state.page.number += number
        return .state
      case .move(let number):
        state.page.number += number
        return .state
      case .insert(let number):
        state.page.number += number
        return .state
      case .remove(let number):
        state.page.number -= number
        return .state
      case .increment(let number):
        state.page.number += number
        return .state
      case .decrement(let number):
        state.page.number -= number
        return .state
      case .zoom(let number):
        state.page.number += number
        return .state
      case .scroll(let number):
        state.page.number += number
        return .state
      case .rename(let text):
        state.page.text = "rename \(text)"
        return .state
      case .search(let text):
        state.page.text = "search \(text)"
        return .state
      case .filter(let text):
        state.page.text = "filter \(text)"
        return .state
      case .tag(let text):
        state.page.text = "tag \(text)"
        return .state
      case .note(let text):
        state.page.text = "note \(text)"
        return .state
      case .share(let text):
        state.page.text = "share \(text)"
        return .state
      case .left, .right, .top, .bottom, .card, .sheet, .closed, .row, .item:
        return .state
      }
    }
    .scope(state: \.page.left, action: \.left, embed: Action.left) { Script() }
    .scope(state: \.page.right, action: \.right, embed: Action.right) { Script() }
    .scope(state: \.page.top, action: \.top, embed: Action.top) { Script() }
    .scope(state: \.page.bottom, action: \.bottom, embed: Action.bottom) { Script() }
    .ifLet(\.page.card, action: \.card, embed: Action.card) { Leaf() }
    .ifLet(\.page.sheet, action: \.sheet, embed: Action.sheet) { Sheet() }
    .ifCase(\.closed, embed: State.closed, action: \.closed, embed: Action.closed) { Leaf() }
    .forEach(\.page.rows, action: \.row, embed: Action.row) { Leaf() }
    .forEach(\.page.items, action: \.item, embed: Action.item) { Leaf() }
    .onChange(of: \.page.text) { state, text in
      state.page.changes.append(text)
      return .state
    }
    .onChange(of: \.page.number) { state, number in
      state.page.changes.append("\(number)")
      return number > 100 ? .action(.reset) : .state
    }
    .onChange(of: \.page.flags) { _, flags in
      flags.contains("refreshed") ? .perform { send in await send(.pin) } : .state
    }
  }
}
