import SwiftSyntax

/// Looks for the first statement after a suspension that ends what a check required.
///
/// It follows nested blocks and the tasks that the code starts, and stops where the code names the
/// property.
struct ActSearch {
  /// The target of the statement.
  private(set) var found: ExprSyntax?
  private var isOver = false
  private var hasSuspended = false
  /// The names of values that come from the results of suspensions.
  private var awaited: Set<String> = []
  private let requirement: Requirement

  init(_ requirement: Requirement) { self.requirement = requirement }

  mutating func run(_ items: some Sequence<CodeBlockItemSyntax>) {
    for item in items {
      if isOver { return }
      step(item)
    }
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
      enter(loop.conditions)
      if !isOver { run(loop.body.statements) }
    case .repeatStmt:
      if let loop = node.as(RepeatStmtSyntax.self) { run(loop.body.statements) }
    default: leaf(item)
    }
  }

  private mutating func leaf(_ item: CodeBlockItemSyntax) {
    if hasSuspended, let target = act(of: item) {
      found = target
      isOver = true
      return
    }
    if let task = startedTask(by: item) {
      let target = item.item.as(SequenceExprSyntax.self)?.elements.first
      if target?.mentions(requirement.property) == true {
        isOver = true
        return
      }
      // The code after the task does not wait for it.
      var inner = self
      inner.run(task.statements)
      if inner.isOver { self = inner }
      return
    }
    enter(item)
  }

  /// Notes the suspension in a part of a statement, and stops if it names the property.
  private mutating func enter(_ node: some SyntaxProtocol) {
    if node.mentions(requirement.property) {
      isOver = true
      return
    }
    let suspends = node.suspends
    hasSuspended = hasSuspended || suspends
    guard suspends || node.mentions(anyOf: awaited) else { return }
    awaited.formUnion(node.descendants(IdentifierPatternSyntax.self).map(\.identifier.text))
    awaited.formUnion(node.writtenMembers)
  }

  private mutating func ifExpression(_ node: Syntax) {
    guard let statement = node.as(IfExprSyntax.self) else { return }
    enter(statement.conditions)
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
      other.branch(branch.statements)
      merge(other)
    }
  }

  /// Runs a block that need not run; a block that leaves the function affects no code after it.
  private mutating func branch(_ statements: CodeBlockItemListSyntax) {
    let start = self
    run(statements)
    guard !isOver, let last = statements.last?.item else { return }
    if [.returnStmt, .throwStmt, .continueStmt, .breakStmt].contains(last.kind) { self = start }
  }

  private mutating func merge(_ other: ActSearch) {
    if other.isOver {
      self = other
      return
    }
    hasSuspended = hasSuspended || other.hasSuspended
    awaited.formUnion(other.awaited)
  }

  /// The task that a statement starts.
  private func startedTask(by item: CodeBlockItemSyntax) -> ClosureExprSyntax? {
    let value =
      item.item.as(SequenceExprSyntax.self)?.elements.last
      ?? item.item.as(VariableDeclSyntax.self)?.bindings.first?.initializer?.value
      ?? item.item.as(ExprSyntax.self)
    guard let call = value?.as(FunctionCallExprSyntax.self),
      KnownNames.tasks.contains(call.calleePath ?? "")
    else { return nil }
    return call.closureArgument
  }

  /// The target of a statement that makes a flag `true`, gives a value, or changes the case.
  private func act(of item: CodeBlockItemSyntax) -> ExprSyntax? {
    if let call = item.item.as(FunctionCallExprSyntax.self) {
      guard requirement.state == .isFalse, call.arguments.isEmpty,
        let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        member.declName.baseName.text == "toggle", let base = member.base
      else { return nil }
      return base.textWithoutSelf == requirement.text ? base : nil
    }
    guard let sequence = item.item.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      let target = sequence.elements.first, let value = sequence.elements.last,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
      target.textWithoutSelf == requirement.text
    else { return nil }
    switch requirement.state {
    case .isFalse: return value.trimmedDescription == "true" ? target : nil
    case .isNil:
      let isResult = value.suspends || value.mentions(anyOf: awaited)
      return value.is(NilLiteralExprSyntax.self) || isResult ? nil : target
    case .isCase(let name):
      guard let new = value.enumCase, new != name else { return nil }
      return Requirement.isAboutRunning(new) && !Requirement.isAboutRunning(name) ? target : nil
    case .isNotCase(let name): return value.enumCase == name ? target : nil
    }
  }
}

extension SyntaxProtocol {
  /// Whether the code waits, apart from that of nested closures and functions.
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
