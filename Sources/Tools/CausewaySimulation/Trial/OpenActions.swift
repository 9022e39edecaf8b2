import CausewayExploration

/// The actions of scripts that have begun and not ended, on nodes that have not crashed since.
struct OpenActions {
  private struct Action {
    let script: Int
    let number: Int
    let node: NodeID
    let began: Duration
    /// The turn of its task; `nil` before the first step.
    var turn: ScheduleTurn?
    var task: Task<Void, Never>?
  }

  private var actions: [Action] = []

  var isEmpty: Bool { actions.isEmpty }

  mutating func begin(_ script: Int, _ number: Int, on node: NodeID, at time: Duration) {
    actions.append(Action(script: script, number: number, node: node, began: time))
  }

  mutating func setTask(_ task: Task<Void, Never>, of script: Int, _ number: Int) {
    guard let place = actions.firstIndex(where: { $0.script == script && $0.number == number })
    else { return }
    actions[place].task = task
  }

  /// Stores the turn of an action's task.
  mutating func setTurn(_ turn: ScheduleTurn?, of script: Int, _ number: Int) {
    guard let place = actions.firstIndex(where: { $0.script == script && $0.number == number })
    else { return }
    actions[place].turn = turn
  }

  mutating func end(_ script: Int, _ number: Int) {
    actions.removeAll { $0.script == script && $0.number == number }
  }

  /// Forgets the actions of a node that has crashed.
  mutating func endAll(on node: NodeID) {
    actions.removeAll { $0.node == node }
  }

  /// Describes each action.
  ///
  /// Complexity: O(*n*) in the number of steps, for each action.
  func texts(nodes: [String], _ scheduler: Scheduler) -> [String] {
    actions.map { action in
      let last = action.turn.flatMap { turn in
        scheduler.lastTime(of: turn).map { ", last step at \($0) in task \(turn.task)" }
      }
      return "action \(action.number) of \(nodes[action.node.index]), begun at \(action.began)"
        + (last ?? "") + Self.place(of: action.task)
    }
  }

  /// Describes where a task waits; empty if this is unknown.
  static func place(of task: Task<Void, Never>?) -> String {
    let functions = task.map { WaitingPlace.functions(of: $0) } ?? []
    return functions.isEmpty ? "" : ", waiting in " + functions.joined(separator: " in ")
  }
}
