import SwiftSyntax

/// A loop that only calls `Task.yield()` until a condition changes.
///
/// `yield` returns at once if no other task waits, so the loop uses a whole core. On a thread of the
/// cooperative pool it can also keep the awaited work from running.
///
/// Bad:
/// ```swift
/// while !isReady { await Task.yield() }
/// ```
///
/// Good:
/// ```swift
/// await withCheckedContinuation { waiters.append($0) }
/// ```
///
/// Reported for `while` and `repeat` loops without other statements, except those that end the
/// loop. Not reported for loops with a fixed number of turns, for loops that count their turns or
/// look at a clock, and in tests and benchmarks.
enum YieldSpin: Rule {
  static let id = "yield-spin"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleePath == "Task.yield",
        let item = call.ancestors.first(where: { $0.is(CodeBlockItemSyntax.self) }),
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        list.allSatisfy({ $0.id == item.id || $0.onlyLeaves }),
        let loop = list.parent?.parent, condition(of: loop) != nil, !isBounded(loop)
      else { return nil }
      return finding(
        at: call.calledExpression,
        "this loop only yields until its condition changes, and uses a whole core",
        advice: "wait for an event: a continuation, a stream, or the task that does the work")
    }
  }

  private static func condition(of loop: Syntax) -> Syntax? {
    if let loop = loop.as(WhileStmtSyntax.self) { return Syntax(loop.conditions) }
    return loop.as(RepeatStmtSyntax.self).map { Syntax($0.condition) }
  }

  /// Whether a loop compares numbers or times, so that it ends after a while.
  private static func isBounded(_ loop: Syntax) -> Bool {
    loop.descendants(BinaryOperatorExprSyntax.self).contains {
      ["<", ">", "<=", ">="].contains($0.operator.text)
    }
  }
}

extension CodeBlockItemSyntax {
  /// Whether the statement only decides whether the loop ends: `if isReady { break }`.
  fileprivate var onlyLeaves: Bool {
    let check = item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
    let branch = check.flatMap { $0.elseBody == nil ? $0.body : nil }
    let body = branch ?? item.as(GuardStmtSyntax.self)?.body
    guard body?.statements.count == 1, let last = body?.statements.first?.item else {
      return false
    }
    return last.is(BreakStmtSyntax.self) || last.is(ReturnStmtSyntax.self)
  }
}
