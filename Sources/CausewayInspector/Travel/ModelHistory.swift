import Causeway

/// The states of a model at its kept steps.
///
/// Every 16th state is kept. The states between are made again by repeating the changes.
///
/// Isolation: the main actor, because handlers and updates belong to it.
@MainActor
final class ModelHistory<State: Sendable, Action: Sendable> {
  typealias Change = StepObserver<State, Action>.StateChange

  private struct Chunk {
    /// The state before the first step of the chunk.
    let base: State
    /// The number of the first step.
    let first: Int
    var changes: [Change] = []
  }

  private static var chunkSize: Int { 16 }

  private var chunks: [Int: Chunk] = [:]
  private(set) var last = 0

  nonisolated init() {}

  /// Adds a step.
  ///
  /// - Returns: The number of the new chunk, if the step begins one.
  func append(_ step: Step<State, Action>, _ change: @escaping Change) -> Int? {
    last = step.number
    let index = (step.number - 1) / Self.chunkSize
    let isNew = chunks[index] == nil
    chunks[index, default: Chunk(base: step.before, first: step.number)].changes.append(change)
    return isNew ? index : nil
  }

  /// Forgets the steps of a chunk.
  func remove(chunk: Int) {
    chunks[chunk] = nil
  }

  /// The states before and after a step; `nil` if they are not kept.
  ///
  /// Complexity: at most 16 changes.
  func states(at number: Int) -> (before: State, after: State)? {
    guard number > 0, let chunk = chunks[(number - 1) / Self.chunkSize],
      number >= chunk.first, number - chunk.first < chunk.changes.count
    else { return nil }
    var state = chunk.base
    for change in chunk.changes.prefix(number - chunk.first) { apply(change, to: &state) }
    let before = state
    apply(chunk.changes[number - chunk.first], to: &state)
    return (before, state)
  }

  /// The last state that the steps would have led to without one of them; `nil` if a step after it
  /// is not kept.
  ///
  /// Updates of effects are repeated as they were, although the effects could have sent others.
  ///
  /// Complexity: O(*n*) in the number of steps after it.
  func lastState(without number: Int) -> State? {
    guard var state = states(at: number)?.before else { return nil }
    var next = number + 1
    while next <= last {
      guard let chunk = chunks[(next - 1) / Self.chunkSize], next >= chunk.first else { return nil }
      for change in chunk.changes.dropFirst(next - chunk.first) { apply(change, to: &state) }
      next = chunk.first + chunk.changes.count
    }
    return state
  }

  private func apply(_ change: Change, to state: inout State) {
    withUnsafeMutablePointer(to: &state) { _ = change($0) }
  }
}
