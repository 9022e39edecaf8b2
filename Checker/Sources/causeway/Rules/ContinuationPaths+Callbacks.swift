import SwiftSyntax

/// Faults in the code that registers the callbacks of a continuation.
extension ContinuationPaths {
  /// A path through the closure, or through a closure around all callbacks, that registers no
  /// callback.
  static func unanswered(
    around callbacks: [ClosureExprSyntax], in closure: ClosureExprSyntax, _ continuation: String
  ) -> Finding? {
    guard let first = callbacks.first else { return nil }
    let around = first.ancestors.compactMap { $0.as(ClosureExprSyntax.self) }
      .prefix { $0.id != closure.id }
      .filter { outer in callbacks.allSatisfy { $0.ancestors.contains { $0.id == outer.id } } }
      .filter { !isRepeated($0, in: closure) }
    for candidate in around.map(\.self) + [closure] {
      let paths = ResumePaths(
        candidate.statements, continuation, mayThrow: candidate.isTask, countsCallbacks: true)
      guard paths.canEndWithout else { continue }
      return finding(
        at: candidate.signature.map(Syntax.init) ?? Syntax(candidate.leftBrace),
        "a path through this closure registers no callback and does not resume the continuation: "
          + "the caller waits forever",
        advice: "resume it on this path, for example if 'self' is gone")
    }
    return nil
  }

  /// A resume for one state of a connection, if the handler also resumes for another state.
  ///
  /// A connection that is ready can still fail or be cancelled.
  static func repeatedState(
    _ callbacks: [ClosureExprSyntax], _ continuation: String
  ) -> Finding? {
    for callback in callbacks {
      guard let sequence = callback.parent?.parent?.as(SequenceExprSyntax.self),
        sequence.isAssignment,
        let target = sequence.elements.first?.as(MemberAccessExprSyntax.self),
        target.declName.baseName.text == "stateUpdateHandler",
        !callback.mentions("stateUpdateHandler")
      else { continue }
      // A resume under a condition can be the first one.
      let branches = callback.statements.directDescendants(SwitchCaseSyntax.self).filter { branch in
        branch.statements.contains {
          $0.item.as(FunctionCallExprSyntax.self)?.calleePath == continuation + ".resume"
        }
      }
      guard branches.contains(where: { $0.label.mentions("ready") }),
        let other = branches.first(where: { !$0.label.mentions("ready") }),
        let call = other.statements.directDescendants(FunctionCallExprSyntax.self).first(where: {
          $0.calleePath == continuation + ".resume"
        })
      else { continue }
      return finding(
        at: call,
        "the handler is called for each state: this resumes the continuation again after 'ready', "
          + "and a second resume traps",
        advice: "set 'stateUpdateHandler' to nil before the resume, or check a flag under a lock")
    }
    return nil
  }

  /// A closure for failures without a resume, beside a closure that resumes.
  static func silentSibling(
    of callbacks: [ClosureExprSyntax], _ continuation: String
  ) -> Finding? {
    for callback in callbacks {
      guard let call = callback.enclosingCall else { continue }
      let arguments = call.arguments.map { ($0.label?.text ?? "", $0.expression) }
      let trailing = call.additionalTrailingClosures.map {
        ($0.label.text, ExprSyntax($0.closure))
      }
      for (label, expression) in arguments + trailing {
        guard let closure = expression.as(ClosureExprSyntax.self), closure.id != callback.id,
          ["fail", "error", "cancel"].contains(where: label.lowercased().contains),
          !closure.mentions(continuation)
        else { continue }
        return finding(
          at: closure.signature.map(Syntax.init) ?? Syntax(closure.leftBrace),
          "this closure does not resume the continuation, as the other closure of the call does: "
            + "the caller waits forever",
          advice: "resume it exactly once on every path")
      }
    }
    return nil
  }

