import Causeway
import Observation

extension Bench {
  /// Measures reads outside of an observation.
  ///
  /// The floor is the same read of an `@Observable` class. For the view model of a row, the floor
  /// reads a property of such a class.
  mutating func measureReads() {
    let count = 1_000_000
    let plain = PlainForm()
    let model = ViewModel(Form())
    measureRead("plain read of a property of viewState", count) {
      plain.count
    } read: {
      model.viewState.count
    }
    let rows = ViewModel(Rows(count: 100))
    let plainRows = PlainRows()
    measureRead("plain read of a property of a row by its id", count) {
      plainRows.rows[id: 7]?.count ?? 0
    } read: {
      rows.rows[id: 7]?.count ?? 0
    }
    guard let row = rows.scope(state: \.rows, id: 7, action: Rows.Action.row) else { return }
    measureRead("plain read of a property of a row's view model", count) {
      plain.count
    } read: {
      row.count
    }
    withObservationTracking {
      measureRead("observed read of a property that was read before", count) {
        plain.count
      } read: {
        model.count
      }
    } onChange: {
    }
  }

  private mutating func measureRead(
    _ name: String, _ count: Int, floor: @escaping @MainActor () -> Int,
    read: @MainActor () -> Int
  ) {
    var sum = 0
    measure(name, target: "<= 1.0 x floor, 0 allocations", operations: count, mayAllocate: false) {
      for _ in 0..<$0 { sum &+= floor() }
    } work: {
      for _ in 0..<$0 { sum &+= read() }
    }
    blackHole(sum)
  }
}

@inline(never)
private func blackHole(_ value: Int) {}
