import SwiftSyntax

/// `DispatchQueue.main.async` in code that is on the main actor.
///
/// The closure runs later, after other work that waits for the main actor, and outside the task.
/// Cancelling the task does not cancel the closure, and the closure cannot return a result or an
/// error to the task. `sync` deadlocks.
///
/// Bad:
/// ```swift
/// @MainActor
/// func show(_ items: [Item]) {
///   DispatchQueue.main.async { self.items = items }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func show(_ items: [Item]) {
///   self.items = items
/// }
/// ```
///
/// There is no automatic fix, because code can depend on running in a later turn. `Task { }` states
/// this intention, and `Task.sleep` replaces `asyncAfter`.
enum MainQueueHop: Rule {
  static let id = "main-queue-hop"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard let path = call.calleePath, path.hasPrefix("DispatchQueue.main."),
        ["async", "sync", "asyncAfter"].contains(call.calleeName ?? ""),
        call.closureArgument != nil, file.isolation(at: call) == .mainActor
      else { return nil }
      let isSync = call.calleeName == "sync"
      return finding(
        at: call.calledExpression,
        isSync
          ? "'\(path)' deadlocks: this code is on the main actor"
          : "'\(path)' in code on the main actor only makes it run later, outside of the task",
        advice: call.calleeName == "asyncAfter"
          ? "use 'Task' and 'Task.sleep', which can be cancelled"
          : "call it directly, or start a 'Task' when it is to run a turn later")
    }
  }
}
