import SwiftSyntax

/// `DispatchQueue.main.async` in code that is on the main actor.
///
/// The closure runs later, after other work that waits for the main actor, and outside the task.
/// Cancelling the task does not cancel the closure, and the closure cannot return a result or an
/// error to the task. `DispatchQueue.main.sync` deadlocks.
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
/// Not reported in Swift 5 mode, because there a caller can be on another thread. In views, view
/// controllers and other UI types, `async` and `asyncAfter` are reported only in `async` code.
/// Synchronous code of these types often delays its statements until after the current layout or
/// event on purpose. There is no automatic fix, because the statements may need to run in a later
/// turn. If so, use `Task { }`. `Task.sleep` replaces `asyncAfter`.
enum MainQueueHop: Rule {
  static let id = "main-queue-hop"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.isSwift6 else { return [] }
    return file.facts.calls.compactMap { call in
      guard let path = call.calleePath, path.hasPrefix("DispatchQueue.main."),
        ["async", "sync", "asyncAfter"].contains(call.calleeName ?? ""),
        call.closureArgument != nil, file.isolation(at: call) == .mainActor,
        call.calleeName == "sync" || isInAsyncCode(call, file) || !isInUIType(call, file)
      else { return nil }
      let (message, advice) = texts(path, call.calleeName ?? "")
      return finding(at: call.calledExpression, message, advice: advice)
    }
  }

  private static func isInUIType(_ call: FunctionCallExprSyntax, _ file: CheckedFile) -> Bool {
    file.enclosingType(of: call).map { file.types.conforms($0, to: KnownNames.mainActor) } ?? false
  }

  /// Whether the innermost function, accessor or closure around a call is `async`.
  ///
  /// A closure such as that of `withAnimation` is part of the code around it.
  private static func isInAsyncCode(_ call: FunctionCallExprSyntax, _ file: CheckedFile) -> Bool {
    for ancestor in call.ancestors {
      if let function = ancestor.as(FunctionDeclSyntax.self) {
        return function.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      if let initializer = ancestor.as(InitializerDeclSyntax.self) {
        return initializer.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      if let accessor = ancestor.as(AccessorDeclSyntax.self) {
        return accessor.effectSpecifiers?.asyncSpecifier != nil
      }
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if isAsync(closure) { return true }
        guard case .inherits = ClosureUse(closure, in: file) else { return false }
      }
      // A getter without `get`, or the initial value of a member, is synchronous.
      if ancestor.is(AccessorBlockSyntax.self) || ancestor.is(MemberBlockItemSyntax.self) {
        return false
      }
    }
    return false
  }

  private static func isAsync(_ closure: ClosureExprSyntax) -> Bool {
    if closure.signature?.effectSpecifiers?.asyncSpecifier != nil { return true }
    guard let call = closure.enclosingCall else { return false }
    return [KnownNames.tasks, KnownNames.detachedTasks].contains {
      $0.contains(call.calleePath ?? "")
    } || KnownNames.childTasks.union(["task", "refreshable"]).contains(call.calleeName ?? "")
  }

  private static func texts(_ path: String, _ name: String) -> (message: String, advice: String) {
    switch name {
    case "sync":
      ("'\(path)' deadlocks: this code is on the main actor", "run the statements directly")
    case "asyncAfter":
      (
        "'\(path)' runs its closure outside the task, and nothing can cancel it",
        "use 'Task' and 'Task.sleep', which can be cancelled"
      )
    default:
      (
        "'\(path)' in code on the main actor only runs its closure later, outside the task",
        "run the statements directly, or start a 'Task' if they must run in a later turn"
      )
    }
  }
}
