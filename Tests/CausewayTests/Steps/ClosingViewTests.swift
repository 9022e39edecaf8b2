import Causeway
import Observation
import TestSupport
import Testing

/// The views of children that are gone: a closing sheet, a removed row, a popped screen.
@MainActor
struct ClosingViewTests {
  struct Editor: Interactor {
    nonisolated struct State: Equatable, Sendable, Identifiable {
      var id = 1
      var text = ""
      var inner = Inner.State()
      var detail: Inner.State?
      var rows = IdentifiedArray<Int, Row>()
      /// A value that is not comparable.
      var make: (@Sendable () -> String)?

      static func == (left: State, right: State) -> Bool {
        (left.id, left.text, left.inner) == (right.id, right.text, right.inner)
      }
    }

    nonisolated struct Row: Equatable, Sendable, Identifiable {
      var id: Int
      var title = ""
    }

    struct Inner {
      nonisolated struct State: Equatable, Sendable {
        var isOn = false
        var name = ""
      }
    }

    enum Action: Sendable {
      case type(String)
      case turnOn
      case name(String)
      case detail(String)
      case addRow(Int)
      case title(Int, String)
      case nothing
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .type(let text):
          state.text = text
          state.make = { text }
        case .turnOn: state.inner.isOn = true
        case .name(let name): state.inner.name = name
        case .detail(let name): state.detail = Inner.State(name: name)
        case .addRow(let id): state.rows.updateOrAppend(Row(id: id))
        case .title(let id, let title): state.rows[id: id]?.title = title
        case .nothing: break
        }
        return .state
      }
    }
  }

  struct App: Interactor {
    nonisolated enum Page: Sendable {
      case home
      case editor(Editor.State)

      var editor: Editor.State? { if case .editor(let state) = self { state } else { nil } }
    }

    nonisolated struct State: Sendable {
      var sheet: Editor.State?
      var note: Editor.Inner.State?
      var rows = IdentifiedArray<Int, Editor.State>()
      var path: ScreenPath<Editor.State> = []
      var page = Page.home
      var other = 0
    }

    enum Action: Sendable {
      case open(Int)
      case close
      case other
      case note(Bool)
      case nameNote(String)
      case replace
      case sheet(Editor.Action)
      case row(Int, Editor.Action)
      case path(PathAction<Editor.State, Editor.Action>)
      case page(Editor.Action)

      var sheet: Editor.Action? { if case .sheet(let action) = self { action } else { nil } }
      var row: (Int, Editor.Action)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
      var path: PathAction<Editor.State, Editor.Action>? {
        if case .path(let action) = self { action } else { nil }
      }
      var page: Editor.Action? { if case .page(let action) = self { action } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .open(let id): Self.open(id, &state)
        case .close: Self.close(&state)
        case .replace:
          Self.close(&state)
          Self.open(1, &state)
        case .other: state.other += 1
        case .note(let isThere): state.note = isThere ? Editor.Inner.State() : nil
        case .nameNote(let name): state.note?.name = name
        case .sheet, .row, .path, .page: break
        }
        return .state
      }
      .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Editor() }
      .forEach(\.rows, action: \.row, embed: Action.row) { Editor() }
      .screens(\.path, action: \.path, embed: Action.path) { Editor() }
      .scope(state: \.page, action: \.page, embed: Action.page) {
        Interact<Page, Editor.Action>(initialValue: .home)
          .ifCase(\.editor, embed: Page.editor, action: { $0 }, embed: { $0 }) { Editor() }
      }
    }

    private static func open(_ id: Int, _ state: inout State) {
      state.sheet = Editor.State(id: id)
      state.rows = [Editor.State(id: id), Editor.State(id: 20)]
      state.path.popToRoot()
      state.path.push(Editor.State(id: id))
      state.page = .editor(Editor.State(id: id))
    }

    private static func close(_ state: inout State) {
      state.sheet = nil
      state.rows.remove(id: 1)
      state.path.popToRoot()
      state.page = .home
    }
  }

  typealias Child = ViewModel<Editor.State, Editor.Action>

  nonisolated enum Kind: CaseIterable {
    case sheet, row, screen, page
  }

  private let errors = Log<String>()
  private let model: ViewModel<App.State, App.Action>

  init() {
    let errors = self.errors
    model = ViewModel(App(), onError: { errors.append("\($0)") })
    model.send(.open(1))
  }

  private func child(_ kind: Kind) -> Child? {
    switch kind {
    case .sheet: model.scope(state: \.sheet, action: App.Action.sheet)
    case .row: model.scope(state: \.rows, id: 1, action: App.Action.row)
    case .screen: model.screen(\.path, id: ScreenID(1), action: App.Action.path)
    case .page: model.scope(state: \.page.editor, action: App.Action.page)
    }
  }

  @Test(arguments: Kind.allCases)
  func `a closing view keeps its last content, and is not drawn again`(kind: Kind) throws {
    let child = try #require(self.child(kind))
    let inner = child.scope(state: \.inner) { (_: Int) in .turnOn }
    var shown: [String] = []
    let view = TestView { shown.append("\(child.text) \(inner.name) \(inner.isOn)") }
    child.send(.type("text"))
    view.render()
    child.send(.name("name"))
    view.render()
    child.send(.turnOn)
    view.render()
    model.send(.close)
    #expect(!view.isInvalid)
    for _ in 0..<2 {
      view.render()
      model.send(.other)
    }
    #expect(!view.isInvalid)
    #expect(shown.last == "text name true" && shown[shown.count - 3] == "text name true")
    #expect(child.text == "text" && inner.name == "name" && inner.isOn)
  }

  @Test(arguments: Kind.allCases)
  func `a closing view keeps its last content as a whole, and values that are not comparable`(
    kind: Kind
  ) throws {
    let child = try #require(self.child(kind))
    let view = TestView { _ = (child.viewState, child.make) }
    child.send(.type("text"))
    view.render()
    model.send(.close)
    #expect(child.viewState.text == "text")
    #expect(child.make?() == "text")
  }

  @Test(arguments: [Kind.sheet, .screen, .page])
  func `a value that was read outside of an observation is kept too`(kind: Kind) throws {
    let child = try #require(self.child(kind))
    let inner = child.scope(state: \.inner) { (_: Int) in .turnOn }
    child.send(.type("text"))
    child.send(.turnOn)
    #expect(child.text == "text" && inner.isOn)
    model.send(.close)
    #expect(child.text == "text" && inner.isOn)
  }

  @Test(arguments: Kind.allCases)
  func `a view model that the view made in its last update shows that update`(kind: Kind) throws {
    let first = try #require(self.child(kind))
    let view = TestView { _ = first.text }
    first.send(.type("one"))
    view.render()
    first.send(.type("two"))
    let second = try #require(self.child(kind))
    model.send(.close)
    #expect(second.text == "two" && first.text == "two")
  }

  @Test(arguments: Kind.allCases)
  func `the parts of a closing view stay too`(kind: Kind) throws {
    let child = try #require(self.child(kind))
    var shown: [String] = []
    let view = TestView {
      let detail = child.scope(state: \.detail) { (_: Int) in .nothing }
      let rows = child.rows.ids.map { id in
        child.scope(state: \.rows, id: id) { (_: Int, _: Int) in .nothing }?.title ?? "?"
      }
      shown.append("\(detail?.name ?? "-") \(rows) \(child.rows.count) \(child.rows.isEmpty)")
    }
    let detail = { child.scope(state: \.detail) { (_: Int) in Editor.Action.nothing } }
    child.send(.detail("detail"))
    child.send(.addRow(1))
    child.send(.addRow(2))
    view.render()
    let kept = (detail(), child.scope(state: \.rows, id: 2) { (_: Int, _: Int) in .nothing })
    child.send(.title(2, "two"))
    view.render()
    #expect(shown.last == #"detail ["", "two"] 2 false"#)
    model.send(.close)
    view.render()
    #expect(kept.0?.name == "detail" && kept.1?.title == "two")
    #expect(child.rows.ids == [1, 2] && child.rows.count == 2 && !child.rows.isEmpty)
    #expect(detail()?.name == "detail")
  }

  @Test(arguments: Kind.allCases)
  func `a closing view with views of parts is not drawn again`(kind: Kind) throws {
    let child = try #require(self.child(kind))
    child.send(.detail("detail"))
    child.send(.addRow(1))
    let view = TestView {
      _ = child.scope(state: \.detail) { (_: Int) in .nothing }?.name
      _ = child.scope(state: \.rows, id: 1) { (_: Int, _: Int) in .nothing }?.title
    }
    model.send(.close)
    model.send(.other)
    #expect(!view.isInvalid)
  }

  @Test(arguments: [Kind.sheet, .screen, .page])
  func `a whole view state that was read outside of an observation is kept too`(
    kind: Kind
  ) throws {
    let child = try #require(self.child(kind))
    child.send(.type("text"))
    #expect(child.viewState.text == "text")
    model.send(.close)
    #expect(child.viewState.text == "text")
  }

  @Test(arguments: Kind.allCases)
  func `the view states of a removed child do not return to older values`(kind: Kind) async throws {
    let child = try #require(self.child(kind))
    let taken = Log<String>()
    let task = Task { for await state in child.states { taken.append(state.text) } }
    await taken.wait(for: 1)
    child.send(.type("text"))
    await taken.wait(for: 2)
    model.send(.close)
    for _ in 0..<100 { await Task.yield() }
    model.send(.other)
    for _ in 0..<100 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(taken.all == ["", "text"])
  }

  @Test func `a sheet that is replaced by another one in the same step keeps its own content`()
    throws
  {
    let old = try #require(self.child(.sheet))
    let asking = TestView { _ = child(.sheet) }
    let view = TestView { _ = (old.id, old.text) }
    old.send(.type("first"))
    view.render()
    model.send(.open(2))
    #expect(asking.isInvalid)
    #expect(old.id == 1 && old.text == "first")
    let new = try #require(self.child(.sheet))
    #expect(new.id == 2 && new.text == "")
    view.render()
    new.send(.type("second"))
    #expect(!view.isInvalid)
    #expect(old.text == "first" && new.text == "second")
  }

  @Test(arguments: [Kind.sheet, .screen, .page], [false, true])
  func `the view of a child that is gone sends nothing to its successor`(
    kind: Kind, isInOneStep: Bool
  ) throws {
    // The id of a sheet and of a page tells them apart only if there was a step between them.
    if isInOneStep, kind != .screen { return }
    let old = try #require(self.child(kind))
    let part = old.scope(state: \.inner) { (_: Int) in .turnOn }
    if isInOneStep {
      model.send(.replace)
    } else {
      model.send(.close)
      model.send(.open(1))
    }
    let new = try #require(self.child(kind))
    old.send(.type("late"))
    part.send(1)
    #expect(new.text == "" && !new.inner.isOn)
    #expect(old.text == "" && !part.isOn)
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("for a missing") == true)
    new.send(.type("new"))
    #expect(new.text == "new" && child(kind)?.text == "new")
    #expect(errors.all.count == 1)
  }

  @Test func `a part without an id that was shown again is another part`() throws {
    func note() -> ViewModel<Editor.Inner.State, String>? {
      model.scope(state: \.note, action: App.Action.nameNote)
    }
    model.send(.note(true))
    let old = try #require(note())
    old.send("old")
    #expect(old.name == "old")
    model.send(.note(false))
    #expect(note() == nil)
    model.send(.note(true))
    let new = try #require(note())
    old.send("late")
    #expect(new.name == "" && old.name == "old")
    new.send("new")
    #expect(old.name == "old" && note()?.name == "new")
  }

  @Test func `a row that was removed and added again is the same row`() throws {
    let row = try #require(self.child(.row))
    let view = TestView { _ = row.text }
    row.send(.type("one"))
    view.render()
    model.send(.close)
    #expect(!view.isInvalid && row.text == "one")
    view.render()
    model.send(.open(1))
    #expect(view.isInvalid && row.text == "")
    row.send(.type("two"))
    #expect(child(.row)?.text == "two")
  }

  @Test func `the content of a closing view is freed with its view model`() throws {
    nonisolated final class Owner: Sendable, Equatable {
      static func == (left: Owner, right: Owner) -> Bool { left === right }
    }
    nonisolated struct Sheet: Sendable {
      var owner: Owner?
    }
    nonisolated struct State: Sendable {
      var sheet: Sheet?
    }
    let model = ViewModel(
      Interact<State, Owner?>(initialValue: State()) { state, owner in
        state.sheet = owner.map { Sheet(owner: $0) }
        return .state
      })
    var owner: Owner? = Owner()
    weak let seen = owner
    model.send(owner)
    owner = nil
    var child = model.scope(state: \.sheet) { (owner: Owner?) in owner }
    withObservationTracking {
      _ = child?.owner
    } onChange: {
    }
    model.send(nil)
    #expect(seen != nil && child?.owner === seen)
    child = nil
    #expect(seen == nil)
  }
}
