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
    case .action(let action, _): "action \(name(of: action))\(effect)"
    case .update: "update\(effect)"
    case .failure: "error\(effect)"
    }
  }

  /// The name of an action's case; for an action of a child, also the case of the child's action.
  ///
  /// A payload is left out unless its type is an action, because a case of another enum may be a
  /// choice of the user.
  static func name(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "\(type(of: action))" }
    guard let payload = mirror.children.first, let label = payload.label else {
      // A custom description may contain data of the user.
      let hasDescription =
        action is any CustomStringConvertible || action is any CustomDebugStringConvertible
      return hasDescription ? "\(type(of: action))" : "\(action)"
    }
    let parts = Mirror(reflecting: payload.value)
    let values =
      parts.displayStyle == .tuple ? parts.children.map(\.value) : [payload.value]
    guard let child = values.first(where: isAction) else { return label }
    return "\(label).\(name(of: child))"
  }

  private static func isAction(_ value: Any) -> Bool {
    let name = "\(type(of: value))"
    return name.hasSuffix("Action") || name.hasPrefix("PathAction<")
  }

  /// The field at the beginning of a path, because keys and indices of collections may be data.
  static func field(of path: String) -> String {
    let name = path.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? "state" : String(name)
  }
}
