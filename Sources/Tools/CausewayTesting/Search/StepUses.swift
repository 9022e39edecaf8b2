import Causeway

/// Records the use of the runtime in the current step.
@MainActor
final class StepUses {
  private var footprint = Footprint(objects: [])
  private var cancels = false

  /// The number of emissions that the runtime has carried out.
  var emissionCount: () -> Int = { 0 }
  private var knownEmissions = 0

  /// Whether only the state shows the values that a change has read.
  var seesChanges = false
  /// Whether a step may end effects by removing their child.
  ///
  /// A change in another order may then remove a child, and this would be visible only in the
  /// state.
  var isWatching: () -> Bool = { false }
  /// The number of steps that were taken.
  private(set) var stepCount = 0

  /// Whether nothing was used.
  private(set) var isEmpty = true

  /// The name of the object that belongs to one effect only, until another step cancels the effect.
  static func name(ofEffect number: Int) -> String { "effect \(number)" }

  /// Adds a step of the runtime, which may read and change the whole state.
  func addStep() {
    isEmpty = false
    footprint.state = max(footprint.state, seesChanges && !isWatching() ? .change : .anything)
  }

  func add(_ event: EffectEvent) {
    isEmpty = false
    switch event.kind {
    case .began: footprint.requests = true
    case .ended: footprint.ends = true
    case .cancelled:
      footprint.objects?.insert(Self.name(ofEffect: event.number))
      cancels = true
    case .readState: footprint.state = .anything
    }
  }

  /// Returns the recorded uses, and removes them.
  func take() -> Footprint {
    defer {
      (footprint, isEmpty, cancels) = (Footprint(objects: []), true, false)
      stepCount += 1
    }
    let count = emissionCount()
    // A request that its policy drops, or a cancellation of nothing, has no event.
    if count != knownEmissions { footprint.requests = true }
    knownEmissions = count
    // A requested effect can contain anything that the handler has read.
    if footprint.state == .change, footprint.requests || cancels { footprint.state = .anything }
    return footprint
  }
}
