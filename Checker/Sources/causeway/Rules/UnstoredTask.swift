import SwiftSyntax

/// A `Task` that waits for elements and is not stored, so no code can cancel it.
///
/// A task that is not stored runs until its work ends. A loop over a stream may never end.
///
/// Bad:
/// ```swift
/// init(stream: AsyncStream<Item>) {
///   Task { for await item in stream { print(item) } }
/// }
/// ```
///
/// Good:
/// ```swift
/// init(stream: AsyncStream<Item>) {
///   task = Task { for await item in stream { print(item) } }
/// }
/// deinit { task.cancel() }
/// ```
///
/// The rule reports only tasks with an endless loop in their own body. Off by default: in apps,
/// such tasks often run until the process ends, on purpose.
enum UnstoredTask: Rule {
  static let id = "unstored-task"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard ["Task", "Task.detached"].contains(call.calleePath),
        let closure = call.closureArgument, let item = call.parent?.as(CodeBlockItemSyntax.self),
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        list.count > 1 || list.parent?.is(ClosureExprSyntax.self) != true,
        file.enclosingType(of: call) != nil,
        !closure.directDescendants(ForStmtSyntax.self).filter(\.mayBeEndless).isEmpty
          || closure.directDescendants(WhileStmtSyntax.self)
            .contains(where: { Syntax($0).isEndlessLoop })
      else { return nil }
      return finding(
        at: call.calledExpression, "this task is not stored, so no code can cancel its loop",
        advice: "store the task and cancel it when its owner is released")
    }
  }
}
