import SwiftSyntax

/// Counts how often the paths through a list of statements resume a continuation.
///
/// It does not look into nested functions. It looks into nested closures only if it counts callbacks.
struct ResumePaths {
  /// A resume that a path reaches after another one.
  private(set) var second: FunctionCallExprSyntax?
  /// Whether a path ends without a resume.
  var canEndWithout: Bool { ended.contains(0) }
  /// Whether no path resumes the continuation.
  var isSilent: Bool { ended == [0] || ended.isEmpty }

  private let name: String
  /// Whether a statement with a closure that resumes the continuation counts as a resume.
  private let countsCallbacks: Bool
  /// The resume counts of paths that have left the statements; 2 means two or more.
  private var ended: Set<Int> = []
  /// The resume counts of paths that jump to the end of the innermost loop or switch with `break`.
  private var broken: Set<Int> = []
  private var thrown: Set<Int> = []
  /// The number of resumes in `defer` statements, which run at each later exit.
  private var deferred = 0
  private var deferredResume: FunctionCallExprSyntax?

  /// - Parameters:
  ///   - mayThrow: Whether an error ends the statements, and nothing else handles it.
  ///   - countsCallbacks: Whether a statement with a closure that resumes counts as a resume.
  init(
    _ statements: CodeBlockItemListSyntax, _ name: String, mayThrow: Bool = false,
    countsCallbacks: Bool = false
  ) {
    self.name = name
    self.countsCallbacks = countsCallbacks
    let fallen = run(statements, from: [0])
    end(fallen)
    if mayThrow { end(thrown) }
  }

  private mutating func end(_ counts: Set<Int>) {
    if second == nil, counts.contains(where: { $0 > 0 }) { second = deferredResume }
    ended.formUnion(counts.map { min(2, $0 + deferred) })
  }

  private mutating func run(
    _ statements: CodeBlockItemListSyntax, from start: Set<Int>
  ) -> Set<Int> {
    var counts = start
    for statement in statements {
      guard !counts.isEmpty else { break }
      counts = step(Syntax(statement.item), counts)
    }
    return counts
  }

  private mutating func step(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    switch node.kind {
    case .returnStmt:
      end(count(in: node, counts))
      return []
    case .throwStmt:
      thrown.formUnion(counts)
      return []
    case .breakStmt, .continueStmt, .fallThroughStmt:
      broken.formUnion(counts)
      return []
    case .deferStmt:
      let resumes = node.descendants(FunctionCallExprSyntax.self).filter(isResume)
      deferred += resumes.count
      deferredResume = deferredResume ?? resumes.first
      return counts
    case .guardStmt: return guardStatement(node, counts)
    case .expressionStmt:
      guard let inner = node.as(ExpressionStmtSyntax.self)?.expression else { return counts }
      return step(Syntax(inner), counts)
    case .ifExpr: return ifExpression(node, counts)
    case .switchExpr: return switchExpression(node, counts)
    case .doStmt: return doStatement(node, counts)
    case .forStmt, .whileStmt, .repeatStmt: return loop(node, counts)
    default: return expression(node, counts)
    }
  }

  private mutating func expression(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    if mayThrow(node) { thrown.formUnion(counts) }
    if let call = node.as(FunctionCallExprSyntax.self), let path = call.calleePath,
      ["fatalError", "preconditionFailure", "exit"].contains(path)
    {
      return []
    }
    return count(in: node, counts)
  }

  /// Whether the node contains a `try`; `try?` and `try!` do not count.
  private func mayThrow(_ node: Syntax) -> Bool {
    let own = node.as(TryExprSyntax.self).map { [$0] } ?? []
    return (own + node.directDescendants(TryExprSyntax.self)).contains {
      $0.questionOrExclamationMark == nil
    }
  }

  /// Adds the resumes of an expression.
  ///
  /// The branches of `? :` count as one path.
  private mutating func count(in node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    var calls = node.directDescendants(FunctionCallExprSyntax.self).filter(isResume)
    if let call = node.as(FunctionCallExprSyntax.self), isResume(call) { calls.append(call) }
    if countsCallbacks, calls.isEmpty {
      let callbacks = node.descendants(FunctionCallExprSyntax.self).filter(isResume)
      guard let callback = callbacks.first else { return counts }
      let answered = Set(counts.map { min(2, $0 + 1) })
      return isInOptionalChain(callback, in: node) ? answered.union(counts) : answered
    }
    guard let call = calls.first ?? resumeInStartedWork(node) else { return counts }
    if second == nil, counts.contains(where: { $0 > 0 }) { second = call }
    return Set(counts.map { min(2, $0 + 1) })
  }

