import CausewayData
import CausewayTesting

/// A value, and the session in which it was set.
struct Leaf: Equatable, Sendable {
  var session: Int
  var number: Int
}

/// A backing that suspends in its loads and saves, where other effects may run.
@MainActor
final class SteppedBacking: nonisolated StoreBacking {
  struct Stuck: Error {}

  /// When a save fails.
  enum Fault: Sendable {
    case before
    /// It throws after it has stored everything, as if a directory cannot be synchronised.
    case after
  }

  private(set) var values: [Int: Leaf]
  var failingLoads = 0
  var faults: [Fault] = []
  /// Called when a save starts.
  var onSave: () -> Void = {}
  /// Called for each stored or removed key.
  var onStore: (Int, Leaf?) -> Void = { _, _ in }
  /// The executor of its work, whose steps an effect of the exploration runs.
  nonisolated let steps = Steps()

  init(_ values: [Int: Leaf]) {
    self.values = values
  }

  @concurrent func load() async throws -> [Int: Leaf] {
    await suspensionPoint()
    let answer = await read()
    await suspensionPoint()
    return try answer.get()
  }

  @concurrent func save(_ changes: StoreChanges<Int, Leaf>) async throws {
    await begin()
    await suspensionPoint()
    let isGood = await store(changes)
    await suspensionPoint()
    if !isGood { throw Stuck() }
  }

  @concurrent func removeDamaged() async throws {
    await suspensionPoint()
  }

  private func begin() {
    onSave()
  }

  private func read() -> Result<[Int: Leaf], Stuck> {
    guard failingLoads > 0 else { return .success(values) }
    failingLoads -= 1
    return .failure(Stuck())
  }

  private func store(_ changes: StoreChanges<Int, Leaf>) -> Bool {
    let fault = faults.isEmpty ? nil : faults.removeFirst()
    if fault == .before { return false }
    changes.apply(to: &values)
    for (key, value) in changes.updated { onStore(key, value) }
    for key in changes.removed { onStore(key, nil) }
    return fault == nil
  }
}
