import Causeway
import TestSupport
import Testing

/// Parts that are replaced within one turn, inside rows and screens too.
@MainActor
struct ReplacedPartTests {
  nonisolated struct Sheet: Equatable, Sendable {
    var text = ""
  }

  struct Item: Interactor {
    nonisolated struct State: Equatable, Sendable, Identifiable {
      var id: Int
      var sheet: Sheet?
    }

    enum Action: Sendable {
      case open, reopen, type(String)
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State(id: 0)) { state, action in
        switch action {
        case .open: state.sheet = Sheet()
        case .reopen:
          state.sheet = nil
          return .action(.open)
        case .type(let text): state.sheet?.text = text
        }
        return .state
      }
    }
  }

  struct List: Interactor {
    nonisolated struct State: Sendable {
      var rows: IdentifiedArray<Int, Item.State> = [Item.State(id: 1), Item.State(id: 2)]
      var path: ScreenPath<Item.State> = [Item.State(id: 1)]
    }

    enum Action: Sendable {
      case row(Int, Item.Action)
      case path(PathAction<Item.State, Item.Action>)

      var row: (Int, Item.Action)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
      var path: PathAction<Item.State, Item.Action>? {
        if case .path(let action) = self { action } else { nil }
      }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { _, _ in .state }
        .forEach(\.rows, action: \.row, embed: Action.row) { Item() }
        .screens(\.path, action: \.path, embed: Action.path) { Item() }
    }
  }

  @Test(arguments: [false, true])
  func `a sheet in a row or a screen that is closed and opened in one turn is another sheet`(
    isScreen: Bool
  ) throws {
    let errors = Log<String>()
    let model = ViewModel(List(), onError: { errors.append("\($0)") })
    let item = try #require(
      isScreen
        ? model.screen(\.path, id: ScreenID(1), action: List.Action.path)
        : model.scope(state: \.rows, id: 1, action: List.Action.row))
    func sheet() -> ViewModel<Sheet, String>? {
      item.scope(state: \.sheet, action: Item.Action.type)
    }
    item.send(.open)
    let old = try #require(sheet())
    old.send("old")
    #expect(old.text == "old")
    item.send(.reopen)
    let new = try #require(sheet())
    old.send("late")
    #expect(new.text == "" && old.text == "old")
    #expect(errors.all.count == 1)
    new.send("new")
    #expect(sheet()?.text == "new" && old.text == "old")
  }

  @MainActor final class Hook {
    var run: @MainActor () -> Void = {}
  }

  nonisolated struct Page: Equatable, Sendable, Identifiable {
    var id: Int
    var text = ""
  }

  nonisolated struct Book: Sendable {
    var page: Page? = Page(id: 1)
  }

  @Test func `an action that was queued before its part was replaced is dropped`() throws {
    enum Action: Sendable {
      case replace, type(String)
    }
    let hook = Hook()
    let errors = Log<String>()
    let model = ViewModel(
      Interact<Book, Action>(initialValue: Book()) { book, action in
        switch action {
        case .replace:
          book.page = Page(id: 2)
          hook.run()
        case .type(let text): book.page?.text += text
        }
        return .state
      }, onError: { errors.append("\($0)") })
    let old = try #require(model.scope(state: \.page, action: Action.type))
    hook.run = { old.send("late") }
    model.send(.replace)
    let new = try #require(model.scope(state: \.page, action: Action.type))
    #expect(new.text == "")
    #expect(errors.all.count == 1)
    new.send("new")
    #expect(new.text == "new")
    // The hook and the model keep each other.
    hook.run = {}
  }

  nonisolated final class Reference: Sendable, Equatable {
    static func == (left: Reference, right: Reference) -> Bool { left === right }
  }

  nonisolated struct Part: Equatable, Sendable {
    var reference = Reference()
  }

  nonisolated struct Holder: Sendable {
    var part = Part()
  }

  nonisolated struct Shelf: Sendable {
    var holder: Holder? = Holder()
  }

  @Test func `a read outside of an observation keeps no references`() throws {
    let model = ViewModel(
      Interact<Shelf, Bool>(initialValue: Shelf()) { shelf, _ in
        shelf.holder?.part = Part()
        return .state
      })
    let child = try #require(model.scope(state: \.holder) { (action: Bool) in action })
    model.send(true)
    weak var reference: Reference?
    do { reference = child.part.reference }
    #expect(reference != nil)
    model.send(true)
    #expect(reference == nil)
  }
}
