import SwiftSyntax

/// A semaphore or a group that waits for a task.
///
/// The thread waits and can do nothing else. The task may need this thread: a thread of the pool of
/// Swift's tasks, or the main thread if the task needs the main actor. Then the task never gets a
/// thread, and both wait forever.
///
/// Bad:
/// ```swift
/// func save(_ item: Item) {
///   let done = DispatchSemaphore(value: 0)
///   Task { await store.save(item); done.signal() }
///   done.wait()
/// }
/// ```
///
/// Good:
/// ```swift
/// func save(_ item: Item) async {
///   await store.save(item)
/// }
/// ```
///
/// Reported if one function starts a task that signals and waits for the signal. Not reported in the
/// top-level code of a program and in tests.
enum SemaphoreAroundTask: Rule {
  static let id = "semaphore-around-task"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleeName == "wait", let body = call.enclosingBody,
        let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base,
        let name = base.memberOfSelf,
        let maker = file.value(of: base)?.as(FunctionCallExprSyntax.self),
        ["DispatchSemaphore", "DispatchGroup"].contains(maker.calleePath ?? ""),
        call.arguments.first?.expression.trimmedDescription != ".now()"
      else { return nil }
      let signals = body.descendants(ClosureExprSyntax.self).contains { closure in
        closure.isTask && closure.start < call.start
          && !call.ancestors.contains(where: { $0.id == closure.id })
          && closure.descendants(FunctionCallExprSyntax.self).contains { inner in
            ["signal", "leave"].contains(inner.calleeName ?? "")
              && inner.calledExpression.as(MemberAccessExprSyntax.self)?.base?.memberOfSelf == name
          }
      }
      guard signals else { return nil }
      return finding(
        at: call.calledExpression,
        "'\(name)' blocks this thread until a task ends, which may need the thread to run",
        advice: "make the function 'async' and await the work")
    }
  }
}
