import SwiftSyntax

/// The goal of a search for code after a suspension.
protocol SuspensionGoal {
  /// The expression in a statement, or in a part of a statement, that the search looks for.
  ///
  /// - Parameters:
  ///   - hasSuspended: Whether the code has waited before the node.
  ///   - awaited: The names of values that come from the results of suspensions.
  func target(in node: Syntax, hasSuspended: Bool, awaited: Set<String>) -> ExprSyntax?

  /// Whether the code reads the value again that it read before the suspension.
  func isAnswered(by node: Syntax, isCondition: Bool, hasSuspended: Bool) -> Bool
}

/// Finds the first statement after a suspension that meets a goal.
///
/// It follows nested blocks, the tasks that the code starts, and closures such as the closure of
/// `MainActor.run`. It stops where the goal is answered.
struct SuspensionSearch<Goal: SuspensionGoal> {
  private(set) var found: ExprSyntax?
  private var isOver = false
  private var hasSuspended = false
  private var awaited: Set<String> = []
  private let goal: Goal

  init(_ goal: Goal) { self.goal = goal }

  mutating func run(_ items: some Sequence<CodeBlockItemSyntax>) {
    var deferred: [CodeBlockItemSyntax] = []
    for item in items {
      if isOver { return }
      if let statement = item.item.as(DeferStmtSyntax.self) {
        deferred = Array(statement.body.statements) + deferred
      } else {
        step(item)
      }
    }
    for item in deferred where !isOver { step(item) }
  }

  private mutating func step(_ item: CodeBlockItemSyntax) {
    let node =
      item.item.as(ExpressionStmtSyntax.self).map { Syntax($0.expression) } ?? Syntax(item.item)
    switch node.kind {
    case .ifExpr: ifExpression(node)
    case .switchExpr: switchExpression(node)
    case .doStmt:
      guard let statement = node.as(DoStmtSyntax.self) else { return }
      run(statement.body.statements)
      for clause in statement.catchClauses where !isOver { branch(clause.body.statements) }
    case .forStmt:
      guard let loop = node.as(ForStmtSyntax.self) else { return }
      enter(loop.sequence)
      if loop.isAsync {
        hasSuspended = true
        awaited.formUnion(loop.pattern.names)
      }
      if !isOver { run(loop.body.statements) }
    case .whileStmt:
      guard let loop = node.as(WhileStmtSyntax.self) else { return }
      enter(loop.conditions, isCondition: true)
      if !isOver { run(loop.body.statements) }
    case .repeatStmt:
      if let loop = node.as(RepeatStmtSyntax.self) { run(loop.body.statements) }
    case .guardStmt: enter(item, isCondition: true)
    default: leaf(item)
    }
  }

  private mutating func leaf(_ item: CodeBlockItemSyntax) {
    let part = Syntax(item.item)
    if let target = goal.target(in: part, hasSuspended: hasSuspended, awaited: awaited) {
      found = target
      isOver = true
      return
    }
    if let task = item.startedTask {
      let target = item.item.as(SequenceExprSyntax.self)?.elements.first
      if let target, goal.isAnswered(by: Syntax(target), isCondition: false, hasSuspended: true) {
        isOver = true
        return
      }
      // The code after the task does not wait for it.
      var inner = self
      inner.run(task.statements)
      if inner.isOver { self = inner }
      return
    }
    if let closure = item.closureRunInPlace {
      run(closure.statements)
      return
    }
    enter(item)
  }

