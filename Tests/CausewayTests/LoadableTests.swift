import Causeway
import Foundation
import TestSupport
import Testing

nonisolated struct LoadableTests {
  private struct Problem: Error {}
  private struct Item: Identifiable, Equatable, Codable, Sendable {
    let id: Int
    var text = ""
  }

  @Test func `the last value is kept during a reload and after its failure`() {
    var numbers = Loadable<[Int]>()
    #expect(numbers.phase == .idle && numbers.value == nil)
    numbers.begin()
    #expect(numbers.isLoading)
    numbers.finish([1])
    #expect(numbers == Loadable([1]))
    numbers.begin()
    #expect(numbers.value == [1] && numbers.isLoading)
    numbers.fail(Problem())
    #expect(numbers.value == [1] && numbers.failure == "Problem()")
    numbers.reset()
    #expect(numbers == Loadable())
  }

  @Test func `a cancelled load restores the previous state`() {
    var numbers = Loadable<[Int]>()
    numbers.begin()
    numbers.cancel()
    #expect(numbers.phase == .idle)
    numbers.finish([1])
    numbers.begin()
    numbers.cancel()
    #expect(numbers.phase == .loaded)
    numbers.fail(Problem())
    numbers.cancel()
    #expect(numbers.failure != nil, "only a loading value is cancelled")
  }

  @Test func `the value is changed in place, even if the change throws`() {
    var numbers = Loadable([1, 2, 3])
    let before = numbers.value?.withUnsafeBufferPointer { $0.baseAddress }
    numbers.update { $0[0] = 9 }
    #expect(numbers.value == [9, 2, 3])
    let after = numbers.value?.withUnsafeBufferPointer { $0.baseAddress }
    #expect(before == after)
    #expect(throws: Problem.self) { try numbers.update { _ in throw Problem() } }
    #expect(numbers.value == [9, 2, 3])
    var empty = Loadable<[Int]>()
    empty.update { $0.append(1) }
    #expect(empty.value == nil)
  }

  @Test func `pages are loaded in order until the last page`() {
    var list = Paginated<Item, Int>(first: 0)
    #expect(list.beginNextPage() == 0)
    #expect(list.beginNextPage() == nil, "one page at a time")
    list.append([Item(id: 1), Item(id: 2)], next: 1)
    #expect(list.beginNextPage() == 1)
    list.fail(Problem())
    #expect(list.beginNextPage() == 1, "a failed page is requested again")
    list.append([Item(id: 2, text: "newer"), Item(id: 3)], next: nil)
    #expect(list.elements.ids == [1, 2, 3])
    #expect(list.elements[id: 2]?.text == "newer")
    #expect(!list.hasNextPage && list.beginNextPage() == nil)
  }

  @Test func `a refresh replaces all pages when its result arrives`() {
    var list = Paginated<Item, Int>(first: 0)
    _ = list.beginNextPage()
    list.append([Item(id: 1)], next: nil)
    #expect(list.beginRefresh() == 0)
    #expect(list.elements.ids == [1])
    list.replace(with: [Item(id: 5)], next: 7)
    #expect(list.elements.ids == [5])
    #expect(list.beginNextPage() == 7)
    list.elements.remove(id: 5)
    #expect(list.elements.isEmpty)
  }

  @Test func `a cancelled page can be loaded again`() {
    var list = Paginated<Item, Int>(first: 0)
    _ = list.beginNextPage()
    list.cancel()
    #expect(list.phase == .idle && list.beginNextPage() == 0)
    list.append([], next: 1)
    _ = list.beginRefresh()
    #expect(list.isLoading)
    list.cancel()
    #expect(list.phase == .loaded && list.beginNextPage() == 1)
    list.fail(Problem())
    list.cancel()
    #expect(list.failure == "Problem()")
  }

  private func copy<Value: Codable>(of value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func `a loadable value is the same after it was encoded and decoded`() throws {
    var numbers = Loadable([1, 2])
    #expect(try copy(of: numbers) == numbers)
    numbers.fail(Problem())
    #expect(try copy(of: numbers) == numbers)
    #expect(try copy(of: Loadable<[Int]>()) == Loadable())
  }

  @Test func `a paginated list can load more pages after it was encoded and decoded`() throws {
    var list = Paginated<Item, Int>(first: 0)
    _ = list.beginNextPage()
    list.append([Item(id: 1, text: "a"), Item(id: 2)], next: 3)
    var decoded = try copy(of: list)
    #expect(decoded == list)
    #expect(decoded.beginNextPage() == 3 && decoded.beginRefresh() == 0)
  }

  /// A list whose rows are features.
  private struct Board: Interactor {
    nonisolated struct State: Sendable {
      var list = Paginated<Leaf.State, Int>(first: 0)
    }

    enum Action: Sendable {
      case refresh([Leaf.State])
      case row(Int, Leaf.Action)

      var row: (Int, Leaf.Action)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        if case .refresh(let rows) = action { state.list.replace(with: rows, next: nil) }
        return .state
      }
      .forEach(\.list.elements, action: \.row, embed: Action.row) { Leaf() }
    }
  }

  @MainActor @Test func `the elements of a paginated list can be features`() async {
    let model = ViewModel(Board())
    model.send(.refresh([Leaf.State(id: 1), Leaf.State(id: 2)]))
    let life = Life()
    let task = model.send(.row(1, .run { _ in life.effect { $0.numbers.append(7) } }))
    await life.isStarted.wait()
    model.send(.refresh([Leaf.State(id: 1)]))
    life.gate.open()
    await task.finish()
    let rows = model.scopes(state: \.list.elements, action: Board.Action.row)
    #expect(rows.map(\.numbers) == [[7]])
  }

  @Test func `a decoded value that was loading can be loaded again`() throws {
    func decoded<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    var numbers = Loadable<[Int]>()
    numbers.begin()
    #expect(try decoded(numbers) == Loadable())
    numbers.finish([1])
    #expect(try decoded(numbers) == Loadable([1]))
    numbers.begin()
    #expect(try decoded(numbers) == Loadable([1]))
    numbers.fail(Problem())
    #expect(try decoded(numbers) == numbers)
    var items = Paginated<Item, Int>(first: 1)
    #expect(items.beginNextPage() == 1)
    var restored = try decoded(items)
    #expect(restored.phase == .idle && restored.beginNextPage() == 1)
    items.append([Item(id: 1)], next: 2)
    #expect(items.beginNextPage() == 2)
    restored = try decoded(items)
    #expect(restored.phase == .loaded && restored.elements.ids == [1])
    #expect(restored.beginNextPage() == 2)
    items.append([Item(id: 2)], next: nil)
    #expect(try decoded(items) == items)
  }
}
