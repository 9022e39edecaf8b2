import Causeway
import Observation
import TestSupport
import Testing

@MainActor
struct ChildViewModelTests {
  nonisolated struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var note = ""
  }

  nonisolated struct Page: Sendable, Equatable {
    var title = ""
    var count = 0
    /// The first letter, if there is one.
    var initial: String? { title.first.map(String.init) }
  }

  struct Book: Interactor {
    struct State: Sendable {
      var cover = Page()
      var insert: Page?
      var rows = IdentifiedArray(uniqueElements: (0..<100).map { Row(id: $0) })
    }

    enum Action: Sendable {
      case cover(String)
      case insert(String)
      case openInsert(Bool)
      case row(Int, String)
      case removeRow(Int)
      case addRow(Int)
      case moveRow(from: Int, to: Int)
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .cover(let title): state.cover.title = title
        case .insert(let title): state.insert?.title = title
        case .openInsert(let isOpen): state.insert = isOpen ? Page() : nil
        case .row(let id, let title): state.rows.modify(id: id) { $0.title = title }
        case .removeRow(let id): state.rows.remove(id: id)
        case .addRow(let id): state.rows.updateOrAppend(Row(id: id))
        case .moveRow(let from, let to): state.rows.move(from: from, to: to)
        }
        return .state
      }
    }
  }

  private func count(_ calls: Log<Int>, _ read: () -> Void) {
    withObservationTracking(read) { calls.append(1) }
  }

  @Test func `a child reads its part and sends its parent's actions`() {
    let model = ViewModel(Book())
    let cover = model.scope(state: \.cover, action: Book.Action.cover)
    cover.send("Harbor")
    #expect(cover.title == "Harbor")
    #expect(model.viewState.cover.title == "Harbor")
  }

  @Test func `a child's view is invalidated only by changes of the parts that it read`() {
    let model = ViewModel(Book())
    let cover = model.scope(state: \.cover, action: Book.Action.cover)
    let calls = Log<Int>()
    count(calls) { _ = cover.title }
    model.send(.row(3, "other"))
    model.send(.openInsert(true))
    #expect(calls.all.isEmpty)
    model.send(.cover("new"))
    #expect(calls.all == [1])
  }

  @Test func `an optional child exists while its state exists, and stays readable afterwards`() {
    let model = ViewModel(Book())
    func insert() -> ViewModel<Page, String>? {
      model.scope(state: \.insert, action: Book.Action.insert)
    }
    #expect(insert() == nil)
    model.send(.openInsert(true))
    let child = insert()
    child?.send("note")
    #expect(child?.title == "note")
    model.send(.openInsert(false))
    #expect(child?.title == "note")
    #expect(insert() == nil)
  }

  @Test func `a change of one row invalidates one of a hundred row views`() {
    let model = ViewModel(Book())
    let calls = Log<Int>()
    let rows = (0..<100).map { id in
      model.scope(state: \.rows, id: id) { (id: Int, title: String) in .row(id, title) }
    }
    for (id, row) in rows.enumerated() {
      withObservationTracking {
        _ = row?.title
      } onChange: {
        calls.append(id)
      }
    }
    rows[42]?.send("answer")
    #expect(calls.all == [42])
    #expect(rows[42]?.title == "answer")
    #expect(rows[41]?.title == "")
  }

  @Test func `a row's view model stays readable when the row is removed`() {
    let model = ViewModel(Book())
    let row = model.scope(state: \.rows, id: 7) { (id: Int, title: String) in .row(id, title) }
    model.send(.removeRow(7))
    #expect(row?.title == "")
    let missing = model.scope(state: \.rows, id: 7) { (id: Int, title: String) in .row(id, title) }
    #expect(missing == nil)
  }

  @Test func `a child keeps the runtime alive`() {
    var model: ViewModel? = ViewModel(Book())
    let cover = model?.scope(state: \.cover, action: Book.Action.cover)
    model = nil
    cover?.send("still here")
    #expect(cover?.title == "still here")
  }
}

@MainActor
struct MemoTests {
  @Test func `a memo recomputes only when its input has changed`() {
    let inputs = Log<[Int]>()
    let sum = Memo { (numbers: [Int]) in
      inputs.append(numbers)
      return numbers.reduce(0, +)
    }
    #expect(sum([1, 2]) == 3)
    #expect(sum([1, 2]) == 3)
    #expect(sum([1, 2, 3]) == 6)
    #expect(inputs.all == [[1, 2], [1, 2, 3]])
  }
}
