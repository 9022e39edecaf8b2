/// Searches for an order of operations that a model allows.
///
/// It goes through the calls and returns of the history. An operation gets its place in the order
/// as late as possible: when it returns, or before another operation that returns. An operation
/// that changes nothing, such as a read, gets its place as soon as its result is right. If no place
/// is left for an operation, the search goes back to the last choice.
struct LinearizationSearch<
  State: Hashable & Sendable, Input: Sendable, Output: Equatable & Sendable
> {
  typealias Operation = OperationHistory<Input, Output>.Operation

  /// A state of the object, and the running operations that already have a place in the order.
  private struct Configuration: Hashable {
    var state: State
    var placed = SlotSet()
  }

  /// The return of an operation, and the operations that run before it.
  private struct End {
    let slot: Int
    let running: [(slot: Int, operation: Operation)]
  }

  /// The configurations that are possible at the return of an operation.
  private struct Choices {
    var queue: [Configuration]
    var head = 0
    var seen: Set<Configuration> = []
  }

  private struct Visit: Hashable {
    let end: Int
    let configuration: Configuration
  }

  private let model: SequentialModel<State, Input, Output>
  private let ends: [End]
  /// The operations without a result that wait; `nil` if such an operation may have taken effect.
  private let waiting: [Input]?

  /// - Parameters:
  ///   - model: A sequential model of the object.
  ///   - operations: The operations.
  ///   - areOthersWaiting: Whether the operations that have not returned have taken no effect, and must
  ///     wait in the last state.
  init(
    model: SequentialModel<State, Input, Output>, operations: [Operation],
    areOthersWaiting: Bool = false
  ) {
    self.model = model
    let others = operations.filter { $0.end == nil }.map(\.input)
    waiting = areOthersWaiting ? others : nil
    ends = Self.ends(of: areOthersWaiting ? operations.filter { $0.end != nil } : operations)
  }

  /// The returns of operations, in order.
  ///
  /// A slot is used again after the return.
  private static func ends(of operations: [Operation]) -> [End] {
    var slots: [Int?] = []
    var ends: [End] = []
    for event in HistoryEvent.inOrder(operations.map { ($0.begin, $0.end) }) {
      if event.isEnd {
        guard let slot = slots.firstIndex(of: event.index) else { continue }
        // The operation that returns comes first: it is tried before the other operations.
        let order = [slot] + slots.indices.filter { $0 != slot }
        let running = order.compactMap { slot in slots[slot].map { (slot, operations[$0]) } }
        ends.append(End(slot: slot, running: running))
        slots[slot] = nil
      } else if let slot = slots.firstIndex(of: nil) {
        slots[slot] = event.index
      } else {
        slots.append(event.index)
      }
    }
    return ends
  }

  /// Whether an order exists.
  ///
  /// The search uses no recursion: a history may have thousands of operations.
  func succeeds() -> Bool {
    guard let first = ends.first else { return isLast(model.initial) }
    var visited: Set<Visit> = []
    var stack = [choices(at: first, Configuration(state: model.initial))]
    while !stack.isEmpty {
      guard let next = nextChoice(&stack[stack.count - 1], ends[stack.count - 1]) else {
        stack.removeLast()
        continue
      }
      if stack.count == ends.count {
        if isLast(next.state) { return true }
        continue
      }
      if visited.insert(Visit(end: stack.count, configuration: next)).inserted {
        stack.append(choices(at: ends[stack.count], next))
      }
    }
    return false
  }

  /// Whether the operations that wait do so in a state.
  private func isLast(_ state: State) -> Bool {
    waiting?.allSatisfy { model.waits(state, $0) } ?? true
  }

  private func choices(at end: End, _ configuration: Configuration) -> Choices {
    var choices = Choices(queue: [])
    add(configuration, at: end, to: &choices)
    return choices
  }

  /// Adds a configuration, and before it the same configuration with places for all operations that
  /// change nothing and have the right result.
  private func add(_ configuration: Configuration, at end: End, to choices: inout Choices) {
    var calm = configuration
    for (slot, operation) in end.running where operation.output != nil {
      if let next = placing(operation, slot, in: calm), next.state == calm.state { calm = next }
    }
    for configuration in [calm, configuration]
    where choices.seen.insert(configuration).inserted {
      choices.queue.append(configuration)
    }
  }

  /// Returns the next configuration in which the operation has a place before its return.
  private func nextChoice(_ choices: inout Choices, _ end: End) -> Configuration? {
    while choices.head < choices.queue.count {
      var configuration = choices.queue[choices.head]
      choices.head += 1
      if configuration.placed.contains(end.slot) {
        configuration.placed.remove(end.slot)
        return configuration
      }
      for (slot, operation) in end.running {
        if let next = placing(operation, slot, in: configuration) {
          add(next, at: end, to: &choices)
        }
      }
    }
    return nil
  }

  /// Gives an operation the next place; `nil` if it has a place, waits, or would have another
  /// result.
  private func placing(
    _ operation: Operation, _ slot: Int, in configuration: Configuration
  ) -> Configuration? {
    if configuration.placed.contains(slot) || model.waits(configuration.state, operation.input) {
      return nil
    }
    var next = configuration
    let output = model.apply(&next.state, operation.input)
    if let expected = operation.output, output != expected { return nil }
    next.placed.insert(slot)
    return next
  }
}

/// A set of small numbers.
private struct SlotSet: Hashable {
  /// A bit for each number; the last word is not 0, so equal sets have equal words.
  private var words: [UInt64] = []

  func contains(_ slot: Int) -> Bool {
    slot / 64 < words.count && words[slot / 64] & 1 << (slot % 64) != 0
  }

  mutating func insert(_ slot: Int) {
    while words.count <= slot / 64 { words.append(0) }
    words[slot / 64] |= 1 << (slot % 64)
  }

  mutating func remove(_ slot: Int) {
    guard slot / 64 < words.count else { return }
    words[slot / 64] &= ~(1 << (slot % 64))
    while words.last == 0 { words.removeLast() }
  }
}
