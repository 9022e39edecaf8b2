import SwiftSyntax

/// `try? await Task.sleep` in a loop or a debounce, which continues after a cancellation.
///
/// In a cancelled task, the sleep returns at once, and `try?` discards the error. A loop then runs
/// without a pause until something else ends it, and a debounced action runs at once instead of never.
///
/// Bad:
/// ```swift
/// task?.cancel()
/// task = Task {
///   try? await Task.sleep(for: .milliseconds(300))
///   await search(text)
/// }
/// ```
///
/// Good:
/// ```swift
/// task?.cancel()
/// task = Task {
///   do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
///   await search(text)
/// }
/// ```
///
/// In a loop, write `while !Task.isCancelled`, or let the error end the loop. Reported in `while`
/// and `repeat` loops of SwiftUI's `task` and of tasks that code cancels and starts again. Loops
/// without another condition are also reported in tasks that code only cancels and in async
/// functions. Also reported for the first sleep of a task, if the function cancels the earlier
/// task: itself, in a method or in an observer of the property. A `do` whose `catch` only continues
/// is like `try?`. Not reported when the code checks for cancellation after the sleep, when the
/// loop counts its turns, when the next call can throw, and for tasks that nothing cancels. Not
/// reported in command-line tools, which end instead of cancelling tasks. These are files that call
/// `exit` or import `ArgumentParser`, and folders with `CLI` in their name.
enum CancellationSwallowed: Rule {
  static let id = "cancellation-swallowed"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest, !file.isCommandLine else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleeName == "sleep", let attempt = call.discardingAttempt,
        let item = attempt.discardingStatement
      else { return nil }
      if let loop = item.enclosingLoop {
        guard !endsEarly(loop), isCancellable(loop, file) else { return nil }
        return finding(
          at: attempt,
          "after a cancellation this sleep returns at once, and the loop runs without a pause",
          advice: "end the loop if the sleep throws, or check 'Task.isCancelled' in its condition")
      }
      guard let item = item.inTask, let list = item.parent?.as(CodeBlockItemListSyntax.self),
        let closure = list.parent?.as(ClosureExprSyntax.self), restarts(closure, file),
        let next = list.first(where: { $0.start > item.start })
      else { return nil }
      let later = list.drop { $0.start <= item.start }
      guard !later.contains(where: \.checksCancellation), !next.comparesState,
        next.directDescendants(TryExprSyntax.self).allSatisfy({
          $0.questionOrExclamationMark != nil
        })
      else { return nil }
      return finding(
        at: attempt,
        "after a cancellation this sleep returns at once, and the code after it runs nevertheless",
        advice: "return if the sleep throws, or check 'Task.isCancelled' after it")
    }
  }

  /// Whether a loop ends after a cancellation, or after a number of turns.
  static func endsEarly(_ loop: Syntax) -> Bool { endsIfCancelled(loop) || countsTurns(loop) }

  /// Whether a loop ends after a cancellation, by a check or because a call throws.
  private static func endsIfCancelled(_ loop: Syntax) -> Bool {
    loop.checksCancellation
      || loop.directDescendants(TryExprSyntax.self).contains { attempt in
        attempt.questionOrExclamationMark == nil && !attempt.isCaughtAndIgnored(in: loop)
      }
  }

  /// Whether the condition of a loop has a counter that its body increases.
  private static func countsTurns(_ loop: Syntax) -> Bool {
    let condition: Syntax? =
      loop.as(WhileStmtSyntax.self).map { Syntax($0.conditions) }
      ?? loop.as(RepeatStmtSyntax.self).map { Syntax($0.condition) }
    guard let condition else { return false }
    return loop.directDescendants(SequenceExprSyntax.self).contains { sequence in
      let symbol = sequence.elements.dropFirst().first?.as(BinaryOperatorExprSyntax.self)
      guard ["+=", "-="].contains(symbol?.operator.text), let name = sequence.elements.first?.path
      else { return false }
      return condition.mentions(name)
    }
  }

  private static func isCancellable(_ loop: Syntax, _ file: CheckedFile) -> Bool {
    for ancestor in loop.ancestors {
      if let function = ancestor.as(FunctionDeclSyntax.self) {
        return loop.isWithoutCondition
          && function.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      guard let closure = ancestor.as(ClosureExprSyntax.self) else { continue }
      if closure.enclosingCall?.calleeName == "task" { return true }
      guard closure.isTask else { return false }
      let endsWithSelf = loop.directDescendants(GuardStmtSyntax.self).contains { statement in
        statement.conditions.contains(where: \.unwrapsSelf)
      }
      // A flag in the condition usually changes with the cancellation, except if the task restarts.
      return isCancelled(closure, file, besidesDeinit: endsWithSelf)
        && (loop.isWithoutCondition || restarts(closure, file))
    }
    return false
  }

  /// Whether code of the type or of the function cancels the task with a closure.
  private static func isCancelled(
    _ closure: ClosureExprSyntax, _ file: CheckedFile, besidesDeinit: Bool
  ) -> Bool {
    guard let name = closure.taskName else { return false }
    let members: [Syntax] =
      file.enclosingType(of: closure).flatMap { file.types.entries[$0] }?.everyMember
      .map { Syntax($0.decl) } ?? []
    let places = members + (closure.enclosingBody.map { [$0] } ?? [])
    return places.contains { place in
      !(besidesDeinit && place.is(DeinitializerDeclSyntax.self)) && place.cancels(name)
    }
  }

  /// Whether the same function, or SwiftUI, cancels the earlier task that a task replaces.
  private static func restarts(_ closure: ClosureExprSyntax, _ file: CheckedFile) -> Bool {
    if let call = closure.enclosingCall, call.calleeName == "task" {
      return call.value(labeled: "id") != nil
    }
    guard closure.isTask, let name = closure.taskName, let body = closure.enclosingBody else {
      return false
    }
    if body.cancels(name, before: closure.start) { return true }
    guard let type = file.enclosingType(of: closure).flatMap({ file.types.entries[$0] }) else {
      return false
    }
    return type.everyMember.contains { member in
      // The observer of the property cancels the earlier task.
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        return variable.boundNames == [name] && variable.mentions("cancel")
      }
      guard let function = member.decl.as(FunctionDeclSyntax.self), function.body != nil,
        Syntax(function).cancels(name), Syntax(function).id != body.id
      else { return false }
      return body.descendants(FunctionCallExprSyntax.self).contains {
        $0.start < closure.start && $0.calledExpression.memberOfSelf == function.name.text
      }
    }
  }
}

