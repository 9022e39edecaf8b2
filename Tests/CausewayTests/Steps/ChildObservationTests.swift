import Observation
import TestSupport
import Testing

@testable import Causeway

/// The cost and the observations of child view models that a view creates on each rendering.
@MainActor
struct ChildObservationTests {
  typealias Book = ChildViewModelTests.Book
  typealias Model = ViewModel<Book.State, Book.Action>
  typealias Page = ViewModel<ChildViewModelTests.Page, String>
  typealias Row = ViewModel<ChildViewModelTests.Row, String>

  private let model = ViewModel(Book())

  private var armed: Int { model.lease.core.observation.armedCount }

  private func insert() -> Page? {
    model.scope(state: \.insert, action: Book.Action.insert)
  }

  private func row(_ id: Int) -> Row? {
    model.scope(state: \.rows, id: id) { (id: Int, title: String) in .row(id, title) }
  }

  @Test func `repeatedly created children register no further cells`() {
    model.send(.openInsert(true))
    model.send(.insert("note"))
    observe(10_000) { _ = model.scope(state: \.cover, action: Book.Action.cover).title }
    #expect(armed == 1)
    observe(1_000) { _ = insert()?.title }
    // The view model also observes whether the row exists.
    #expect(armed == 3)
    observe(1_000) { _ = row(7)?.title }
    #expect(armed == 5)
    observe(1_000) { _ = insert()?.scope(state: \.initial) { "\($0)" }?.count }
    #expect(armed == 7)
    observe(1_000) { _ = insert()?.viewState }
    #expect(armed == 8)
  }

  private func observe(_ times: Int, _ read: () -> Void) {
    withObservationTracking {
      for _ in 0..<times { read() }
    } onChange: {
    }
  }

  @Test func `a read without an observation registers nothing and keeps no copy`() {
    model.send(.openInsert(true))
    _ = (model.cover, model.viewState, insert()?.title, row(7)?.title, model.rows.ids)
    #expect(armed == 0)
    let view = TestView { _ = model.cover }
    #expect(armed == 1)
    model.send(.cover("new"))
    #expect(view.isInvalid)
    _ = model.cover
    #expect(armed == 0)
  }

  @Test
  func `a view of the ids is notified of added, removed and moved rows, but not of their changes`()
  {
    let view = TestView { _ = model.rows.ids }
    let counting = TestView { _ = (model.rows.count, model.rows.isEmpty) }
    model.send(.row(7, "seven"))
    model.send(.cover("new"))
    #expect(!view.isInvalid && !counting.isInvalid)
    model.send(.removeRow(7))
    #expect(view.isInvalid && counting.isInvalid)
    view.render()
    model.send(.addRow(7))
    #expect(view.isInvalid)
    view.render()
    model.send(.moveRow(from: 0, to: 5))
    #expect(view.isInvalid)
  }

  @Test
  func `a list of row view models is notified of added and removed rows, but not of their changes`()
  {
    let view = TestView {
      _ = model.scopes(state: \.rows) { (id: Int, title: String) in .row(id, title) }
    }
    model.send(.row(7, "seven"))
    #expect(!view.isInvalid)
    model.send(.removeRow(7))
    #expect(view.isInvalid)
    let rows = model.scopes(state: \.rows) { (id: Int, title: String) in .row(id, title) }
    rows[7].send("eight")
    #expect(model.rows.all[id: 8]?.title == "eight")
  }

  /// A row that counts the comparisons of its title.
  nonisolated struct Counted: Identifiable, Equatable, Sendable {
    let id: Int
    var title = 0
    let comparisons: Log<Int>

    static func == (left: Counted, right: Counted) -> Bool {
      left.comparisons.append(left.id)
      return left.title == right.title
    }
  }

  nonisolated struct CountedRows: Sendable {
    var rows: IdentifiedArray<Int, Counted>
    var other = 0
  }

  @Test func `only the changed rows of an array are compared`() {
    let comparisons = Log<Int>()
    let rows = IdentifiedArray(
      uniqueElements: (0..<100).map { Counted(id: $0, comparisons: comparisons) })
    let model = ViewModel(
      Interact<CountedRows, Int?>(initialValue: CountedRows(rows: rows)) { state, row in
        if let row { state.rows[id: row]?.title += 1 } else { state.other += 1 }
        return .state
      })
    let views = (0..<100).map { id in
      TestView {
        _ = model.scope(state: \.rows, id: id) { (id: Int, _: Int) in id }?[dynamicMember: \.self]
      }
    }
    for _ in 0..<10 { model.send(nil) }
    #expect(comparisons.all.isEmpty)
    #expect(!views.contains { $0.isInvalid })
    model.send(7)
    #expect(comparisons.all == [7])
    #expect(views.indices.filter { views[$0].isInvalid } == [7])
  }

