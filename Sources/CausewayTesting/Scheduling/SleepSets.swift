/// The shared objects that a step of an effect has used.
enum Footprint: Sendable {
  /// The step may have used anything.
  case unknown
  /// The step has used only the objects with these names, and maybe sent to the main actor.
  case objects(Set<String>, sends: Bool)

  /// Whether the main actor may have got a job from the step.
  var maySend: Bool {
    if case .objects(_, sends: false) = self { false } else { true }
  }

  /// Whether two steps have the same result in both orders.
  func isIndependent(of other: Footprint) -> Bool {
    guard case .objects(let left, let sends) = self,
      case .objects(let right, let otherSends) = other
    else { return false }
    return left.isDisjoint(with: right) && !(sends && otherSends)
  }
}

/// Enumerates orders of steps, and leaves out orders that differ only in independent steps.
///
/// These are the sleep sets of P. Godefroid, "Partial-Order Methods for the Verification of
/// Concurrent Systems", LNCS 1032, 1996. When all orders that begin with a step have been tried,
/// the step sleeps in later orders, which begin with another step. It sleeps until a step that
/// depends on it has run. An order in which every possible step sleeps is redundant. At least one
/// of several equivalent orders is tried completely.
///
/// The search is without a stored state: each trial repeats the steps of the previous one up to the
/// last step that has another option.
struct SleepSets {
  private struct Node {
    let turns: [Turn]
    /// The steps that sleep, with their footprints.
    let sleeping: [Turn: Footprint]
    var taken = 0
    /// The steps whose orders have all been tried.
    var done: [Turn: Footprint] = [:]
    var footprint = Footprint.unknown

    /// Whether only one of the possible steps belongs to the taken step's effect.
    var isUnique: Bool { turns.count { $0 == turns[taken] } == 1 }

    /// The first option from an index on that does not sleep.
    func option(from index: Int) -> Int? {
      turns.indices.first { candidate in
        candidate >= index
          && (sleeping[turns[candidate]] == nil || turns.count { $0 == turns[candidate] } > 1)
      }
    }
  }

  private var path: [Node] = []
  private var depth = 0
  /// The number of steps that the trial repeats.
  private var repeated = 0
  /// Whether an equivalent order has been tried, so the rest of the trial is not varied.
  private(set) var isRedundant = false

  /// Returns the index of the next step.
  ///
  /// Complexity: O(*n*²) in the number of possible steps.
  mutating func choose(_ turns: [Turn]) -> Int {
    if isRedundant { return 0 }
    defer { depth += 1 }
    if depth < repeated { return path[depth].taken }
    var sleeping: [Turn: Footprint] = [:]
    if let last = path.last {
      sleeping = last.sleeping.merging(last.done) { $1 }
        .filter { $0.value.isIndependent(of: last.footprint) }
    }
    var node = Node(turns: turns, sleeping: sleeping)
    guard let taken = node.option(from: 0) else {
      isRedundant = true
      return 0
    }
    node.taken = taken
    path.append(node)
    return taken
  }

  /// Stores the footprint of the last chosen step.
  mutating func record(_ footprint: Footprint) {
    if !isRedundant, depth > 0 { path[depth - 1].footprint = footprint }
  }

  /// Prepares the next trial; returns false if all orders have been tried.
  mutating func advance() -> Bool {
    (depth, isRedundant) = (0, false)
    while var last = path.popLast() {
      // A step that may have used anything never sleeps, because every step depends on it.
      if last.isUnique, case .objects = last.footprint {
        last.done[last.turns[last.taken]] = last.footprint
      }
      guard let next = last.option(from: last.taken + 1) else { continue }
      last.taken = next
      last.footprint = .unknown
      path.append(last)
      repeated = path.count
      return true
    }
    return false
  }
}