extension FunctionCallExprSyntax {
  /// The `try?` around an awaited call, or the `try` in a `do` that ignores the error.
  var discardingAttempt: TryExprSyntax? {
    guard let wait = parent?.as(AwaitExprSyntax.self),
      let attempt = wait.parent?.as(TryExprSyntax.self)
    else { return nil }
    if attempt.questionOrExclamationMark?.text == "?" { return attempt }
    return attempt.questionOrExclamationMark == nil && attempt.onlyAttempt != nil ? attempt : nil
  }
}

extension TryExprSyntax {
  /// The statement, if it uses no value of the expression.
  var discardingStatement: CodeBlockItemSyntax? {
    if let attempt = onlyAttempt { return attempt }
    if let item = parent?.as(CodeBlockItemSyntax.self) { return item }
    guard let sequence = parent?.parent?.as(SequenceExprSyntax.self),
      sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) == true
    else { return nil }
    return sequence.parent?.as(CodeBlockItemSyntax.self)
  }

  /// The `do` that has only this statement and continues after each error.
  fileprivate var onlyAttempt: CodeBlockItemSyntax? {
    guard questionOrExclamationMark == nil, let item = parent?.as(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      let attempt = list.parent?.parent?.as(DoStmtSyntax.self),
      attempt.catchClauses.first?.catchItems.isEmpty == true,
      attempt.catchClauses.allSatisfy({ !$0.body.leaves })
    else { return nil }
    return attempt.parent?.as(CodeBlockItemSyntax.self)
  }

  /// Whether a `do` in a loop catches each error and continues.
  fileprivate func isCaughtAndIgnored(in loop: Syntax) -> Bool {
    ancestors.prefix { $0.id != loop.id }.contains { ancestor in
      guard let attempt = ancestor.as(DoStmtSyntax.self), start < attempt.body.end,
        let last = attempt.catchClauses.last
      else { return false }
      return last.catchItems.isEmpty && attempt.catchClauses.allSatisfy { !$0.body.leaves }
    }
  }
}

extension Syntax {
  /// Whether only statements in the loop end it: `while true`, and `while let self`.
  var isWithoutCondition: Bool {
    if let loop = self.as(RepeatStmtSyntax.self) {
      return loop.condition.trimmedDescription == "true"
    }
    return self.as(WhileStmtSyntax.self)?.conditions.allSatisfy {
      $0.unwrapsSelf || $0.condition.trimmedDescription == "true"
    } == true
  }
}

extension CodeBlockSyntax {
  /// Whether the block can leave the code around it.
  fileprivate var leaves: Bool {
    mentions(anyOf: ["return", "throw", "break", "continue", "isCancelled"])
  }
}

extension CodeBlockItemSyntax {
  /// Whether the statement returns if something has changed: `guard toast?.id == id else { return }`.
  fileprivate var comparesState: Bool {
    item.as(GuardStmtSyntax.self)?.conditions.contains { element in
      guard case .expression = element.condition else { return false }
      return true
    } == true
  }

  /// The statement of a task's body that is this statement or contains it, with at most an `if`
  /// between.
  fileprivate var inTask: CodeBlockItemSyntax? {
    guard let block = parent?.parent else { return nil }
    if block.is(ClosureExprSyntax.self) { return self }
    guard block.parent?.is(IfExprSyntax.self) == true,
      parent?.as(CodeBlockItemListSyntax.self)?.last?.id == id,
      let outer = block.ancestors.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
      outer.parent?.parent?.is(ClosureExprSyntax.self) == true
    else { return nil }
    return outer
  }

  /// The innermost `while` or `repeat` loop around the statement, in the same function.
  var enclosingLoop: Syntax? {
    for ancestor in ancestors {
      switch ancestor.kind {
      case .whileStmt, .repeatStmt: return ancestor
      case .closureExpr, .functionDecl, .initializerDecl, .accessorDecl, .forStmt: return nil
      default: break
      }
    }
    return nil
  }
}

extension ClosureExprSyntax {
  /// The variable or property that holds the task with this closure.
  fileprivate var taskName: String? {
    guard let call = enclosingCall else { return nil }
    if let binding = call.parent?.parent?.as(PatternBindingSyntax.self) {
      return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    }
    guard let sequence = call.parent?.parent?.as(SequenceExprSyntax.self), sequence.isAssignment
    else { return nil }
    return sequence.elements.first?.memberOfSelf
  }
}

extension Syntax {
  /// Whether the code cancels the task of a variable or a property, before the position `end`.
  fileprivate func cancels(_ name: String, before end: Int? = nil) -> Bool {
    descendants(MemberAccessExprSyntax.self).contains { access in
      access.declName.baseName.text == "cancel" && access.base?.memberOfSelf == name
        && end.map { access.start < $0 } ?? true
    }
  }
}
