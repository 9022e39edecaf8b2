/// Searches for an order of operations that a model allows.
struct LinearizationSearch<
  State: Hashable & Sendable, Input: Sendable, Output: Equatable & Sendable
> {
  /// The point that the search has reached; the search continues from the same point only once.
  private struct Configuration: Hashable {
    let done: [UInt64]
    let state: State
  }

  /// A step of the search that can be undone.
  private struct Choice {
    let index: Int
    let state: State
  }

  private let model: SequentialModel<State, Input, Output>
  private let operations: [OperationHistory<Input, Output>.Operation]
  private var seen: Set<Configuration> = []
  /// A bit for each operation that has a place in the order.
  private var done: [UInt64]
  private var state: State

  init(
    model: SequentialModel<State, Input, Output>,
    operations: [OperationHistory<Input, Output>.Operation]
  ) {
    self.model = model
    self.operations = operations
    done = Array(repeating: 0, count: (operations.count + 63) / 64)
    state = model.initial
  }

  /// Tries orders depth first, without recursion: a history may have thousands of operations.
  mutating func succeeds() -> Bool {
    var choices: [Choice] = []
    var next = 0
    while true {
      guard let limit = firstEnd else { return true }
      if let index = candidate(from: next, before: limit) {
        var changed = state
        let output = model.apply(&changed, operations[index].input)
        next = index + 1
        if let expected = operations[index].output, output != expected { continue }
        flip(index)
        if seen.insert(Configuration(done: done, state: changed)).inserted {
          choices.append(Choice(index: index, state: state))
          state = changed
          next = 0
        } else {
          flip(index)
        }
      } else {
        guard let last = choices.popLast() else { return false }
        flip(last.index)
        state = last.state
        next = last.index + 1
      }
    }
  }

  /// The earliest end of the operations without a place; `nil` if none of them has ended.
  private var firstEnd: Int? {
    operations.indices.lazy.filter { !isDone($0) }.compactMap { operations[$0].end }.min()
  }

  /// Returns an operation that can be next: its call was before the end of each other operation.
  private func candidate(from start: Int, before limit: Int) -> Int? {
    operations.indices[start...].first { !isDone($0) && operations[$0].call < limit }
  }

  private func isDone(_ index: Int) -> Bool { done[index / 64] & 1 << (index % 64) != 0 }

  private mutating func flip(_ index: Int) { done[index / 64] ^= 1 << (index % 64) }
}
