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
/// In a loop, write `while !Task.isCancelled`, or let the error end the loop. Reported in `while` and
/// `repeat` loops of async functions, of tasks that code cancels and of SwiftUI's `task`, and for the
/// first sleep of a task if the function cancels the earlier task. Not reported when the code checks
/// for cancellation after the sleep, when the loop counts its turns, when the next call can throw, and for tasks that nothing cancels.
enum CancellationSwallowed: Rule {
  static let id = "cancellation-swallowed"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleeName == "sleep", let attempt = call.discardingTry,
        let item = attempt.discardingStatement
      else { return nil }
      if let loop = item.enclosingLoop {
        guard !checksCancellation(loop), !countsTurns(loop), isCancellable(loop, file) else {
          return nil
        }
        return finding(
          at: attempt,
          "after a cancellation this sleep returns at once, and the loop runs without a pause",
          advice: "end the loop if the sleep throws, or check 'Task.isCancelled' in its condition")
      }
      guard let closure = item.parent?.parent?.as(ClosureExprSyntax.self),
        restarts(closure, file),
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        let next = list.first(where: { $0.start > item.start })
      else { return nil }
      let later = list.drop { $0.start <= item.start }
      guard !later.contains(where: { $0.mentions(anyOf: checks) }),
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

  private static let checks: Set<String> = ["isCancelled", "checkCancellation"]

  /// Whether a loop ends after a cancellation, by a check or because a call throws.
  private static func checksCancellation(_ loop: Syntax) -> Bool {
    loop.mentions(anyOf: checks)
      || loop.directDescendants(TryExprSyntax.self).contains { $0.questionOrExclamationMark == nil }
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
        return function.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      guard let closure = ancestor.as(ClosureExprSyntax.self) else { continue }
      if closure.enclosingCall?.calleeName == "task" { return true }
      guard closure.isTask else { return false }
      let endsWithSelf = loop.directDescendants(GuardStmtSyntax.self).contains { statement in
        statement.conditions.contains(where: \.unwrapsSelf)
      }
      return isCancelled(closure, file, besidesDeinit: endsWithSelf)
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

  /// Whether a task replaces one that the same function has cancelled, or SwiftUI does.
  private static func restarts(_ closure: ClosureExprSyntax, _ file: CheckedFile) -> Bool {
    if let call = closure.enclosingCall, call.calleeName == "task" {
      return call.value(labeled: "id") != nil
    }
    guard closure.isTask, let name = closure.taskName, let body = closure.enclosingBody else {
      return false
    }
    return body.cancels(name, before: closure.start)
  }
}

extension FunctionCallExprSyntax {
  /// The `try?` around an awaited call.
  fileprivate var discardingTry: TryExprSyntax? {
    guard let wait = parent?.as(AwaitExprSyntax.self),
      let attempt = wait.parent?.as(TryExprSyntax.self),
      attempt.questionOrExclamationMark?.text == "?"
    else { return nil }
    return attempt
  }
}

extension TryExprSyntax {
  /// The statement, if it uses no value of the expression.
  fileprivate var discardingStatement: CodeBlockItemSyntax? {
    if let item = parent?.as(CodeBlockItemSyntax.self) { return item }
    guard let sequence = parent?.parent?.as(SequenceExprSyntax.self),
      sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) == true
    else { return nil }
    return sequence.parent?.as(CodeBlockItemSyntax.self)
  }
}

extension CodeBlockItemSyntax {
  /// The innermost `while` or `repeat` loop around the statement, in the same function.
  fileprivate var enclosingLoop: Syntax? {
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
  /// Whether the code cancels the task of a variable or a property, before a position if there is one.
  fileprivate func cancels(_ name: String, before end: Int? = nil) -> Bool {
    descendants(MemberAccessExprSyntax.self).contains { access in
      access.declName.baseName.text == "cancel" && access.base?.memberOfSelf == name
        && end.map { access.start < $0 } ?? true
    }
  }
}
