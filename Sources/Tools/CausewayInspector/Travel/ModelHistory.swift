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
    let base: KeptState<State>
    /// The number of the first step.
    let first: Int
    var steps: [KeptStep] = []
    var effects: [EffectEvent] = []
  }

  /// The values that are necessary to repeat a step.
  struct KeptStep {
    let cause: Step<State, Action>.Cause
    let effectNumber: Int?
    let origin: Int
    let change: Change
  }

  private static var chunkSize: Int { 16 }

  private var chunks: [Int: Chunk] = [:]
  private(set) var last = 0
  /// The number of the newest chunk.
  private var newest = -1

  /// The forgotten requests of effects whose ends are not forgotten, by the effects' numbers.
  private var earlier: [Int: EffectEvent] = [:]

  nonisolated init() {}

  /// Adds a step.
  ///
  /// - Parameter before: The state before the step.
  /// - Returns: The number of the new chunk, if the step begins one.
  func append(_ step: BriefStep<State, Action>, after before: KeptState<State>) -> Int? {
    last = step.number
    let index = (step.number - 1) / Self.chunkSize
    chunks[index, default: Chunk(base: before, first: step.number)].steps.append(
      KeptStep(
        cause: step.cause, effectNumber: step.effectNumber, origin: step.origin,
        change: step.change))
    if index == newest { return nil }
    newest = index
    return index
  }

  /// Adds the request or the end of an effect to its step.
  func append(_ event: EffectEvent) {
    if chunks[newest]?.effects.append(event) == nil { forget(event) }
  }

  private func forget(_ event: EffectEvent) {
    earlier[event.number] = event.kind == .began ? event : nil
  }

  /// A step; `nil` if it is not kept.
  func step(_ number: Int) -> KeptStep? {
    guard number > 0, let chunk = chunks[(number - 1) / Self.chunkSize],
      chunk.steps.indices.contains(number - chunk.first)
    else { return nil }
    return chunk.steps[number - chunk.first]
  }

  /// The requests and ends of effects that are kept, oldest first.
  ///
  /// The requests of effects that have not ended are kept always.
  ///
  /// Complexity: O(*n* log *n*) in the number of kept chunks.
  var effects: [EffectEvent] {
    earlier.values.sorted { $0.number < $1.number }
      + chunks.sorted { $0.key < $1.key }.flatMap(\.value.effects)
  }

  /// Forgets the steps of a chunk.
  func remove(chunk: Int) {
    for event in chunks.removeValue(forKey: chunk)?.effects ?? [] { forget(event) }
    // The next step of the model makes the chunk again, which must be counted again.
    if chunk == newest { newest = -1 }
  }

  /// The states before and after a step; `nil` if they are not kept.
  ///
  /// Complexity: at most 16 changes.
  func states(at number: Int) -> (before: State, after: State)? {
    guard number > 0, let chunk = chunks[(number - 1) / Self.chunkSize],
      number >= chunk.first, number - chunk.first < chunk.steps.count
    else { return nil }
    var state = chunk.base.value
    for step in chunk.steps.prefix(number - chunk.first) { apply(step.change, to: &state) }
    let before = state
    apply(chunk.steps[number - chunk.first].change, to: &state)
    return (before, state)
  }

  /// Returns the state after the last step, as if one of the steps had not happened; `nil` if a
  /// later step is not kept.
  ///
  /// Updates of effects are repeated as they were, although the effects could have sent other
  /// updates.
  ///
  /// Complexity: O(*n*) in the number of steps after it.
  func lastState(without number: Int) -> State? {
    guard var state = states(at: number)?.before else { return nil }
    var next = number + 1
    while next <= last {
      guard let chunk = chunks[(next - 1) / Self.chunkSize], next >= chunk.first else { return nil }
      for step in chunk.steps.dropFirst(next - chunk.first) { apply(step.change, to: &state) }
      next = chunk.first + chunk.steps.count
    }
    return state
  }

  private func apply(_ change: Change, to state: inout State) {
    withUnsafeMutablePointer(to: &state) { _ = change($0) }
  }
}

/// A state that several places keep, as one reference.
///
/// A copy of the state itself would retain each of its parts.
final class KeptState<State: Sendable>: Sendable {
  let value: State

  init(_ state: State) {
    value = state
  }
}
