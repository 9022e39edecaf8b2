/// Enumerates orders of steps, and leaves out orders that differ only in independent steps.
///
/// This is the source-set algorithm of P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, "Optimal
/// Dynamic Partial Order Reduction", POPL 2014, which contains the sleep sets of P. Godefroid, LNCS
/// 1032, 1996. A trial first takes any possible steps. Two of its steps race if they depend on each
/// other and nothing between them forces their order. Only races make further orders: before the
/// first step of a race, a later trial takes a step that leads to the reverse order. A step whose
/// orders have all been tried sleeps in the orders that begin with another step, until a step that
/// depends on it has run. An order in which every possible step sleeps is redundant.
///
/// At least one of several equivalent orders is tried completely.
///
/// The search stores no states: each trial repeats the steps of the previous one up to the last
/// step that has another option.
struct OrderSearch {
  struct Node {
    /// The turn of each possible step.
    let turns: [Turn]
    /// The steps that sleep, with their footprints.
    let sleeping: [Turn: Footprint]
    /// The steps that are tried, have been tried or will be tried.
    var chosen: Set<Int> = []
    var tried: Set<Int> = []
    var taken = 0
    /// The steps whose orders have all been tried.
    var done: [Turn: Footprint] = [:]
    var footprint = Footprint.unknown

    var turn: Turn { turns[taken] }

    /// Whether a turn belongs to one possible step only.
    func isUnique(_ turn: Turn) -> Bool { turns.count { $0 == turn } == 1 }

    /// The first chosen step that was not tried and does not sleep.
    var next: Int? {
      chosen.subtracting(tried).filter { sleeping[turns[$0]] == nil || !isUnique(turns[$0]) }.min()
    }
  }

  private var path: [Node] = []
  private var conflicts = ChangeConflicts()
  /// Whether a conflict was found that earlier trials did not know.
  private var isOutdated = false
  private var depth = 0
  private var longest = 0
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
        .filter { $0.value.isIndependent(of: last.footprint, conflicts) }
    }
    var node = Node(turns: turns, sleeping: sleeping)
    node.chosen = Set(turns.indices)
    guard let taken = node.next else {
      isRedundant = true
      return 0
    }
    node.taken = taken
    node.chosen = [taken]
    node.tried = [taken]
    path.append(node)
    return taken
  }

  /// Stores the footprint of the last chosen step.
  mutating func record(_ footprint: Footprint) {
    if isRedundant || depth == 0 { return }
    let turn = path[depth - 1].turn
    path[depth - 1].footprint = footprint
    path[depth - 1].footprint.step = StepName(
      turn: turn, number: path[..<(depth - 1)].count { $0.turn == turn })
  }

  /// Prepares the next trial; returns false if all orders have been tried.
  ///
  /// Complexity: O(*n*²) comparisons of footprints in the number of steps.
  mutating func advance() -> Bool {
    if isOutdated {
      // Earlier trials may have left out orders that count.
      longest = max(longest, path.count)
      (path, repeated, depth, isRedundant, isOutdated) = ([], 0, 0, false, false)
      return true
    }
    chooseForRaces()
    longest = max(longest, path.count)
    (depth, isRedundant) = (0, false)
    while var last = path.popLast() {
      // A step that may have used anything never sleeps, because every step depends on it.
      if last.isUnique(last.turn), last.footprint.objects != nil {
        last.done[last.turn] = last.footprint
      }
      guard let next = last.next else { continue }
      last.taken = next
      last.tried.insert(next)
      last.footprint = .unknown
      path.append(last)
      repeated = path.count
      return true
    }
    return false
  }

  /// How far a search has come.
  struct Coverage: Sendable {
    /// The smallest possible number of orders that were not tried.
    let untried: Int
    /// The number of steps at the beginning that were the same in all trials.
    let unvaried: Int
    /// The number of steps of the longest trial.
    let steps: Int
  }

  /// How far the search has come, after ``advance()``.
  var coverage: Coverage {
    let untried = path.reduce(1) { count, node in
      count + node.chosen.subtracting(node.tried).count { node.sleeping[node.turns[$0]] == nil }
    }
    return Coverage(
      untried: untried, unvaried: path.firstIndex { $0.tried.count > 1 } ?? path.count,
      steps: longest)
  }

  /// Chooses, before the first step of each race, a step that leads to the reverse order.
  private mutating func chooseForRaces() {
    // The steps of child tasks of one effect have the same turn, so their races cannot be told
    // apart. All steps are then tried.
    if path.contains(where: { Set($0.turns).count < $0.turns.count }) {
      for index in path.indices { path[index].chosen = Set(path[index].turns.indices) }
      return
    }
    var order = HappensBefore()
    for later in path.indices {
      let causes = causes(of: later)
      let races = order.append(causes.forced, causes.conflicts)
      // The races of the repeated steps were found in earlier trials.
      if later + 1 < repeated { continue }
      for earlier in races {
        reverse(earlier, later, order)
      }
    }
  }

  /// The changes of the last trial whose order may not count; empty after a redundant trial.
  ///
  /// A run contains the changes between two steps that use the state in another way. Only the
  /// changes in one run can have another order.
  var changeRuns: [ChangeRun] {
    if isRedundant { return [] }
    var order = HappensBefore()
    var runs: [ChangeRun] = []
    var run = ChangeRun()
    for index in path.indices {
      let causes = causes(of: index)
      _ = order.append(causes.forced, causes.conflicts)
      let footprint = path[index].footprint
      if footprint.objects != nil, footprint.state == .none { continue }
      guard let name = footprint.step, conflicts.isComparable(footprint) else {
        runs.append(run)
        run = ChangeRun()
        continue
      }
      run.append(index, name) { order.isOrdered($0, index) }
    }
    return (runs + [run]).filter { $0.steps.count > 1 }
  }

  /// Adds conflicts; returns false if all of them are known.
  ///
  /// If earlier trials did not know them, the search begins again.
  mutating func add(_ found: ChangeConflicts) -> Bool {
    guard conflicts.formUnion(found) else { return false }
    // During the first trial of a search, no order has been left out yet, so the search does not
    // start again.
    if repeated > 0 { isOutdated = true }
    return true
  }

  /// The earlier steps that a step must follow, and those that it depends on.
  private func causes(of later: Int) -> (forced: [Int], conflicts: [Int]) {
    let step = path[later]
    let own = (0..<later).last { path[$0].turn == step.turn }
    var forced = own.map { [$0] } ?? []
    // The last step before which it was not possible has made it possible.
    let impossible = ((own ?? -1) + 1..<later).last { !path[$0].turns.contains(step.turn) }
    if let impossible { forced.append(impossible) }
    let conflicting = (0..<later).filter {
      path[$0].turn != step.turn && !path[$0].footprint.isIndependent(of: step.footprint, conflicts)
    }
    return (forced, conflicting)
  }

  /// Lets a later trial take two racing steps in the reverse order.
  private mutating func reverse(_ earlier: Int, _ later: Int, _ order: HappensBefore) {
    let between = (earlier + 1..<later).filter { !order.isOrdered(earlier, $0) } + [later]
    let first = between.filter { index in
      !between.contains { $0 < index && order.isOrdered($0, index) }
    }
    let node = path[earlier]
    let options = first.compactMap { node.turns.firstIndex(of: path[$0].turn) }
    if options.contains(where: { node.chosen.contains($0) || node.sleeping[node.turns[$0]] != nil })
    {
      return
    }
    if let option = options.first {
      path[earlier].chosen.insert(option)
    } else {
      path[earlier].chosen = Set(node.turns.indices)
    }
  }
}
