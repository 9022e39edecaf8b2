import Causeway
import Observation

extension Bench {
  /// Measures the cost of a view model, compared with a hand-written `@Observable` class.
  ///
  /// A feature that needs neither effects nor tests of its steps could be such a class.
  mutating func measureBesidePlainClass() {
    let count = 500_000
    let plain = PlainList(count: 100)
    let model = ViewModel(Rows(count: 100))
    measure("send beside a method of a plain class", target: "<= 3 x floor", operations: count) {
      for _ in 0..<$0 { plain.ping() }
    } work: {
      for _ in 0..<$0 { model.send(.ping) }
    }
    var sum = 0
    measure("read beside a plain class", target: "<= 1.0 x floor", operations: count) {
      for _ in 0..<$0 { sum &+= plain.other }
    } work: {
      for _ in 0..<$0 { sum &+= model.other }
    }
    measure("change of a row beside a plain class", target: "<= 3 x floor", operations: count) {
      for index in 0..<$0 { plain.increment(index % 100) }
    } work: {
      for index in 0..<$0 { model.send(.row(index % 100, .increment)) }
    }
    measure("a view model made beside a plain class", target: "<= 2 x floor", operations: 100_000) {
      for _ in 0..<$0 { sum &+= PlainLeaf.make().count }
    } work: {
      for _ in 0..<$0 { sum &+= makeLeaf() == nil ? 1 : 0 }
    }
    measure(
      "a view model made, read and sent to beside a plain class", target: "<= 2 x floor",
      operations: 100_000
    ) {
      for _ in 0..<$0 {
        let plain = PlainLeaf.make()
        plain.increment()
        sum &+= plain.count
      }
    } work: {
      for _ in 0..<$0 {
        let model = ViewModel(Leaf())
        model.send(.increment)
        sum &+= model.count
      }
    }
    if sum == 1 { print(sum) }
  }
}

/// Not inlined, because an object that stays in one function may get no memory of its own.
@MainActor
@inline(never)
private func makeLeaf() -> ViewModel<Leaf.State, Leaf.Action>? {
  ViewModel(Leaf())
}

/// The state of a ``Leaf`` as a hand-written class.
@MainActor
@Observable
private final class PlainLeaf {
  var id = 0
  var count = 0

  @inline(never)
  static func make() -> PlainLeaf { PlainLeaf() }

  func increment() { count += 1 }
}

/// The state of ``Rows`` as a hand-written class.
@MainActor
@Observable
private final class PlainList {
  var other = 0
  var rows: [PlainRow]

  struct PlainRow {
    var id: Int
    var count = 0
  }

  init(count: Int) {
    rows = (0..<count).map { PlainRow(id: $0) }
  }

  @inline(never)
  func ping() { other += 1 }

  @inline(never)
  func increment(_ index: Int) { rows[index].count += 1 }
}
