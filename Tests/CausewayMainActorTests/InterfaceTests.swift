import Causeway
import Testing

nonisolated extension ProvidedKey<Int> {
  fileprivate static var limit: Self { ProvidedKey("limit", default: 3) }
}

/// Fields, dialogs, paths and provided values in a module that is main-actor by default.
struct InterfaceTests {
  nonisolated struct Page: Identifiable, Equatable, Sendable {
    let id: Int
    var isRead = false
  }

  nonisolated enum PageAction: Equatable, Sendable { case read }

  struct Book: Interactor {
    nonisolated enum Choice: Equatable, Sendable { case close }

    nonisolated struct State: EditableState, Equatable {
      var title = ""
      var question: Dialog<Choice>?
      var path: ScreenPath<Page> = []
      var limit = 0

      static let editableFields = [EditableField<State>("title", \.title)]
    }

    nonisolated enum Action: Equatable, Sendable {
      case edit(FieldEdit<State>)
      case question(DialogAnswer<Choice>)
      case path(PathAction<Page, PageAction>)
      case ask
      case open(Int)

      var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
      var question: DialogAnswer<Choice>? {
        if case .question(let answer) = self { answer } else { nil }
      }
      var path: PathAction<Page, PageAction>? {
        if case .path(let action) = self { action } else { nil }
      }
    }

    var body: some InteractorOf<Self> {
      InteractWithValues<State, Action>(initialValue: State()) { state, action, values in
        switch action {
        case .ask: state.question = Dialog("Close?", buttons: [.button("Close", .close)])
        case .question(.chosen(.close)): state.path.popToRoot()
        case .open(let page):
          state.limit = values[.limit]
          state.path.push(Page(id: page))
        case .edit, .question, .path: break
        }
        return .state
      }
      .editing(action: \.edit)
      .dialog(\.question, action: \.question)
      .screens(\.path, action: \.path, embed: Action.path) {
        Interact<Page, PageAction>(initialValue: Page(id: 0)) { page, _ in
          page.isRead = true
          return .state
        }
      }
    }
  }

  @Test func `the parts of the interface work in a module that is main-actor by default`() {
    let model = ViewModel(Book().providing(.limit, 7))
    model.send(.edit(.set(\.title, to: "Tides")))
    model.send(.open(1))
    model.send(.path(.screen(.init(1), .read)))
    #expect(model.path.screens == [Page(id: 1, isRead: true)])
    model.send(.ask)
    model.send(.question(.chosen(.close)))
    #expect(model.viewState == Book.State(title: "Tides", limit: 7))
  }
}
