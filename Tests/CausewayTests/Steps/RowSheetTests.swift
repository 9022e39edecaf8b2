import Causeway
import Synchronization
import TestSupport
import Testing

/// A list of rows, each with its own optional sheet.
private struct Board: Interactor {
  nonisolated struct Sheet: Identifiable, Equatable, Sendable {
    let id: Int
  }

  nonisolated struct Row: Identifiable, Sendable {
    let id: Int
    var count = 0
    var storedSheet: Sheet?
    let reads: Reads

    /// Computed, to count the reads.
    var sheet: Sheet? {
      get {
        reads.add()
        return storedSheet
      }
      set { storedSheet = newValue }
    }
  }

  nonisolated struct State: Sendable {
    var other = 0
    var rows = IdentifiedArray<Int, Row>()
  }

  nonisolated final class Reads: Sendable {
    private let count = Atomic(0)

    func add() { count.wrappingAdd(1, ordering: .relaxed) }

    func take() -> Int { count.exchange(0, ordering: .relaxed) }
  }

  enum SheetAction: Sendable {
    case start
  }

  enum RowAction: Sendable {
    case add, sheet(SheetAction)

    var sheet: SheetAction? { if case .sheet(let action) = self { action } else { nil } }
  }

  enum Action: Sendable {
    case row(Int, RowAction)
    case run(@MainActor @Sendable (inout State) -> Void)

    var row: (Int, RowAction)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      if case .run(let body) = action { body(&state) }
      // A parent often changes the row that has handled an action.
      if case .row(let id, .add) = action { state.rows[id: id]?.count += 1 }
      return .state
    }
    .forEach(\.rows, action: \.row, embed: Action.row) {
      Interact<Row, RowAction>(initialValue: Row(id: 0, reads: Reads())) { row, action in
        if case .add = action { row.count += 1 }
        return .state
      }
      .ifLet(\.sheet, action: \.sheet, embed: RowAction.sheet) {
        Interact<Sheet, SheetAction>(initialValue: Sheet(id: 0)) { sheet, _ in
          .perform(id: sheet.id) { _ in await Gate().wait() }
        }
      }
    }
  }

  static func state(rows: Int, _ reads: Reads) -> State {
    State(
      rows: IdentifiedArray(
        uniqueElements: (0..<rows).map { id in
          Row(id: id, storedSheet: Sheet(id: id), reads: reads)
        }))
  }
}

@MainActor
struct RowSheetTests {
  @Test func `a step checks only the sheets of the rows that it has changed`() {
    let reads = Board.Reads()
    let model = ViewModel(Board(), initialState: Board.state(rows: 100, reads))
    for id in 0..<100 { model.send(.row(id, .sheet(.start))) }
    #expect(model.runningEffects.count == 100)
    _ = reads.take()
    let changes: [@MainActor @Sendable (inout Board.State) -> Void] = [
      { $0.other += 1 },
      { $0.rows[id: 1]?.count += 1 },
      { $0.rows[2].count += 1 },
      { $0.rows.updateOrAppend(Board.Row(id: 100, reads: reads)) },
    ]
    for change in changes {
      model.send(.run(change))
      #expect(reads.take() <= 2)
    }
    // The row handles this action, and then its parent changes the row again.
    model.send(.row(4, .add))
    #expect(reads.take() <= 4)
    #expect(model.runningEffects.count == 100)
    model.send(.run { $0.rows[id: 5]?.storedSheet = nil })
    #expect(reads.take() <= 2)
    #expect(model.runningEffects.count == 99)
    model.send(.run { state in for id in 10..<20 { state.rows[id: id]?.storedSheet = nil } })
    #expect(model.runningEffects.count == 89)
  }

  @Test(arguments: 0..<40)
  func `an effect of a sheet in a row runs exactly as long as the sheet exists`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let reads = Board.Reads()
    let model = ViewModel(Board(), initialState: Board.state(rows: 6, reads))
    var earlier = model.viewState
    /// The sheets with an effect, by their rows.
    var expected: [Int: Int] = [:]
    var last = 1_000
    for _ in 0..<60 {
      let id = Int.random(in: 0..<12, using: &random)
      let other = Int.random(in: 0..<12, using: &random)
      last += 1
      let sheet = Board.Sheet(id: last)
      let change: @MainActor @Sendable (inout Board.State) -> Void
      switch Int.random(in: 0..<10, using: &random) {
      case 0: change = { $0.rows[id: id]?.storedSheet = nil }
      case 1: change = { $0.rows[id: id]?.storedSheet = sheet }
      case 2: change = { $0.rows.remove(id: id) }
      case 3:
        change = { $0.rows.updateOrAppend(Board.Row(id: id, storedSheet: sheet, reads: reads)) }
      case 4: change = { $0.rows.sort { ($0.id ^ other) < ($1.id ^ other) } }
      case 5:
        change = { state in
          state.rows[id: id]?.storedSheet = sheet
          state.rows[id: other]?.storedSheet = nil
        }
      case 6:
        // The state changes; then a changed copy of an earlier state replaces it.
        let copy = earlier
        earlier = model.viewState
        change = { state in
          state.rows[id: other]?.count += 1
          state = copy
          state.rows[id: id]?.count += 1
        }
      case 7:
        change = { state in
          for id in state.rows.ids { state.rows[id: id]?.count += 1 }
          state.rows[id: id]?.storedSheet = nil
        }
      default:
        if model.viewState.rows[id: id]?.storedSheet != nil, expected[id] == nil {
          model.send(.row(id, .sheet(.start)))
          expected[id] = model.viewState.rows[id: id]?.storedSheet?.id
        }
        change = { $0.other += 1 }
      }
      model.send(.run(change))
      let rows = model.viewState.rows
      expected = expected.filter { rows[id: $0.key]?.storedSheet?.id == $0.value }
      #expect(
        model.runningEffects.map(\.description).sorted() == expected.values.map { "\($0)" }.sorted()
      )
    }
  }
}
