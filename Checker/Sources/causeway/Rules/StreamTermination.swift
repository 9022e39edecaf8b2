import SwiftSyntax

/// An `AsyncStream` for callbacks or a task, whose `onTermination` is missing or empty.
///
/// When the consumer stops, nothing tells the source. The listener stays registered, the task
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
/// Also reported: a handler that removes the listener in a new task, if another task registers it.
/// The tasks can run in either order, and a listener that is removed first stays registered. In the
/// handler, wait for the first task, or register and remove the listener without a task.
///
/// Not reported when the closure itself yields the elements. Not reported when a task yields them
/// and ends on its own: it has no `while`, `repeat` or `for await` loop, and no loop over `0...` or
/// `sequence(…)`. Not reported when the closure stores the continuation, or a closure that contains
/// it, in a property. Not reported when the closure passes the continuation to a function and sets
/// no handler. Not reported when the function that makes and consumes the stream stops the source,
/// in a `defer` or after the loop. Not reported when the source stops because `yield` returns
/// `.terminated` or because it checks for cancellation. The rule does not check streams from
/// `makeStream`.
enum StreamTermination: Rule {
  static let id = "stream-termination"
  private static let streams: Set<String> = ["AsyncStream", "AsyncThrowingStream"]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard let path = stream(call),
        let closure = call.closureArgument,
        call.arguments.allSatisfy({ $0.label?.text != "unfolding" }),
        let continuation = closure.parameterNames.first
      else { return nil }
      let settings = closure.descendants(SequenceExprSyntax.self).filter { sequence in
        sequence.elements.first?.path == continuation + ".onTermination"
      }
      let hasSource = closure.descendants(ClosureExprSyntax.self).contains { inner in
        inner.mentions(continuation) && !runsAtOnce(inner)
          && !isTaskThatEnds(inner, continuation)
          && !isStored(inner, in: closure, file)
      }
      let handedOn = closure.descendants(DeclReferenceExprSyntax.self).filter { reference in
        reference.baseName.text == continuation
          && reference.parent?.is(MemberAccessExprSyntax.self) != true
      }
      if let setting = settings.first {
        if let handler = setting.elements.last?.as(ClosureExprSyntax.self),
          isRegisteredInTask(handedOn, in: closure), removesInNewTask(handler)
        {
          return finding(
            at: setting,
            "the listener is registered and removed in separate tasks, which can run in either "
              + "order",
            advice: "wait for the task that registers it, or do both without a task")
        }
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
      guard hasSource, handedOn.isEmpty, !endsItself(closure),
        !isStoppedByFunction(call, closure, continuation)
      else { return nil }
      return finding(
        at: call.calledExpression,
        "this '\(path)' has no 'onTermination': its source continues when the consumer stops",
        advice: "set 'onTermination' to cancel the task or remove the listener")
    }
  }

  /// The type of the stream that a call makes; nil for other calls.
  ///
  /// For `.init { … }` it is the type of the property, the function or the variable.
  private static func stream(_ call: FunctionCallExprSyntax) -> String? {
    guard let path = call.calleePath else { return nil }
    if path != ".init" {
      let name = path.hasSuffix(".init") ? String(path.dropLast(".init".count)) : path
      return streams.contains(name) ? name : nil
    }
    var value = Syntax(call)
    while let parent = value.parent {
      if parent.is(TryExprSyntax.self) || parent.is(ReturnStmtSyntax.self) {
        value = parent
        continue
      }
      if let binding = parent.parent?.as(PatternBindingSyntax.self),
        parent.is(InitializerClauseSyntax.self)
      {
        return stream(binding.typeAnnotation?.type)
      }
      guard let list = parent.parent?.as(CodeBlockItemListSyntax.self),
        parent.is(CodeBlockItemSyntax.self),
        value.is(ReturnStmtSyntax.self) || list.count == 1
      else { return nil }
      return stream(result(of: list))
    }
    return nil
  }

  private static func stream(_ type: TypeSyntax?) -> String? {
    type?.simpleName.flatMap { streams.contains($0) ? $0 : nil }
  }

  /// The type that the function or the property around statements returns.
  private static func result(of list: CodeBlockItemListSyntax) -> TypeSyntax? {
    for ancestor in list.ancestors {
      if let function = ancestor.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause?.type
      }
      if let binding = ancestor.as(PatternBindingSyntax.self) {
        return binding.typeAnnotation?.type
      }
      if ancestor.is(ClosureExprSyntax.self) { return nil }
    }
    return nil
  }

  /// Whether a task passes the continuation to an async function.
  private static func isRegisteredInTask(
    _ handedOn: [DeclReferenceExprSyntax], in closure: ClosureExprSyntax
  ) -> Bool {
    handedOn.contains { reference in
      guard reference.parent?.is(LabeledExprSyntax.self) == true,
        reference.ancestors.contains(where: { $0.is(AwaitExprSyntax.self) }),
        let task = reference.ancestors.first(where: { $0.is(ClosureExprSyntax.self) })?
          .as(ClosureExprSyntax.self)
      else { return false }
      return KnownNames.tasks.contains(task.enclosingCall?.calleePath ?? "")
    }
  }

  /// Whether a handler only starts a task, which does not wait for another task.
  private static func removesInNewTask(_ handler: ClosureExprSyntax) -> Bool {
    handler.statements.count == 1 && !handler.mentions("value")
      && handler.descendants(FunctionCallExprSyntax.self).contains { call in
        KnownNames.tasks.contains(call.calleePath ?? "")
          && call.closureArgument?.statements.directDescendants(AwaitExprSyntax.self).isEmpty
            == false
      }
  }

  /// Whether the source notices that the consumer has stopped.
  private static func endsItself(_ closure: ClosureExprSyntax) -> Bool {
    closure.descendants(DeclReferenceExprSyntax.self).contains { reference in
      switch reference.baseName.text {
      case "terminated": true
      case "checkCancellation", "isCancelled":
        reference.parent?.as(MemberAccessExprSyntax.self)?.base?.path != "Task"
      default: false
      }
    }
  }

  private static let stops: Set<String> = [
    "cancel", "cancelAll", "stop", "invalidate", "finish", "close", "remove", "removeObserver",
    "unregister", "unsubscribe", "disconnect",
  ]

  /// Whether the function around a local stream stops its source, in a `defer` or after the loop.
  private static func isStoppedByFunction(
    _ call: FunctionCallExprSyntax, _ closure: ClosureExprSyntax, _ continuation: String
  ) -> Bool {
    guard
      let item = call.ancestors.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
      item.item.is(VariableDeclSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
    else { return false }
    let references = closure.descendants(DeclReferenceExprSyntax.self).filter { reference in
      // The names of functions say nothing about the source.
      let member = reference.parent?.as(MemberAccessExprSyntax.self)
      let called = member?.declName.id == reference.id ? member.map { Syntax($0) } : nil
      return (called ?? Syntax(reference)).parent?.is(FunctionCallExprSyntax.self) != true
    }
    let names = Set(references.map(\.baseName.text)).subtracting([continuation, "self"])
    return list.contains { other in
      if other.item.is(DeferStmtSyntax.self) { return other.item.mentions(anyOf: names) }
      guard other.start > item.start, other.item.mentions(anyOf: names) else { return false }
      // A child of a task group can be the one that stops the source.
      let own = other.item.as(ExprSyntax.self)?.withoutEffects.as(FunctionCallExprSyntax.self)
      let calls = (own.map { [$0] } ?? []) + other.descendants(FunctionCallExprSyntax.self)
      return calls.contains { call in
        call.calleeName.map(stops.contains) == true && call.calledExpression.mentions(anyOf: names)
          || call.id == own?.id && call.calleeName.map(stops.contains) == true
      }
    }
  }

  /// Whether a property of `self` stores a closure, as it could store the continuation.
  private static func isStored(
    _ inner: ClosureExprSyntax, in closure: ClosureExprSyntax, _ file: CheckedFile
  ) -> Bool {
    guard let sequence = inner.parent?.parent?.as(SequenceExprSyntax.self), sequence.isAssignment,
      let target = sequence.elements.first, let name = target.memberOfSelf,
      target.path == name || target.path == "self." + name, !closure.declaresLocally(name),
      let type = file.enclosingType(of: closure).flatMap({ file.types.entries[$0] })
    else { return false }
    return type.hasStored(name)
  }

  /// Whether a closure ends before the stream's closure ends, as in functions like `forEach`.
  private static func runsAtOnce(_ closure: ClosureExprSyntax) -> Bool {
    let name = closure.enclosingCall?.calleeName
    return name.map { KnownNames.inheritingFunctions.contains($0) } ?? false
  }

  /// Whether a closure is the body of a task that ends after its last statement.
  ///
  /// A loop over a collection ends, while a stream of elements may never end.
  private static func isTaskThatEnds(
    _ closure: ClosureExprSyntax, _ continuation: String
  ) -> Bool {
    let path = closure.enclosingCall?.calleePath ?? ""
    return (KnownNames.tasks.contains(path) || KnownNames.detachedTasks.contains(path))
      && !closure.descendants(ForStmtSyntax.self).contains {
        $0.waitsForElements || mayBeEndless($0.sequence)
      }
      && closure.descendants(WhileStmtSyntax.self).isEmpty
      && closure.descendants(RepeatStmtSyntax.self).isEmpty
      && !closure.descendants(ClosureExprSyntax.self).contains { $0.mentions(continuation) }
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