  /// Notes the suspension in a part of a statement, and stops if it has the target or the answer.
  private mutating func enter(_ node: some SyntaxProtocol, isCondition: Bool = false) {
    let part = Syntax(node).as(CodeBlockItemSyntax.self).map { Syntax($0.item) } ?? Syntax(node)
    if !isCondition,
      let target = goal.target(in: part, hasSuspended: hasSuspended, awaited: awaited)
    {
      found = target
      isOver = true
      return
    }
    if goal.isAnswered(by: Syntax(node), isCondition: isCondition, hasSuspended: hasSuspended) {
      isOver = true
      return
    }
    let suspends = part.suspends
    hasSuspended = hasSuspended || suspends
    guard suspends || part.mentions(anyOf: awaited) else { return }
    awaited.formUnion(node.descendants(IdentifierPatternSyntax.self).map(\.identifier.text))
    awaited.formUnion(node.writtenMembers)
  }

  private mutating func ifExpression(_ node: Syntax) {
    guard let statement = node.as(IfExprSyntax.self) else { return }
    enter(statement.conditions, isCondition: true)
    guard !isOver else { return }
    let start = self
    branch(statement.body.statements)
    guard !isOver else { return }
    var other = start
    switch statement.elseBody {
    case .ifExpr(let next): other.ifExpression(Syntax(next))
    case .codeBlock(let block): other.branch(block.statements)
    default: return
    }
    merge(other)
  }

  private mutating func switchExpression(_ node: Syntax) {
    guard let statement = node.as(SwitchExprSyntax.self) else { return }
    enter(statement.subject)
    guard !isOver else { return }
    let start = self
    for element in statement.cases {
      guard case .switchCase(let branch) = element, !isOver else { return }
      var other = start
      // The values in a case of a result come from the suspension too.
      if statement.subject.suspends || statement.subject.mentions(anyOf: awaited) {
        other.awaited.formUnion(
          branch.label.descendants(IdentifierPatternSyntax.self).map(\.identifier.text))
      }
      other.branch(branch.statements)
      merge(other)
    }
  }

  /// Runs a block that the program may skip; a block that leaves the function affects no code after
  /// it.
  private mutating func branch(_ statements: CodeBlockItemListSyntax) {
    let start = self
    run(statements)
    guard !isOver, let last = statements.last?.item else { return }
    if [.returnStmt, .throwStmt, .continueStmt, .breakStmt].contains(last.kind) { self = start }
  }

  private mutating func merge(_ other: SuspensionSearch) {
    if other.isOver {
      self = other
      return
    }
    hasSuspended = hasSuspended || other.hasSuspended
    awaited.formUnion(other.awaited)
  }
}

extension CodeBlockItemSyntax {
  /// The call of the statement, of the value that it assigns or of the constant that it declares.
  private var call: FunctionCallExprSyntax? {
    let value =
      item.as(SequenceExprSyntax.self)?.elements.last
      ?? item.as(VariableDeclSyntax.self)?.bindings.first?.initializer?.value
      ?? item.as(ExprSyntax.self)
    return value?.withoutEffects.as(FunctionCallExprSyntax.self)
  }

  /// The closure of the task that the statement starts, also through the main queue.
  var startedTask: ClosureExprSyntax? {
    guard let call, let path = call.calleePath,
      KnownNames.tasks.contains(path) || path == "DispatchQueue.main.async"
    else { return nil }
    return call.closureArgument
  }

  /// The closure of a call that runs it before it returns, on the actor of the code around it.
  var closureRunInPlace: ClosureExprSyntax? {
    guard let call, ["MainActor.run", "withAnimation"].contains(call.calleePath) else { return nil }
    return call.closureArgument
  }
}

extension SyntaxProtocol {
  /// Whether the code waits; nested closures and functions do not count.
  var suspends: Bool {
    self.is(AwaitExprSyntax.self) || !directDescendants(AwaitExprSyntax.self).isEmpty
      || Syntax(self).as(ForStmtSyntax.self)?.isAsync == true
      || directDescendants(ForStmtSyntax.self).contains { $0.isAsync }
  }
}

extension PatternSyntax {
  fileprivate var names: [String] {
    let own = self.as(IdentifierPatternSyntax.self).map { [$0.identifier.text] } ?? []
    return own + descendants(IdentifierPatternSyntax.self).map(\.identifier.text)
  }
}
