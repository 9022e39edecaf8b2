import CausewaySystem

/// Formats steps, and stores the texts of the actions from outside.
@MainActor
final class ChangePrinter<State: Sendable, Action: Sendable> {
  private let name: String?
  private var origins = RecentTexts()

  nonisolated init(_ name: String?) {
    self.name = name
  }

  func text(of step: Step<State, Action>) -> String {
    var headline = name.map { "\($0), step" } ?? "Step"
    headline += " \(step.number): \(step.causeText)"
    if step.origin == step.number {
      origins.remember(step.causeText, as: step.number)
    } else if let origin = origins.recall(step.origin) {
      headline += ", started by \(origin) in step \(step.origin)"
    } else {
      headline += ", started by step \(step.origin)"
    }
    let lines = Difference(expected: step.before, actual: step.after).lines
    if lines.isEmpty { return "\(headline), changed nothing" }
    var text = lines.prefix(20).reduce(into: headline) { $0 += "\n  \($1.change)" }
    if lines.count > 20 { text += "\n  and \(lines.count - 20) more" }
    return text
  }
}

extension Difference.Line {
  /// Formats a difference as a change from the old value to the new one.
  fileprivate var change: String {
    let place = path.isEmpty ? "state" : path
    return switch (expected, actual) {
    case (let before?, let after?): "\(place): \(before) → \(after)"
    case (let before?, nil): "\(place): removed \(before)"
    case (nil, let after?): "\(place): added \(after)"
    case (nil, nil): place
    }
  }
}
