import Causeway

/// The order of steps of one trial, for its report.
@MainActor
final class Trace {
  private(set) var lines: [String] = []

  func add(_ line: String) {
    lines.append(line)
  }

  func add<State, Action>(_ step: Step<State, Action>) {
    add("  \(step.causeText): \(step.changeText ?? "no change")")
  }

  func add(_ event: EffectEvent) {
    let label = event.id.label(event.number)
    switch event.kind {
    case .began: add("  \(label) begins (asked for at \(event.place))")
    case .ended: add("  \(label) has ended")
    case .cancelled: add("  \(label) is cancelled")
    }
  }
}
