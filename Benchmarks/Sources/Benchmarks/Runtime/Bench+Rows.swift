import Causeway

/// Rows without Causeway: an array, and a dictionary of the positions.
struct RowsByHand {
  var rows: [Leaf.State]
  private var positions: [Int: Int] = [:]

  init(_ rows: [Leaf.State]) {
    self.rows = rows
    positions.reserveCapacity(rows.count)
    for (position, row) in rows.enumerated() { positions[row.id] = position }
  }

  /// Changes a row in place, in a function that cannot be inlined.
  @inline(never)
  mutating func increment(_ id: Int) {
    if let position = positions[id] { rows[position].count += 1 }
  }
}

/// The costs of an array of rows, and of a feature with such an array.
extension Bench {
  mutating func measureRows() {
    for (count, target) in [(10, "<= 100 ns"), (1_000, "<= 100 ns"), (10_000, "<= 150 ns")] {
      let states = (0..<count).map { Leaf.State(id: $0) }
      var byHand = RowsByHand(states)
      let model = ViewModel(Rows(count: count))
      measure(
        "send to one of \(count) rows", target: target, operations: 500_000, mayAllocate: false
      ) {
        for index in 0..<$0 { byHand.increment(index % count) }
      } work: {
        for index in 0..<$0 { model.send(.row(index % count, .increment)) }
      }
      var rows = IdentifiedArray(uniqueElements: states)
      // The compiler does not inline the coroutine of an optional chain, so the coroutine's frame
      // is allocated.
      measure(
        "rows[id:]?.count += 1, of \(count) rows", target: "<= 50 ns", operations: 500_000
      ) {
        for index in 0..<$0 { byHand.increment(index % count) }
      } work: {
        for index in 0..<$0 { rows[id: index % count]?.count += 1 }
      }
      measureMembership(states)
      measureRemoval(states, target: "<= 20 µs", operations: 2_000)
    }
    measureRemoval(
      (0..<100_000).map { Leaf.State(id: $0) }, target: "<= 200 µs", operations: 500)
  }

  private mutating func measureMembership(_ states: [Leaf.State]) {
    let count = states.count
    measure("build of \(count) rows, a row", target: "<= 100 ns", operations: 100_000) {
      for _ in 0..<($0 / count) { _ = RowsByHand(states) }
    } work: {
      for _ in 0..<($0 / count) { _ = IdentifiedArray(uniqueElements: states) }
    }
  }

  /// Measures the removal of the first row, which moves all others.
  private mutating func measureRemoval(_ states: [Leaf.State], target: String, operations: Int) {
    var rows = IdentifiedArray(uniqueElements: states)
    var array = states
    measure(
      "remove the first of \(states.count) rows, append it", target: target,
      operations: operations
    ) {
      for _ in 0..<$0 { array.append(array.removeFirst()) }
    } work: {
      for _ in 0..<$0 {
        if let row = rows.remove(id: rows[0].id) { _ = rows.append(row) }
      }
    }
  }
}
