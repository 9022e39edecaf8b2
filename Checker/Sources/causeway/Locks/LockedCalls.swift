import SwiftSyntax

/// The calls that run while a lock is held.
struct LockedCalls {
  /// The calls, with the names of their locks.
  private(set) var calls: [(call: FunctionCallExprSyntax, lock: String)] = []

  /// Finds the calls in the closures of `withLock` and its relatives, and between `lock()` and
  /// `unlock()`.
  init(in file: CheckedFile) {
    var seen: Set<SyntaxIdentifier> = []
    func add(_ found: [FunctionCallExprSyntax], _ lock: String) {
      for call in found where seen.insert(call.id).inserted { calls.append((call, lock)) }
    }
    for call in file.facts.calls {
      if Lock.isLocking(call), let closure = call.closureArgument {
        let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
        add(ImmediateCalls.all(in: Syntax(closure.statements)), Self.name(base?.trimmedDescription))
      } else if let item = call.parent?.as(CodeBlockItemSyntax.self),
        let name = Lock.locked(by: item), let list = item.parent?.as(CodeBlockItemListSyntax.self)
      {
        add(LockedBlock(name, after: item, in: list).calls, Self.name(name))
      }
    }
  }

  /// The name of a lock in a message.
  private static func name(_ text: String?) -> String {
    guard let text, text.count <= 40, !text.contains("\n") else { return "the lock" }
    return "'\(text)'"
  }
}

/// The calls that run together with a node, without the closures and functions that run later.
enum ImmediateCalls {
  private static let functions: Set<String> = KnownNames.inheritingFunctions.subtracting([
    "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
    "withThrowingDiscardingTaskGroup",
  ])

  static func all(in node: Syntax) -> [FunctionCallExprSyntax] {
    var found: [FunctionCallExprSyntax] = []
    collect(node, into: &found)
    return found
  }

  private static func collect(_ node: Syntax, into found: inout [FunctionCallExprSyntax]) {
    switch node.kind {
    case .functionDecl, .classDecl, .structDecl, .enumDecl, .actorDecl, .accessorBlock: return
    case .closureExpr:
      guard let closure = node.as(ClosureExprSyntax.self), runsNow(closure) else { return }
    case .functionCallExpr:
      if let call = node.as(FunctionCallExprSyntax.self) { found.append(call) }
    default: break
    }
    for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
      collect(child, into: &found)
    }
  }

  private static func runsNow(_ closure: ClosureExprSyntax) -> Bool {
    guard let call = closure.enclosingCall else { return false }
    if call.calledExpression.id == closure.id { return true }
    return functions.contains(call.calleeName ?? "") || Lock.isLocking(call)
  }
}