  /// Makes random changes of an array, several in one publication, and compares which views are
  /// invalid with the rows that have really changed.
  @Test(arguments: 0..<8)
  func `exactly the views of changed rows are invalidated by random changes`(seed: Int) {
    typealias Rows = IdentifiedArray<Int, ChildViewModelTests.Row>
    nonisolated struct Changed: Sendable { var rows: Rows }
    let model = ViewModel(
      Interact<Changed, [@Sendable (inout Rows) -> Void]>(initialValue: Changed(rows: [])) {
        state, changes in
        for change in changes { change(&state.rows) }
        return .state
      })
    var random = SeededRandom(seed: UInt64(seed))
    var shown: [Int: String] = [:]
    var outdated: Set<Int> = []
    let views = (0..<12).map { id in
      TestView {
        shown[id] = model.scope(state: \.rows, id: id) { (_: Int, _: Int) in [] }?.title
      }
    }
    for _ in 0..<200 {
      model.send(
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
          let id = Int.random(in: 0..<12, using: &random)
          let title = "\(Int.random(in: 0..<3, using: &random))"
          return switch Int.random(in: 0..<10, using: &random) {
          case 0: { @Sendable in _ = $0.remove(id: id) }
          case 1: { @Sendable in $0.sort { $0.id < $1.id } }
          case 2, 3, 4:
            { @Sendable in _ = $0.append(ChildViewModelTests.Row(id: id, title: title)) }
          default: { @Sendable in $0[id: id]?.title = title }
          }
        })
      for (id, view) in views.enumerated() {
        if model.rows.all[id: id]?.title != shown[id] { outdated.insert(id) }
        #expect(view.isInvalid == outdated.contains(id))
        if view.isInvalid, Bool.random(using: &random) {
          outdated.remove(id)
          view.render()
        }
      }
    }
  }

  /// The cells of an unobserved row are removed when there are many rows, so a later view model of
  /// the row has other cells.
  @Test func `view models of one row with different cells are both notified of its change`() {
    let model = ViewModel(
      Interact<CountedRows, Int>(
        initialValue: CountedRows(
          rows: IdentifiedArray(
            uniqueElements: (0..<3_000).map { Counted(id: $0, comparisons: Log()) }))
      ) { state, row in
        state.rows[id: row]?.title += 1
        return .state
      })
    func row(_ id: Int) -> ViewModel<Counted, Int>? {
      model.scope(state: \.rows, id: id) { (_: Int, row: Int) in row }
    }
    let first = row(0)
    for id in 1..<3_000 { _ = row(id) }
    let second = row(0)
    let views = [first, second].map { row in TestView { _ = row?.title } }
    for _ in 0..<3 {
      model.send(1)
      #expect(!views[0].isInvalid && !views[1].isInvalid)
      model.send(0)
      #expect(views[0].isInvalid && views[1].isInvalid)
      for view in views { view.render() }
    }
  }

  @Test func `a row's view model reads its row wherever the row is`() throws {
    let row = try #require(self.row(7))
    let last = try #require(self.row(9))
    let part = row.scope(state: \.title) { "\($0)" }
    for move in 0..<5 {
      model.send(.row(7, "title \(move)"))
      #expect(row.title == "title \(move)" && row.viewState.id == 7)
      #expect(part.viewState == "title \(move)" && part.count == 7)
      model.send(.moveRow(from: move, to: 9))
      #expect(row.title == "title \(move)" && row.viewState.id == 7 && last.id == 9)
    }
    for id in 0..<7 { model.send(.removeRow(id)) }
    #expect(row.title == "title 4" && part.count == 7 && last.id == 9)
    model.send(.removeRow(7))
    model.send(.row(9, "last"))
    #expect(last.title == "last")
    // The row as it was when its view model was made.
    #expect(row.id == 7 && row.title == ChildViewModelTests.Row(id: 7).title)
    model.send(.addRow(7))
    #expect(row.title == model.rows.all[id: 7]?.title)
  }

  @Test func `an observer is notified of changes that it read through a removed child`() {
    model.send(.openInsert(true))
    let insertView = TestView { _ = insert()?.title }
    let rowView = TestView { _ = row(7)?.title }
    let coverView = TestView {
      _ = model.scope(state: \.cover, action: Book.Action.cover).title
    }
    model.send(.insert("note"))
    #expect(insertView.isInvalid && !rowView.isInvalid && !coverView.isInvalid)
    insertView.render()
    model.send(.row(7, "seven"))
    #expect(!insertView.isInvalid && rowView.isInvalid && !coverView.isInvalid)
    model.send(.cover("Harbor"))
    #expect(!insertView.isInvalid && coverView.isInvalid)
    model.send(.insert("other"))
    #expect(insertView.isInvalid)
  }

  @Test func `observed and removed rows leave no state behind`() {
    let views = (0..<100).map { id in TestView { _ = row(id)?.title } }
    #expect(armed == 200)
    for id in 0..<100 { model.send(.removeRow(id)) }
    #expect(armed == 0)
    #expect(views.allSatisfy { $0.isInvalid })
  }

  @Test func `a child's view is notified when the child returns, not when the child is removed`() {
    let child = row(7)
    child?.send("seven")
    let view = TestView { _ = child?.title }
    model.send(.removeRow(7))
    #expect(!view.isInvalid)
    view.render()
    model.send(.removeRow(8))
    #expect(!view.isInvalid && child?.title == "seven")
    model.send(.addRow(7))
    #expect(view.isInvalid && child?.title == "")
  }

  @Test
  func `a view that reads an optional child is notified when the child appears and disappears`() {
    let view = TestView { _ = insert() }
    model.send(.cover("other"))
    #expect(!view.isInvalid)
    model.send(.openInsert(true))
    #expect(view.isInvalid)
    view.render()
    model.send(.insert("inside"))
    model.send(.openInsert(true))
    #expect(!view.isInvalid)
    model.send(.openInsert(false))
    #expect(view.isInvalid)
    view.render()
    model.send(.openInsert(false))
    #expect(!view.isInvalid)
    #expect(view.readings == 3)
  }

  @Test func `a view that reads a row is notified when the row is added and removed`() {
    let view = TestView { _ = row(7) }
    model.send(.removeRow(3))
    model.send(.row(7, "inside"))
    #expect(!view.isInvalid)
    model.send(.removeRow(7))
    #expect(view.isInvalid)
    view.render()
    model.send(.removeRow(8))
    #expect(!view.isInvalid)
    model.send(.addRow(7))
    #expect(view.isInvalid)
  }

  @Test func `a grandchild of a removed child keeps its last value and is not notified`() {
    model.send(.openInsert(true))
    model.send(.insert("note"))
    let child = insert()
    let initial = child?.scope(state: \.initial) { "\($0)" }
    let view = TestView { _ = initial?.count }
    let asking = TestView { _ = child?.scope(state: \.initial) { "\($0)" } }
    #expect(initial?.count == 1)
    model.send(.openInsert(false))
    #expect(!view.isInvalid)
    view.render()
    asking.render()
    model.send(.cover("other"))
    #expect(!view.isInvalid && !asking.isInvalid)
    #expect(initial?.count == 1)
    #expect(child?.scope(state: \.initial) { "\($0)" }?.count == 1)
    model.send(.openInsert(true))
    model.send(.insert("other"))
    #expect(!view.isInvalid && initial?.count == 1)
    #expect(insert()?.title == "other")
  }
}