  /// The resume that is the only statement of a closure which a task or another queue runs.
  private func resumeInStartedWork(_ node: Syntax) -> FunctionCallExprSyntax? {
    guard !countsCallbacks, let call = node.as(FunctionCallExprSyntax.self),
      call.calleeName == "async" || call.calleePath == "Task",
      let closure = call.closureArgument, closure.statements.count == 1,
      let only = closure.statements.first?.item.as(FunctionCallExprSyntax.self), isResume(only)
    else { return nil }
    return only
  }

  private func isResume(_ call: FunctionCallExprSyntax) -> Bool {
    call.calleePath == name + ".resume"
  }

  /// Whether the call that gets a callback is not made if an optional value is nil.
  private func isInOptionalChain(_ call: FunctionCallExprSyntax, in node: Syntax) -> Bool {
    for ancestor in call.ancestors {
      if let closure = ancestor.as(ClosureExprSyntax.self), let outer = closure.enclosingCall,
        outer.calledExpression.descendants(OptionalChainingExprSyntax.self).contains(where: {
          !isSet($0.expression)
        })
      {
        return true
      }
      if ancestor.id == node.id { return false }
    }
    return false
  }

  /// Whether the code before an expression assigns it a value.
  private func isSet(_ optional: ExprSyntax) -> Bool {
    guard let path = optional.path,
      let body = optional.ancestors.compactMap({ $0.as(CodeBlockItemListSyntax.self) }).last
    else { return false }
    return body.descendants(SequenceExprSyntax.self).contains { sequence in
      sequence.isAssignment && sequence.elements.first?.path == path
        && sequence.elements.last?.is(NilLiteralExprSyntax.self) == false
        && sequence.position < optional.position
    }
  }

  private mutating func guardStatement(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    guard let statement = node.as(GuardStmtSyntax.self) else { return counts }
    _ = run(statement.body.statements, from: counts)
    return counts
  }

  private mutating func ifExpression(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    guard let expression = node.as(IfExprSyntax.self) else { return counts }
    if mayThrow(Syntax(expression.conditions)) { thrown.formUnion(counts) }
    // The conditions of `if error != nil { … } if succeeded { … }` usually exclude each other, so a
    // path does not take both branches.
    let isAlone = expression.elseBody == nil
    let start = isAlone && counts.contains(0) ? counts.intersection([0]) : counts
    var result = run(expression.body.statements, from: start)
    switch expression.elseBody {
    case .ifExpr(let next): result.formUnion(ifExpression(Syntax(next), counts))
    case .codeBlock(let block): result.formUnion(run(block.statements, from: counts))
    default: result.formUnion(counts)
    }
    return result
  }

  private mutating func switchExpression(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    guard let expression = node.as(SwitchExprSyntax.self) else { return counts }
    let outer = broken
    broken = []
    var result: Set<Int> = []
    for element in expression.cases {
      guard case .switchCase(let branch) = element else {
        result.formUnion(counts)
        continue
      }
      result.formUnion(run(branch.statements, from: counts))
    }
    result.formUnion(broken)
    broken = outer
    return result
  }

  private mutating func doStatement(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    guard let statement = node.as(DoStmtSyntax.self) else { return counts }
    let outer = thrown
    thrown = []
    var result = run(statement.body.statements, from: counts)
    let caught = thrown
    thrown = outer
    for clause in statement.catchClauses {
      result.formUnion(run(clause.body.statements, from: caught))
    }
    return result
  }

  private mutating func loop(_ node: Syntax, _ counts: Set<Int>) -> Set<Int> {
    let body: CodeBlockSyntax? =
      node.as(ForStmtSyntax.self)?.body ?? node.as(WhileStmtSyntax.self)?.body
      ?? node.as(RepeatStmtSyntax.self)?.body
    guard let body else { return counts }
    let outer = broken
    broken = []
    let once = run(body.statements, from: counts)
    let again = run(body.statements, from: once)
    let isEndless = node.as(WhileStmtSyntax.self)?.conditions.trimmedDescription == "true"
    // A loop that registers callbacks usually has elements.
    let skipped = countsCallbacks && once != counts ? [] : counts
    let result = isEndless ? broken : skipped.union(once).union(again).union(broken)
    broken = outer
    return result
  }
}
