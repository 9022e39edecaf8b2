import SwiftSyntax

/// An `AsyncStream` that bridges callbacks or a task without `onTermination`, or with an empty one.
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
/// Not reported when the closure yields its elements itself, passes the continuation to a function,
/// or stores it in a type that sets `onTermination`. The rule does not check streams from
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
      if let setting = settings.first {
        guard settings.count == 1,
          let handler = setting.elements.last?.as(ClosureExprSyntax.self),
          handler.statements.isEmpty
        else { return nil }
        return finding(
          at: setting,
          "'onTermination' is empty: nothing stops the source when the consumer stops",
          advice: "cancel the task or remove the listener in it")
      }
      guard isBridge(closure, continuation, in: file) else { return nil }
      return finding(
        at: call.calledExpression,
        "this '\(path)' has no 'onTermination': its source goes on when the consumer stops",
        advice: "set 'onTermination' to cancel the task or remove the listener")
    }
  }

  /// Whether a nested closure yields, and no other code may set the handler.
  private static func isBridge(
    _ closure: ClosureExprSyntax, _ continuation: String, in file: CheckedFile
  ) -> Bool {
    let nested = closure.descendants(ClosureExprSyntax.self).filter { inner in
      inner.mentions(continuation) && !runsAtOnce(inner)
    }
    guard !nested.isEmpty else { return false }
    let references = closure.descendants(DeclReferenceExprSyntax.self)
      .filter { $0.baseName.text == continuation }
    return references.allSatisfy { reference in
      reference.parent?.is(MemberAccessExprSyntax.self) == true
    }
  }

  /// Whether a closure ends before the stream's closure ends, as in functions like `forEach`.
  private static func runsAtOnce(_ closure: ClosureExprSyntax) -> Bool {
    let call =
      closure.parent?.as(FunctionCallExprSyntax.self)
      ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return call?.calleeName.map { KnownNames.inheritingFunctions.contains($0) } ?? false
  }
}

extension ClosureExprSyntax {
  /// The names of the parameters; without a parameter clause there are none.
  var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let names): names.map { $0.name.text }
    case .parameterClause(let clause):
      clause.parameters.map { ($0.secondName ?? $0.firstName).text }
    default: []
    }
  }
}
