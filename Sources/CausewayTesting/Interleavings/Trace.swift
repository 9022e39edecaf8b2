import Causeway

/// The order of steps of one trial, for its report.
@MainActor
final class Trace {
  private(set) var lines: [String] = []

  func add(_ line: String) {
    lines.append(line)
  }

  func add<State, Action>(_ step: Step<State, Action>) {
    let changes = Difference(expected: step.before, actual: step.after).lines.prefix(4).map {
      "\($0.path.isEmpty ? "state" : $0.path): \($0.expected ?? "–") → \($0.actual ?? "–")"
    }
    let change = changes.isEmpty ? "no change" : changes.joined(separator: ", ")
    add("  \(step.cause.text): \(change)")
  }

  func add(_ event: EffectEvent) {
    let label = EffectActivity.label(event.id, event.number)
    switch event.kind {
    case .began: add("  \(label) begins (asked for at \(event.place))")
    case .ended: add("  \(label) has ended")
    case .cancelled: add("  \(label) is cancelled")
    }
  }
}
