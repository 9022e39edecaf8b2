import Causeway
import Observation
import TestSupport
import Testing

/// An array that reports the address of its storage, which changes when the array is copied.
nonisolated private struct Storage: Equatable, Sendable {
  var elements = ContiguousArray(repeating: 0, count: 1_000_000)

  var address: Int { elements.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
}

@MainActor
@Suite("Invariant 8: copy on write")
struct Invariant8CopyOnWriteTests {
  fileprivate struct Big: Interactor {
    nonisolated struct State: Sendable {
      var storage = Storage()
      var other = 0
      /// The address of the storage after each action.
      var addresses: [Int] = []
    }

    enum Action: Sendable {
      case bump
      case bumpByEffect
      case other
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .bump:
          state.bump()
          return .state
        case .bumpByEffect:
          return .perform(id: "bumping") { send in
            for _ in 0..<10 { await send { $0.bump() } }
          }
        case .other:
          state.other += 1
          return .state
        }
      }
    }
  }

  private func copies(_ addresses: [Int]) -> Int {
    zip(addresses, addresses.dropFirst()).count { $0 != $1 }
  }

  @Test func `a handler mutates a million elements in place`() {
    let model = ViewModel(Big())
    for _ in 0..<100 { model.send(.bump) }
    #expect(copies(model.addresses) == 0)
    #expect(model.addresses.count == 100)
  }

  @Test func `the copy counter detects a copy`() {
    let model = ViewModel(Big())
    model.send(.bump)
    withExtendedLifetime(model.storage) { _ = model.send(.bump) }
    #expect(copies(model.addresses) == 1)
  }

  @Test func `updates by effects copy nothing`() async {
    let model = ViewModel(Big())
    await model.send(.bumpByEffect).finish()
    #expect(copies(model.addresses) == 0)
    #expect(model.addresses.count == 10)
  }

  @Test func `observers of other fields cause no copy`() {
    let model = ViewModel(Big())
    let changes = Log<Int>()
    for _ in 0..<20 {
      withObservationTracking {
        _ = model.other
      } onChange: {
        changes.append(1)
      }
      model.send(.bump)
      model.send(.other)
      model.send(.bump)
    }
    #expect(copies(model.addresses) == 0)
    #expect(changes.all.count == 20)
  }

  @Test func `an observer of a mutated array costs one copy per observation`() {
    let model = ViewModel(Big())
    let changes = Log<Int>()
    model.send(.bump)
    for _ in 0..<5 {
      withObservationTracking {
        _ = model.storage
      } onChange: {
        changes.append(1)
      }
      for _ in 0..<10 { model.send(.bump) }
    }
    #expect(changes.all.count == 5)
    #expect(copies(model.addresses) <= 5)
  }

  @Test func `running effects and observers of other scopes cause no copy`() async {
    let model = ViewModel(Parent(), initialState: Parent.State())
    let gate = Gate()
    let task = model.send(.row(1, .wait(gate)))
    for _ in 0..<20 {
      model.send(.child(.bump))
      model.send(.sheet(.bump))
      model.send(.row(1, .bump))
      model.send(.row(2, .bump))
      model.send(.page(.bump))
    }
    #expect(model.runningEffects.count == 1)
    #expect(copies(model.child.addresses) == 0)
    #expect(copies(model.sheet?.addresses ?? []) == 0)
    #expect(model.rows.allSatisfy { copies($0.addresses) == 0 && $0.addresses.count == 20 })
    #expect(copies(model.page.open?.addresses ?? []) == 0)
    #expect(model.page.open?.addresses.count == 20)
    gate.open()
    await task.finish()
  }

  @Test func `updates by a child's effects copy nothing, for every kind of child`() async {
    let model = ViewModel(Parent(), initialState: Parent.State())
    for action in [
      Parent.Action.child(.bumpByEffect), .sheet(.bumpByEffect), .row(1, .bumpByEffect),
      .page(.bumpByEffect),
    ] {
      await model.send(action).finish()
    }
    #expect(copies(model.child.addresses) == 0)
    #expect(copies(model.sheet?.addresses ?? [0, 1]) == 0)
    #expect(copies(model.rows[id: 1]?.addresses ?? [0, 1]) == 0)
    #expect(copies(model.page.open?.addresses ?? [0, 1]) == 0)
    #expect(model.page.open?.addresses.count == 10)
  }

  /// A parent with a large child of every kind.
  fileprivate struct Parent: Interactor {
    nonisolated struct Row: Identifiable, Sendable {
      let id: Int
      var storage = ContiguousArray(repeating: 0, count: 1_000)
      var addresses: [Int] = []

      mutating func bump() {
        storage[0] += 1
        addresses.append(storage.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
      }
    }

    nonisolated enum Page: Sendable {
      case open(Row)
      case closed

      var open: Row? { if case .open(let row) = self { row } else { nil } }
    }

    nonisolated struct State: Sendable {
      var child = Row(id: 0)
      var sheet: Row? = Row(id: 0)
      var rows = IdentifiedArray(uniqueElements: [Row(id: 1), Row(id: 2)])
      var page = Page.open(Row(id: 0))
    }

    enum RowAction: Sendable {
      case bump
      case bumpByEffect
      case wait(Gate)
    }

    enum Action: Sendable {
      case child(RowAction)
      case sheet(RowAction)
      case row(Int, RowAction)
      case page(RowAction)

      var child: RowAction? { if case .child(let action) = self { action } else { nil } }
      var sheet: RowAction? { if case .sheet(let action) = self { action } else { nil } }
      var row: (Int, RowAction)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
      var page: RowAction? { if case .page(let action) = self { action } else { nil } }
    }

    struct RowInteractor: Interactor {
      var body: some Interactor<Row, RowAction> {
        Interact<Row, RowAction>(initialValue: Row(id: 0)) { state, action in
          switch action {
          case .bump:
            state.bump()
            return .state
          case .bumpByEffect:
            return .perform { send in
              for _ in 0..<10 { await send { $0.bump() } }
            }
          case .wait(let gate):
            return .perform { _ in await gate.wait() }
          }
        }
      }
    }

    struct PageInteractor: Interactor {
      var body: some Interactor<Page, RowAction> {
        Interact<Page, RowAction>(initialValue: .closed) { _, _ in .state }
          .ifCase(\.open, embed: Page.open, action: { $0 }, embed: { $0 }) { RowInteractor() }
      }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { _, _ in .state }
        .scope(state: \.child, action: \.child, embed: Action.child) { RowInteractor() }
        .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { RowInteractor() }
        .forEach(\.rows, action: \.row, embed: Action.row) { RowInteractor() }
        .scope(state: \.page, action: \.page, embed: Action.page) { PageInteractor() }
    }
  }
}

extension Invariant8CopyOnWriteTests.Big.State {
  nonisolated fileprivate mutating func bump() {
    storage.elements[0] += 1
    addresses.append(storage.address)
  }
}