  /// A resume after a callback that always resumes.
  ///
  /// Reported if the resume is unconditional, or if it runs when a method of the callback's object
  /// returns false: `if !session.start() { continuation.resume(…) }`.
  static func resumeBesideCallback(
    _ callbacks: [ClosureExprSyntax], in closure: ClosureExprSyntax, _ continuation: String
  ) -> Finding? {
    let statements = Array(closure.statements)
    let index = statements.firstIndex { statement in
      !statement.item.is(StmtSyntax.self) && !statement.item.is(IfExprSyntax.self)
        && callbacks.contains { callback in
          callback.ancestors.contains { $0.id == statement.id }
            && !ResumePaths(callback.statements, continuation).canEndWithout
        }
    }
    guard let index else { return nil }
    let owner = statements[index].item.as(VariableDeclSyntax.self)?.boundNames.first
    for statement in statements[(index + 1)...] {
      guard let resume = secondResume(in: statement, of: owner, continuation) else { continue }
      return finding(
        at: resume,
        "the callback also resumes the continuation, and a second resume traps",
        advice: "leave the resume to the callback")
    }
    return nil
  }

  /// A task that sleeps, a delayed block or the handler of a cancellation that resumes beside a
  /// callback that always resumes.
  static func timeoutBesideCallback(
    _ callbacks: [ClosureExprSyntax], in closure: ClosureExprSyntax, _ continuation: String
  ) -> Finding? {
    let resume = continuation + ".resume"
    for timeout in callbacks {
      let isDelayed = timeout.enclosingCall?.calleeName == "asyncAfter"
      let isSleep = timeout.isTask && timeout.statements.contains { $0.isSleep }
      // The callback can cancel the timeout.
      guard isDelayed || isSleep && !closure.mentions("cancel") || timeout.isCancellationHandler,
        let last = timeout.statements.last?.item.as(FunctionCallExprSyntax.self),
        last.calleePath == resume
      else { continue }
      let others = callbacks.filter { other in
        other.id != timeout.id && !other.ancestors.contains { $0.id == timeout.id }
          && !timeout.ancestors.contains { $0.id == other.id }
      }
      guard others.contains(where: { !ResumePaths($0.statements, continuation).canEndWithout })
      else { continue }
      return finding(
        at: last,
        "a callback also resumes the continuation, before or after this "
          + (timeout.isCancellationHandler ? "cancellation" : "timeout")
          + ", and a second resume traps",
        advice: "take the continuation out of a lock, so only the first of both resumes it")
    }
    return nil
  }

  private static func secondResume(
    in statement: CodeBlockItemSyntax, of owner: String?, _ continuation: String
  ) -> FunctionCallExprSyntax? {
    let resume = continuation + ".resume"
    if let call = statement.item.as(FunctionCallExprSyntax.self) {
      return call.calleePath == resume ? call : nil
    }
    let body: CodeBlockSyntax
    let condition: ExprSyntax?
    if let check = statement.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self) {
      body = check.body
      let negated = check.conditions.onlyExpression?.as(PrefixOperatorExprSyntax.self)
      condition = negated?.operator.text == "!" ? negated?.expression : nil
    } else if let check = statement.item.as(GuardStmtSyntax.self) {
      body = check.body
      condition = check.conditions.onlyExpression
    } else {
      return nil
    }
    guard let owner, let call = condition?.as(FunctionCallExprSyntax.self),
      call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.path == owner
    else { return nil }
    return body.directDescendants(FunctionCallExprSyntax.self).first { $0.calleePath == resume }
  }
}

extension ConditionElementListSyntax {
  /// The expression of a list with one condition.
  fileprivate var onlyExpression: ExprSyntax? {
    guard count == 1, case .expression(let expression) = first?.condition else { return nil }
    return expression
  }
}

extension ClosureExprSyntax {
  /// Whether the closure is the handler of `withTaskCancellationHandler`.
  fileprivate var isCancellationHandler: Bool {
    let label =
      parent?.as(MultipleTrailingClosureElementSyntax.self)?.label.text
      ?? parent?.as(LabeledExprSyntax.self)?.label?.text
    return label == "onCancel" && enclosingCall?.calleeName == "withTaskCancellationHandler"
  }

  /// Whether the closure is the body of a task, whose errors nothing handles.
  var isTask: Bool {
    let path = enclosingCall?.calleePath ?? ""
    return KnownNames.tasks.contains(path) || KnownNames.detachedTasks.contains(path)
  }
}

extension CodeBlockItemSyntax {
  /// Whether the statement waits for some time.
  fileprivate var isSleep: Bool {
    directDescendants(FunctionCallExprSyntax.self).contains { $0.calleeName == "sleep" }
  }
}
