/// The things that a step has used and that effects may share.
///
/// A step is a turn, with everything that it causes before the next choice.
struct Footprint: Sendable {
  /// The way in which a step uses the feature's state.
  enum StateUse: Int, Comparable, Sendable {
    case none
    /// The step changes the state, and only the state shows the values that the step has read.
    case change
    /// The step may have read the whole state.
    case anything

    static func < (left: StateUse, right: StateUse) -> Bool { left.rawValue < right.rawValue }
  }

  /// The names of the shared objects; `nil` if the step may have used anything.
  var objects: Set<String>?
  var state = StateUse.none
  /// Whether the step has requested or cancelled effects.
  var requests = false
  /// Whether an effect has ended by itself during the step.
  var ends = false
  /// Whether the step may have sent a job to the main actor, which runs the job later.
  var sends = false
  /// The step's name in the enumeration; `nil` before it is recorded.
  var step: StepName?

  /// A step that may have used anything.
  static let unknown = Footprint(objects: nil, state: .anything, sends: true)

  /// Whether two steps have the same result in both orders.
  ///
  /// The ends of two effects are independent, because each frees only its own place.
  ///
  /// Complexity: O(*n*) in the number of objects.
  func isIndependent(of other: Footprint, _ conflicts: ChangeConflicts) -> Bool {
    guard let objects, let others = other.objects else { return false }
    return !(requests && (other.requests || other.ends))
      && !(ends && other.requests)
      && !(sends && other.sends)
      && (state == .none || other.state == .none || conflicts.areIndependent(self, other))
      && objects.isDisjoint(with: others)
  }

  /// Adds the footprint of the rest of the step.
  mutating func add(_ rest: Footprint) {
    guard let own = objects, let more = rest.objects else {
      self = .unknown
      return
    }
    objects = own.union(more)
    state = max(state, rest.state)
    requests = requests || rest.requests
    ends = ends || rest.ends
    sends = sends || rest.sends
  }
}

/// The name of a step, which is the same in each trial of an enumeration.
struct StepName: Hashable, Sendable {
  let turn: Turn
  /// The number of earlier steps of the turn.
  let number: Int
}
