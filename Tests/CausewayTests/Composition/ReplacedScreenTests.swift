import Causeway
import Foundation
import TestSupport
import Testing

/// A stack of screens whose effects wait for a gate before they send.
private struct Book: Interactor {
  nonisolated struct Page: Identifiable, Equatable, Codable, Sendable {
    let id: Int
    var text = ""
  }

  nonisolated struct State: Sendable {
    var path = ScreenPath([Page(id: 1), Page(id: 2)])
  }

  enum PageAction: Sendable {
    case load(Gate)
    case set(String)
    case replace
  }

  enum Action: Sendable {
    case path(PathAction<Page, PageAction>)
    case run(@MainActor @Sendable (inout State) -> Void)

    var path: PathAction<Page, PageAction>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .run(let body): body(&state)
      case .path(.screen(_, .replace)): replaceLast(&state)
      case .path: break
      }
      return .state
    }
    .screens(\.path, action: \.path, embed: Action.path) {
      Interact<Page, PageAction>(initialValue: Page(id: 0)) { page, action in
        switch action {
        case .load(let gate):
          return .perform(.latest, id: "load") { send in
            await gate.waitUncancellably()
            await send { $0.text = "loaded" }
          }
        case .set(let text): page.text = text
        case .replace:
          return .perform { send in await send { $0.text = "of the old screen" } }
        }
        return .state
      }
    }
  }
}

/// Pops the last page, and pushes a page with the same id.
@MainActor
private func replaceLast(_ state: inout Book.State) {
  guard let page = state.path.pop() else { return }
  state.path.push(Book.Page(id: page.id))
}

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ReplacedScreenTests {
  private let model = ViewModel(Book())
  private let gate = Gate()
  private let last = ScreenID(2)

  private func load() -> ActionTask {
    model.send(.path(.screen(last, .load(gate))))
  }

  private func lastText() -> String? { model.viewState.path.last?.text }

  @Test func `the effects of a screen that is replaced in one handler are cancelled`() async {
    let task = load()
    model.send(.run(replaceLast))
    #expect(model.runningEffects.isEmpty)
    gate.open()
    await task.finish()
    #expect(lastText() == "")
  }

  @Test func `the new screen's effects run after a replacement`() async {
    _ = load()
    model.send(.run(replaceLast))
    let task = load()
    #expect(model.runningEffects.count == 1)
    gate.open()
    await task.finish()
    #expect(lastText() == "loaded")
  }

  @Test func `an effect of a screen that the parent replaces in the same step does not start`()
    async
  {
    await model.send(.path(.screen(last, .replace))).finish()
    #expect(lastText() == "")
  }

  @Test func `each of several replacements cancels the effects`() async {
    for _ in 0..<3 {
      let task = load()
      model.send(.run(replaceLast))
      #expect(model.runningEffects.isEmpty)
      _ = task
    }
    gate.open()
  }

  /// Changes that keep the screen.
  fileprivate enum Keeping: CaseIterable {
    case newPath, copiedPath, newScreenAbove, value, decodedPath

    @MainActor
    fileprivate func apply(_ state: inout Book.State) {
      switch self {
      case .newPath: state.path = [Book.Page(id: 1), Book.Page(id: 2, text: "new")]
      case .copiedPath:
        var copy = state.path
        copy.pop()
        copy.push(Book.Page(id: 2))
        state.path.push(Book.Page(id: 3))
        state.path.pop()
      case .newScreenAbove:
        state.path.push(Book.Page(id: 2))
        state.path.pop()
      case .value: state.path[id: ScreenID(2)] = Book.Page(id: 2, text: "new")
      case .decodedPath:
        if let path = try? ReplacedScreenTests.decoded(state.path) { state.path = path }
      }
    }
  }

  fileprivate static func decoded(_ path: ScreenPath<Book.Page>) throws -> ScreenPath<Book.Page> {
    try JSONDecoder().decode(ScreenPath<Book.Page>.self, from: JSONEncoder().encode(path))
  }

  @Test(arguments: Keeping.allCases)
  fileprivate func `a change that keeps the screen keeps its effects, until it is replaced`(
    keeping: Keeping
  ) async {
    let task = load()
    model.send(.run { keeping.apply(&$0) })
    #expect(model.runningEffects.count == 1)
    model.send(.path(.screen(last, .set("changed"))))
    #expect(model.runningEffects.count == 1)
    model.send(.run(replaceLast))
    #expect(model.runningEffects.isEmpty)
    gate.open()
    await task.finish()
    #expect(lastText() == "")
  }

  @Test func `a row that is removed and inserted again is the same row`() async {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(.row(2, .run { _ in life.effect { $0.numbers.append(1) } }))
    model.change { state in
      if let row = state.rows.remove(id: 2) { _ = state.rows.insert(row, at: 0) }
    }
    #expect(model.rows.ids == [2, 0, 1, 3])
    life.gate.open()
    await task.finish()
    #expect(model.rows.first?.numbers == [1])
  }

  @Test func `paths with equal screens are equal, whenever the screens were pushed`() throws {
    var state = Book.State()
    let before = state.path
    replaceLast(&state)
    #expect(state.path == before)
    #expect(state.path.entries == before.entries)
    #expect(try Self.decoded(state.path) == before)
  }
}
