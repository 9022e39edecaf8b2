import CausewayWeb

/// A model whose steps are kept, without its types.
@MainActor
protocol InspectedModel: AnyObject {
  /// The name of the model in its inspector.
  var name: String { get }
  /// The number of the newest step.
  var lastStep: Int { get }
  /// Whether ``fork(at:)`` can make a model.
  var canFork: Bool { get }

  /// Renders the states before and after a step, off the main actor; `nil` if they are not kept.
  func snapshot(at step: Int) -> StateSnapshot?
  /// Renders the present state, and the state without a step; `nil` if the steps are not kept.
  func snapshot(without step: Int) -> StateSnapshot?
  /// The page of the app that shows the model; `nil` without one.
  var page: OpenedPage? { get }
  /// Makes a second view model that begins with the state after a step, and is inspected too.
  func fork(at step: Int) -> AnyObject?
  /// Makes a view model with the state after a step; the view model is not inspected.
  func copy(at step: Int) -> AnyObject?
  /// Tries other orders of the answers of effects after a step; `nil` if the step is not kept.
  func otherOrders(from step: Int) async throws -> OrderReport?
  /// Forgets the steps of a chunk.
  func remove(chunk: Int)
}

/// Two states of a model that are rendered when the page shows them.
struct StateSnapshot: Sendable {
  let before: @Sendable () -> ValueNode
  let after: @Sendable () -> ValueNode
}

/// The inspected models of a program, and the limit of the steps that are kept in all.
@MainActor
final class InspectedModels {
  private static let mostModels = 200

  private let limit: Int
  private var models: [any InspectedModel] = []
  /// The number of models that had each name.
  private var counts: [String: Int] = [:]
  /// The kept chunks, oldest first; those before `first` are forgotten.
  private var chunks: [(model: any InspectedModel, chunk: Int)] = []
  private var first = 0
  /// View models that the page has forked; the inspector keeps them.
  var forks: [AnyObject] = []

  /// - Parameter limit: The number of steps that are kept.
  nonisolated init(limit: Int) {
    self.limit = limit
  }

  /// The names of the models, oldest first.
  var names: [String] { models.map { $0.name } }

  func model(named name: String) -> (any InspectedModel)? { models.last { $0.name == name } }

  /// Adds a model, and returns its unique name.
  func add(_ model: any InspectedModel, as name: String) -> String {
    counts[name, default: 0] += 1
    models.append(model)
    if models.count > Self.mostModels {
      forget(models.removeFirst())
    }
    let count = counts[name] ?? 1
    return count == 1 ? name : "\(name) \(count)"
  }

  /// Forgets the steps of a model that is no longer listed.
  ///
  /// Complexity: O(*n*) in the number of kept chunks.
  private func forget(_ model: any InspectedModel) {
    var kept: [(model: any InspectedModel, chunk: Int)] = []
    for entry in chunks[first...] {
      if entry.model === model { model.remove(chunk: entry.chunk) } else { kept.append(entry) }
    }
    (chunks, first) = (kept, 0)
  }

  /// Counts a chunk of 16 steps, and forgets the oldest chunk above the limit.
  func keep(_ chunk: Int, of model: any InspectedModel) {
    chunks.append((model, chunk))
    guard chunks.count - first > max(1, limit / 16) else { return }
    let oldest = chunks[first]
    oldest.model.remove(chunk: oldest.chunk)
    first += 1
    if first > 1_024, first > chunks.count / 2 {
      chunks.removeFirst(first)
      first = 0
    }
  }
}
