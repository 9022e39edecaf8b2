import SwiftSyntax

/// `DispatchQueue.main.async` in async code that is on the main actor.
///
/// The closure runs later, after other work that waits for the main actor, and outside the task.
/// Cancelling the task does not cancel the closure, and the closure cannot return a result or an
/// error to the task. `DispatchQueue.main.sync` deadlocks.
///
/// Bad:
/// ```swift
/// @MainActor
/// func show() async {
///   let items = await service.items()
///   DispatchQueue.main.async { self.items = items }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func show() async {
///   let items = await service.items()
///   self.items = items
/// }
/// ```
///
/// Not reported in Swift 5 mode, because there a caller can be on another thread. In synchronous
/// code, only `sync` is reported: there, `async` and `asyncAfter` often delay statements on
/// purpose, until after the current layout or event. For the same reason, a call is not reported in
/// tests, if a comment is directly above it, or if its closure scrolls, moves the focus, presents
/// or dismisses. Not reported in a function that reads `Thread.isMainThread`. Not reported for a
/// closure that resumes a continuation. There is no automatic fix, because the statements may need
/// to run in a later turn of the main queue. If so, use `Task { }`. `Task.sleep` replaces
/// `asyncAfter`. Off by default: the syntax does not show whether the code needs the later turn.
enum MainQueueHop: Rule {
  static let id = "main-queue-hop"
  static let isDefault = false
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.isSwift6, !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard let path = call.calleePath, path.hasPrefix("DispatchQueue.main."),
        let name = call.calleeName, ["async", "sync", "asyncAfter"].contains(name),
        let closure = call.closureArgument, file.isolation(at: call) == .mainActor,
        call.enclosingBody?.mentions(anyOf: ["isMainThread", "pthread_main_np"]) != true,
        name == "sync" || file.isInAsyncCode(call) && !isDeliberate(call, closure)
      else { return nil }
      let (message, advice) = texts(path, name)
      return finding(at: call.calledExpression, message, advice: advice)
    }
  }

  /// Words in names of calls that need a later turn of the main queue.
  private static let laterTurnWords = [
    "scroll", "focus", "responder", "layout", "present", "dismiss", "select", "animat", "push",
    "pop", "open", "window", "cancel", "reload", "navigat", "resume",
  ]

  /// Whether the statements are delayed on purpose, by their names or by a comment.
  private static func isDeliberate(
    _ call: FunctionCallExprSyntax, _ closure: ClosureExprSyntax
  ) -> Bool {
    if call.leadingTrivia.contains(where: \.isLineComment) { return true }
    return closure.statements.tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier(let text) = token.tokenKind else { return false }
      let name = text.lowercased()
      return laterTurnWords.contains { name.contains($0) }
    }
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

extension TriviaPiece {
  fileprivate var isLineComment: Bool {
    switch self {
    case .lineComment, .blockComment: true
    default: false
    }
  }
}
