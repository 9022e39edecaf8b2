import Causeway

/// Finds the changes of one trial whose order counts.
///
/// An update or a handler is a function of the whole state, and the fields that it reads are not
/// visible. But the function can be repeated. This type compares all orders of the changes of a
/// trial on copies of the state: for each set of changes that can have happened, and each two
/// changes that can happen next, both orders must give the same state. Otherwise the two changes
/// conflict. If no two changes conflict, all orders of the trial that respect the known conflicts
/// give the same state, and each effect has the same steps in all of them.
///
/// This is the conditional independence of S. Katz and D. Peled, "Defining Conditional Independence
/// Using Collapses", Theoretical Computer Science 101, 1992, found by executing both orders, as in
/// E. Albert, P. Arenas, M. Gómez de la Banda, M. Gómez-Zamalloa and P. Stuckey, "Context-Sensitive
/// Dynamic Partial Order Reduction", CAV 2017. Those methods use the independence of two steps in a
/// single state. The search of ``OrderSearch`` needs a relation of steps that is the same
/// everywhere: two changes that conflict in any state conflict in all. The relation only grows. If
/// a trial after the first one finds a new conflict, the search starts again. So the last search
/// has one relation from its beginning to its end, and each of its trials was compared with this
/// relation.
///
/// Nothing is left out. Assume that an order is equivalent to no trial. Some beginnings of it are
/// also beginnings of orders that are equivalent to a trial; take the longest. The next step is
/// possible in that trial too, and conflicts with a step that the trial takes earlier; without a
/// conflict it could be moved forward, because both orders were compared in exactly this state. The
/// two steps race, so the search has reversed them. The order is therefore equivalent to a longer
/// beginning, which is a contradiction.
///
/// Each doubt is a conflict: a state that cannot be compared, a change that requests effects in
/// another order, a change that gives another state when it is repeated, and effects of children
/// that can be removed. With too many orders, all changes conflict.
@MainActor
final class ChangeComparison<State> {
  typealias Change = @MainActor (UnsafeMutablePointer<State>) -> Bool

  /// The changes of one step of the search.
  private struct Entry {
    let before: State
    var after: State
    var changes: [Change]
  }

  private var entries: [Int: Entry] = [:]

  /// The limit of the sets of changes in one run.
  private static var setLimit: Int { 1_000 }

  /// Adds a change of a step of the search.
  func add(
    _ change: @escaping Change, step: Int, before: State, after: State
  ) {
    entries[step, default: Entry(before: before, after: after, changes: [])].changes.append(change)
    entries[step]?.after = after
  }

  /// Adds the conflicts of the changes to the search of the trial.
  func findConflicts(in orders: inout OrderSearch) {
    var isNew = true
    while isNew {
      isNew = false
      for run in orders.changeRuns where orders.add(conflicts(in: run)) { isNew = true }
    }
  }

  private func conflicts(in run: ChangeRun) -> ChangeConflicts {
    var found = ChangeConflicts()
    for (step, name) in zip(run.steps, run.names) {
      // The change may depend on more than the state, such as a random number.
      guard let entry = entries[step], let repeated = after(step, from: entry.before),
        SameValue.isSame(repeated, entry.after)
      else {
        found.insert(opaque: name)
        continue
      }
    }
    guard found == ChangeConflicts(), let start = run.steps.first.flatMap({ entries[$0]?.before })
    else { return found }
    var sets: [UInt64: State] = [0: start]
    var count = 0
    while found == ChangeConflicts(), !sets.isEmpty {
      count += sets.count
      if count > Self.setLimit || run.steps.count > 63 {
        found.insertAll()
        return found
      }
      var next: [UInt64: State] = [:]
      for (set, state) in sets {
        compare(run, set, state, &found, &next)
      }
      sets = next
    }
    return found
  }

  /// Compares the orders of each two changes that can follow a set of changes.
  private func compare(
    _ run: ChangeRun, _ set: UInt64, _ state: State, _ found: inout ChangeConflicts,
    _ next: inout [UInt64: State]
  ) {
    var possible: [(position: Int, after: State)] = []
    for position in run.steps.indices {
      let bit: UInt64 = 1 << UInt64(position)
      if set & bit != 0 || run.before[position] & ~set != 0 { continue }
      guard let after = after(run.steps[position], from: state) else {
        found.insert(opaque: run.names[position])
        continue
      }
      for other in possible {
        let ways = (
          self.after(run.steps[position], from: other.after),
          self.after(run.steps[other.position], from: after)
        )
        guard let one = ways.0, let two = ways.1, SameValue.isSame(one, two) else {
          found.insert(run.names[position], run.names[other.position])
          continue
        }
      }
      possible.append((position, after))
      next[set | bit] = after
    }
  }

  /// The state after the changes of a step; `nil` if they do more than change the state.
  private func after(_ step: Int, from state: State) -> State? {
    guard let entry = entries[step] else { return nil }
    var copy = state
    for change in entry.changes {
      if !withUnsafeMutablePointer(to: &copy, { change($0) }) { return nil }
    }
    return copy
  }
}
