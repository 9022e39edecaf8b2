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
/// Not reported when the closure itself yields the elements, or a task that ends on its own: it has
/// no `while`, `repeat` or `for await` loop, and no loop over `0...` or `sequence(…)`. Not reported
/// when the closure stores the continuation, or passes it to a function and sets no handler. The
/// rule does not check streams from `makeStream`.
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
        inner.mentions(continuation) && !runsAtOnce(inner) && !isTaskThatEnds(inner)
      }
      let handedOn = closure.descendants(DeclReferenceExprSyntax.self).filter { reference in
        reference.baseName.text == continuation
          && reference.parent?.is(MemberAccessExprSyntax.self) != true
      }
      if let setting = settings.first {
        // The type that stores a continuation can outlive the consumer on purpose.
        let isArgument = handedOn.contains { $0.parent?.is(LabeledExprSyntax.self) == true }
        guard settings.count == 1, hasSource || isArgument,
          let handler = setting.elements.last?.as(ClosureExprSyntax.self),
          handler.statements.isEmpty
        else { return nil }
        return finding(
          at: setting,
          "'onTermination' is empty: nothing stops the source when the consumer stops",
          advice: "cancel the task or remove the listener in the handler")
      }
      guard hasSource, handedOn.isEmpty else { return nil }
      return finding(
        at: call.calledExpression,
        "this '\(path)' has no 'onTermination': its source continues when the consumer stops",
        advice: "set 'onTermination' to cancel the task or remove the listener")
    }
  }

  /// Whether a closure ends before the stream's closure ends, as in functions like `forEach`.
  private static func runsAtOnce(_ closure: ClosureExprSyntax) -> Bool {
    let name = closure.enclosingCall?.calleeName
    return name.map { KnownNames.inheritingFunctions.contains($0) } ?? false
  }

  /// Whether a closure is the body of a task that ends after its last statement.
  ///
  /// A loop over a collection ends, while a stream of elements may never end.
  private static func isTaskThatEnds(_ closure: ClosureExprSyntax) -> Bool {
    let path = closure.enclosingCall?.calleePath ?? ""
    return (KnownNames.tasks.contains(path) || KnownNames.detachedTasks.contains(path))
      && !closure.descendants(ForStmtSyntax.self).contains {
        $0.isAsync || mayBeEndless($0.sequence)
      }
      && closure.descendants(WhileStmtSyntax.self).isEmpty
      && closure.descendants(RepeatStmtSyntax.self).isEmpty
      && closure.descendants(ClosureExprSyntax.self).isEmpty
  }

  /// Whether an expression is a range such as `0...` or a call of `sequence`.
  private static func mayBeEndless(_ expression: ExprSyntax) -> Bool {
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first.map { mayBeEndless($0.expression) } ?? false
    }
    if let range = expression.as(PostfixOperatorExprSyntax.self) {
      return range.operator.text == "..."
    }
    return expression.as(FunctionCallExprSyntax.self)?.calleePath == "sequence"
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
