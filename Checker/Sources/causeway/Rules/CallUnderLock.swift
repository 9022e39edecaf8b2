import SwiftSyntax

/// A continuation, a task's `cancel` or a callback that is called while a lock is held.
///
/// `yield`, `finish` and `resume` need the status lock of the waiting task. A cancellation holds
/// the status lock while it runs `onTermination` and `onCancel`. If these handlers need the lock
/// that the caller of `yield` holds, both threads wait for each other forever. `cancel` runs the
/// handlers on the thread that calls it, and a callback can need any lock.
///
/// Bad:
/// ```swift
/// func send(_ value: Int) {
///   state.withLock { state in
///     for continuation in state.continuations.values { continuation.yield(value) }
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// func send(_ value: Int) {
///   let continuations = state.withLock { Array($0.continuations.values) }
///   for continuation in continuations { continuation.yield(value) }
/// }
/// ```
///
/// Reported in the closures of functions such as `withLock`, and between `lock()` and `unlock()`.
/// The call can also be in a function of the module that this code calls. A callback is a stored
/// closure, or an `@escaping` parameter, that returns nothing. Not reported when the module does
/// not state the type of the called value, except for names that end in "continuation". Not
/// reported for closures of async locks, or for code that runs later, such as the body of a
/// `Task`. Off by default: the syntax does not show whether a handler or a callback needs the lock.
enum CallUnderLock: Rule {
  static let id = "call-under-lock"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    let locked = LockedCalls(in: file).calls
    guard !locked.isEmpty else { return [] }
    let foreign = ForeignCalls(file)
    return locked.compactMap { call, lock in
      guard let found = foreign.foreign(call) else { return nil }
      let callee = call.calledExpression
      let place = callee.as(MemberAccessExprSyntax.self).map { Syntax($0.declName) }
      let via = found.caller.map { "'\($0)' calls '\(found.text)'" } ?? "'\(found.text)' is called"
      return finding(
        at: place ?? Syntax(callee), "\(via) while \(lock) is locked: \(reason(found.kind))",
        advice: "collect the calls under the lock, and make them after the lock is released")
    }
  }

  private static func reason(_ kind: ForeignCall.Kind) -> String {
    switch kind {
    case .stream:
      "it waits for the consumer's status lock, which a cancellation holds during 'onTermination'"
    case .resume:
      "it waits for the waiting task's status lock, which a cancellation holds during 'onCancel'"
    case .cancel: "it runs 'onCancel' and 'onTermination' handlers, which may need the same lock"
    case .callback: "the closure may need the same lock, or wait for a thread that needs it"
    }
  }
}