@MainActor
struct ObservationCellsTests {
  private func observe(_ read: () -> Void) {
    withObservationTracking(read) {}
  }

  /// Cells for key paths created at run time, with or without reads of their values.
  private func fill(
    _ cells: ObservationCells, _ table: ObservationTable, _ indices: Range<Int>, isRead: Bool
  ) {
    for index in indices {
      let cell = ObservationCell(nil)
      cells.insert(cell, for: \[Int].[index])
      if isRead { observe { cell.access(.passUnretained(table)) } }
    }
  }

  @Test(arguments: [0, 1023, 1024, 1025, 3000])
  func `cells without observers are removed, for any number of observed cells`(observed: Int) {
    let cells = ObservationCells()
    let table = ObservationTable()
    fill(cells, table, 0..<observed, isRead: true)
    fill(cells, table, observed..<20_000, isRead: false)
    #expect(cells.count <= max(1024, 2 * observed))
    for index in 0..<observed {
      #expect(cells.cell(\[Int].[index])?.isArmed == true)
    }
  }

  @Test
  func `values kept by cells are freed with the last view model, even if the cells remain`() {
    let table = ObservationTable()
    var value: Seen? = Seen()
    weak let seen = value
    let cell = ComputedCell { value }
    observe { cell.access(.passUnretained(table)) }
    value = nil
    #expect(seen != nil)
    table.close()
    #expect(seen == nil)
    #expect(table.armedCount == 0)
  }

  nonisolated private final class Seen: Equatable, Sendable {
    static func == (left: Seen, right: Seen) -> Bool { left === right }
  }

  @Test func `the cells of unobserved rows are removed`() {
    let cells = ObservationCells()
    let table = ObservationTable()
    weak let first = cells.row(0)
    let second = cells.row(1)
    observe { second.observePresence(table, in: nil, nil, { true }) }
    for id in 2..<5_000 { _ = cells.row(id) }
    #expect(first == nil)
    #expect(cells.row(1) === second)
  }
}
