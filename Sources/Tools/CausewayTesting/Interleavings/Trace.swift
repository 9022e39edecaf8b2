import Causeway

/// The order of steps of one trial, for its report.
@MainActor
final class Trace {
  private(set) var lines: [String] = []
  private var label: @MainActor (EffectID, Int) -> String = { $0.label($1) }

  /// Adds the jobs of a run, and uses the effect names of the run.
  func follow<State, Action>(_ run: ControlledRun<State, Action>) {
    label = { [names = run.names] in names.label($0, $1) }
    run.drain.onRun = { [weak self] executor in
      guard let self else { return }
      let name =
        executor.number.map { label(executor.effect, $0) } ?? "the throttle of \(executor.effect)"
      add("\(name) continues")
    }
  }

  func add(_ line: String) {
    lines.append(line)
  }

  func add<State, Action>(_ step: Step<State, Action>) {
    add("  \(step.causeText(naming: label)): \(step.changeText ?? "no change")")
  }

  func add(_ event: EffectEvent) {
    let label = label(event.id, event.number)
    switch event.kind {
    case .began: add("  \(label) begins (requested at \(event.place.shortText))")
    case .ended: add("  \(label) has ended")
    case .cancelled: add("  \(label) is cancelled")
    case .readState: add("  \(label) reads the state")
    }
  }
}
