import SwiftSyntax

/// A task group that gets children in an endless loop and never takes their results.
///
/// A group keeps each finished child until its result is taken. In an endless loop, memory grows with
/// each element.
///
/// Bad:
/// ```swift
/// await withTaskGroup(of: Void.self) { group in
///   for await request in requests { group.addTask { await answer(request) } }
/// }
/// ```
///
/// Good:
/// ```swift
/// await withDiscardingTaskGroup { group in
///   for await request in requests { group.addTask { await answer(request) } }
/// }
/// ```
///
/// Reported for `for await` over anything except a group or a file, for `while let` with an
/// `await`, and for loops whose condition is `true` or `!Task.isCancelled`. Not reported when the
/// loop takes a result with `next`, or waits for all children.
enum UndrainedGroup: Rule {
  static let id = "undrained-group"
  private static let takes: Set<String> = ["next", "nextResult", "waitForAll", "isEmpty"]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard ["withTaskGroup", "withThrowingTaskGroup"].contains(call.calleePath ?? ""),
        let closure = call.closureArgument, let group = closure.parameterNames.first
      else { return nil }
      for add in closure.statements.directDescendants(FunctionCallExprSyntax.self) {
        guard KnownNames.childTasks.contains(add.calleeName ?? ""),
          add.calledExpression.as(MemberAccessExprSyntax.self)?.base?.path == group,
          let loop = endlessLoop(around: add, in: closure), !isDrained(group, in: loop)
        else { continue }
        return finding(
          at: add.calledExpression,
          "the group keeps each finished child, and this endless loop never takes one",
          advice: "use 'withDiscardingTaskGroup', or take results with 'next' in the loop")
      }
      return nil
    }
  }

  private static func endlessLoop(
    around call: FunctionCallExprSyntax, in closure: ClosureExprSyntax
  ) -> Syntax? {
    for ancestor in call.ancestors {
      if ancestor.id == closure.id { return nil }
      if let branch = ancestor.as(IfExprSyntax.self), branch.runsOnce { return nil }
      if let loop = ancestor.as(ForStmtSyntax.self), loop.waitsForElements { return ancestor }
      if let loop = ancestor.as(WhileStmtSyntax.self),
        loop.body.directDescendants(BreakStmtSyntax.self).isEmpty,
        ["true", "!Task.isCancelled"].contains(loop.conditions.trimmedDescription)
          || loop.takesElements
      {
        return ancestor
      }
      if ancestor.is(RepeatStmtSyntax.self), ancestor.isEndlessLoop { return ancestor }
    }
    return nil
  }

  private static func isDrained(_ group: String, in loop: Syntax) -> Bool {
    let isTaken = loop.directDescendants(MemberAccessExprSyntax.self).contains { access in
      access.base?.path == group && takes.contains(access.declName.baseName.text)
    }
    // The code can pass the group to a function that takes the results.
    let isPassed = loop.directDescendants(InOutExprSyntax.self).contains {
      $0.expression.path == group
    }
    return isTaken || isPassed
      || loop.directDescendants(ForStmtSyntax.self).contains { $0.sequence.path == group }
  }
}

extension WhileStmtSyntax {
  /// Whether the loop awaits an element for each turn: `while let request = await next()`.
  fileprivate var takesElements: Bool {
    conditions.contains { element in
      let binding = element.condition.as(OptionalBindingConditionSyntax.self)
      return binding?.initializer?.value.suspends == true
    }
  }
}

extension IfExprSyntax {
  /// Whether the body sets what the condition checks: `if !hasConsumer { hasConsumer = true; … }`.
  fileprivate var runsOnce: Bool {
    body.directDescendants(SequenceExprSyntax.self).contains { sequence in
      guard sequence.isAssignment, let name = sequence.elements.first?.memberOfSelf else {
        return false
      }
      return conditions.mentions(name)
    }
  }
}
