import SwiftSyntax

/// The calls between a `lock()` and the `unlock()` of the same lock.
///
/// It follows the branches of the statements: a branch that unlocks and does not return ends the
/// block.
struct LockedBlock {
  /// The state of the lock after some statements.
  private enum End { case locked, unlocked, left }

  private(set) var calls: [FunctionCallExprSyntax] = []
  private let lock: String
  /// Whether the lock is released by a `defer` statement, which runs after the later statements.
  private var unlocksAtEnd = false

  /// Walks the statements after the one that locks.
  init(_ lock: String, after first: CodeBlockItemSyntax, in list: CodeBlockItemListSyntax) {
    self.lock = lock
    _ = walk(Array(list.drop { $0.id != first.id }.dropFirst()))
  }

  private mutating func walk(_ list: CodeBlockItemListSyntax) -> End { walk(Array(list)) }

  private mutating func walk(_ items: [CodeBlockItemSyntax]) -> End {
    // A branch that unlocks and returns does not change the lock of the statements after it.
    let exits: Set<SyntaxKind> = [.returnStmt, .throwStmt, .breakStmt, .continueStmt]
    let unlocked: End = items.last.map { exits.contains($0.item.kind) } == true ? .left : .unlocked
    for item in items {
      if Lock.unlocked(by: item) == lock { return unlocked }
      if let statement = item.item.as(DeferStmtSyntax.self) {
        let statements = statement.body.statements
        if statements.contains(where: { Lock.unlocked(by: $0) == lock }) {
          _ = walk(statements)
          unlocksAtEnd = true
        } else if unlocksAtEnd {
          collect(statements)
        }
        continue
      }
      // A closure can unlock, for example the closure of `withExtendedLifetime`.
      let unlocks = item.descendants(CodeBlockItemSyntax.self).contains { inner in
        Lock.unlocked(by: inner) == lock && inner.closureAround(below: Syntax(item)) != nil
      }
      if unlocks { return unlocked }
      let end = step(Syntax(item.item))
      if end != .locked { return end }
    }
    return .locked
  }

  private mutating func collect(_ node: some SyntaxProtocol) {
    calls += ImmediateCalls.all(in: Syntax(node))
  }

  private mutating func step(_ node: Syntax) -> End {
    switch node.kind {
    case .returnStmt, .throwStmt, .breakStmt, .continueStmt, .fallThroughStmt:
      collect(node)
      return .left
    case .expressionStmt:
      guard let inner = node.as(ExpressionStmtSyntax.self)?.expression else { return .locked }
      return step(Syntax(inner))
    case .guardStmt:
      guard let statement = node.as(GuardStmtSyntax.self) else { return .locked }
      collect(statement.conditions)
      _ = walk(statement.body.statements)
      return .locked
    case .ifExpr: return node.as(IfExprSyntax.self).map { branches(of: $0) } ?? .locked
    case .switchExpr:
      guard let statement = node.as(SwitchExprSyntax.self) else { return .locked }
      collect(statement.subject)
      var ends: [End] = []
      for element in statement.cases {
        guard case .switchCase(let branch) = element else { continue }
        ends.append(walk(branch.statements))
      }
      return merged(ends)
    case .doStmt:
      guard let statement = node.as(DoStmtSyntax.self) else { return .locked }
      var ends = [walk(statement.body.statements)]
      for clause in statement.catchClauses { ends.append(walk(clause.body.statements)) }
      return merged(ends)
    case .forStmt:
      guard let loop = node.as(ForStmtSyntax.self) else { return .locked }
      collect(loop.sequence)
      return merged([walk(loop.body.statements), .locked])
    case .whileStmt:
      guard let loop = node.as(WhileStmtSyntax.self) else { return .locked }
      collect(loop.conditions)
      return merged([walk(loop.body.statements), .locked])
    case .repeatStmt:
      guard let loop = node.as(RepeatStmtSyntax.self) else { return .locked }
      return merged([walk(loop.body.statements), .locked])
    default:
      collect(node)
      return .locked
    }
  }

  private mutating func branches(of statement: IfExprSyntax) -> End {
    collect(statement.conditions)
    let first = walk(statement.body.statements)
    switch statement.elseBody {
    case .ifExpr(let next): return merged([first, branches(of: next)])
    case .codeBlock(let block): return merged([first, walk(block.statements)])
    default: return merged([first, .locked])
    }
  }

  private func merged(_ ends: [End]) -> End {
    if ends.contains(.unlocked) { return .unlocked }
    return ends.allSatisfy { $0 == .left } && !ends.isEmpty ? .left : .locked
  }
}

extension SyntaxProtocol {
  /// The innermost closure around a node, inside another node.
  fileprivate func closureAround(below outer: Syntax) -> ClosureExprSyntax? {
    for ancestor in ancestors {
      if ancestor.id == outer.id { return nil }
      if let closure = ancestor.as(ClosureExprSyntax.self) { return closure }
    }
    return nil
  }
}
