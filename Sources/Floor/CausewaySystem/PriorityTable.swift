/// The priorities of the tasks of a schedule; each is drawn when its task is first possible.
package struct PriorityTable<Turn: Hashable> {
  private var known: [Turn: UInt64] = [:]

  package init() {}

  /// Changes the priority of a task.
  package mutating func set(_ priority: UInt64, of turn: Turn) { known[turn] = priority }

  /// Returns the place of the task with the highest priority, the first of several; 0 without tasks.
  ///
  /// Complexity: O(*n*) in the number of tasks.
  ///
  /// - Parameters:
  ///   - turns: The tasks that can go on.
  ///   - draw: Returns the priority of a new task, from the number of tasks before it.
  package mutating func highest(
    in turns: some Sequence<Turn>, draw: (Turn, _ count: Int) -> UInt64
  ) -> Int {
    var best = (place: 0, priority: UInt64(0))
    for (place, turn) in turns.enumerated() {
      let priority: UInt64
      if let old = known[turn] {
        priority = old
      } else {
        priority = draw(turn, known.count)
        known[turn] = priority
      }
      if priority > best.priority { best = (place, priority) }
    }
    return best.place
  }
}
