/// The texts of one step in a log.
struct StepLine: Sendable {
  /// The step without values: names of cases and fields, and numbers.
  let names: String
  /// The payload of the action, the id of the effect and the changed values.
  var values: String { makeValues() }
  private let makeValues: @Sendable () -> String

  init<State, Action>(_ step: Step<State, Action>) {
    let changes = Difference(expected: step.before, actual: step.after).lines
    var names = "step \(step.number): \(Self.cause(of: step))"
    if step.origin != step.number { names += ", started by step \(step.origin)" }
    var fields: [String] = []
    for change in changes {
      let field = Self.field(of: change.path)
      if !fields.contains(field) { fields.append(field) }
    }
    names += fields.isEmpty ? ", changed nothing" : ", changed \(fields.joined(separator: ", "))"
    self.names = names
    makeValues = {
      "(\(step.causeText)\(Step<State, Action>.text(of: changes).map { "; \($0)" } ?? ""))"
    }
  }

  private static func cause<State, Action>(of step: Step<State, Action>) -> String {
    let effect = step.effectNumber.map { " from effect #\($0)" } ?? ""
    return switch step.cause {
    case .action(let action, _): "action \(CaseNames.of(action))\(effect)"
    case .update: "update\(effect)"
    case .failure: "error\(effect)"
    }
  }

  /// The field at the beginning of a path; the rest may contain keys that are data of the user.
  static func field(of path: String) -> String {
    let name = path.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? "state" : String(name)
  }
}
