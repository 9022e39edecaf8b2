import SwiftSyntax

/// An `AsyncStream` for callbacks or a task, whose `onTermination` is missing or empty.
///
/// When the consumer stops, the source is not notified. The listener stays registered, the task
/// continues to run, and both retain the objects that they captured.
///
/// Bad:
/// ```swift
/// AsyncStream { continuation in
///   let token = center.observe { continuation.yield($0) }
/// }
/// ```
///
/// Good:
/// ```swift
/// AsyncStream { continuation in
///   let token = center.observe { continuation.yield($0) }
///   continuation.onTermination = { _ in token.cancel() }
/// }
/// ```
///
/// Not reported when the closure itself, or a task without a loop, yields the elements. Such a
/// source ends on its own. Not reported when the closure passes the continuation to a function or
/// stores it in a type that sets `onTermination`. The rule does not check streams from
/// `makeStream`.
enum StreamTermination: Rule {
  static let id = "stream-termination"
  private static let streams: Set<String> = ["AsyncStream", "AsyncThrowingStream"]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard let path = call.calleePath, streams.contains(path),
        let closure = call.closureArgument,
        call.arguments.allSatisfy({ $0.label?.text != "unfolding" }),
        let continuation = closure.parameterNames.first
      else { return nil }
      let settings = closure.descendants(SequenceExprSyntax.self).filter { sequence in
        sequence.elements.first?.path == continuation + ".onTermination"
      }
      let hasSource = closure.descendants(ClosureExprSyntax.self).contains { inner in
        inner.mentions(continuation) && !runsAtOnce(inner) && !isTaskWithoutLoop(inner)
      }
      let isHandedOn = closure.descendants(DeclReferenceExprSyntax.self).contains { reference in
        reference.baseName.text == continuation
          && reference.parent?.is(MemberAccessExprSyntax.self) != true
      }
      if let setting = settings.first {
        guard settings.count == 1, hasSource || isHandedOn,
          let handler = setting.elements.last?.as(ClosureExprSyntax.self),
          handler.statements.isEmpty
        else { return nil }
        return finding(
          at: setting,
          "'onTermination' is empty: nothing stops the source when the consumer stops",
          advice: "cancel the task or remove the listener in the handler")
      }
      guard hasSource, !isHandedOn else { return nil }
      return finding(
        at: call.calledExpression,
        "this '\(path)' has no 'onTermination': its source continues when the consumer stops",
        advice: "set 'onTermination' to cancel the task or remove the listener")
    }
  }

  /// Whether a closure ends before the stream's closure ends, as in functions like `forEach`.
  private static func runsAtOnce(_ closure: ClosureExprSyntax) -> Bool {
    let call =
      closure.parent?.as(FunctionCallExprSyntax.self)
      ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return call?.calleeName.map { KnownNames.inheritingFunctions.contains($0) } ?? false
  }

  /// Whether a closure is the body of a task that ends after its last statement.
  private static func isTaskWithoutLoop(_ closure: ClosureExprSyntax) -> Bool {
    let call =
      closure.parent?.as(FunctionCallExprSyntax.self)
      ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return ["Task", "Task.init", "Task.detached"].contains(call?.calleePath)
      && closure.descendants(ForStmtSyntax.self).isEmpty
      && closure.descendants(WhileStmtSyntax.self).isEmpty
      && closure.descendants(RepeatStmtSyntax.self).isEmpty
      && closure.descendants(ClosureExprSyntax.self).isEmpty
  }
}

extension ClosureExprSyntax {
  /// The names of the parameters; empty without a parameter clause.
  var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let names): names.map { $0.name.text }
    case .parameterClause(let clause):
      clause.parameters.map { ($0.secondName ?? $0.firstName).text }
    default: []
    }
  }
}
