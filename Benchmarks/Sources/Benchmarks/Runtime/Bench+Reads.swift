import Causeway
import Observation

extension Bench {
  /// Measures reads outside of an observation.
  ///
  /// The floor is a read of a property of an `@Observable` class.
  mutating func measureReads() {
    let count = 1_000_000
    let plain = PlainForm()
    let model = ViewModel(Form())
    measureRead("plain read of a property of viewState", count, plain, model) { $0.viewState.count }

    let rows = ViewModel(Rows(count: 100))
    measureRead("plain read of a property of a row by its id", count, plain, rows) {
      $0.rows[id: 7]?.count ?? 0
    }
    guard let row = rows.scope(state: \.rows, id: 7, action: Rows.Action.row) else { return }
    measureRead("plain read of a property of a row's view model", count, plain, row) { $0.count }
    let tracked = "observed read of a property that was read before"
    withObservationTracking {
      measureRead(tracked, count, plain, model) { $0.count }
    } onChange: {
    }
  }

  private mutating func measureRead<Model>(
    _ name: String, _ count: Int, _ plain: PlainForm, _ model: Model,
    _ read: @MainActor (Model) -> Int
  ) {
    var sum = 0
    measure(name, target: "<= 1.0 x floor, 0 allocations", operations: count, mayAllocate: false) {
      for _ in 0..<$0 { sum &+= plain.count }
    } work: {
      for _ in 0..<$0 { sum &+= read(model) }
    }
    blackHole(sum)
  }
}

@inline(never)
private func blackHole(_ value: Int) {}
