import CausewayExploration

/// The steps of a trial, which another run of the same trial must take too.
struct TrialPath: Hashable {
  let nodes: [String]
  let steps: [Scheduler.Step]

  func name(of turn: ScheduleTurn) -> String {
    let node = turn.node < 0 ? "the world" : nodes[turn.node]
    return turn.task == 0 ? node : "task \(turn.task) of \(node)"
  }

  /// A line for each step.
  var lines: [String] {
    steps.map { step in
      let data =
        step.data == 0 ? "" : " with the data \(String(step.data, radix: 16)) of \(step.source)"
      return "\(name(of: step.turn)) at \(step.time)\(data)"
    }
  }

  /// Describes the first step that another run has taken differently; `nil` if there is none.
  func firstDifference(from other: TrialPath) -> String? {
    Self.firstDifference(lines, other.lines)
  }

  static func firstDifference(_ lines: [String], _ others: [String]) -> String? {
    let same = zip(lines, others).prefix { $0 == $1 }.count
    guard same < max(lines.count, others.count) else { return nil }
    func text(_ lines: [String]) -> String {
      lines.indices.contains(same) ? lines[same] : "the end"
    }
    return "Step \(same + 1) was \(text(lines)), and then \(text(others))."
  }
}
