import SwiftSyntax

/// Finds the requirements of the conditions in code of a type.
struct RequirementReader {
  private let stored: Set<String>
  private let computed: [String: Getter]

  init(type: TypeTable.Entry) {
    stored = Set(type.storedVariables.filter(\.isVar).flatMap(\.boundNames))
    var computed: [String: Getter] = [:]
    for member in type.everyMember {
      guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStored,
        let name = variable.boundNames.first, let getter = Getter(variable)
      else { continue }
      computed[name] = getter
    }
    self.computed = computed
  }

  /// The requirements that hold in the code after a statement.
  func requirements(after item: CodeBlockItemSyntax) -> [Requirement] {
    if let statement = item.item.as(GuardStmtSyntax.self) {
      guard statement.conditions.directDescendants(AwaitExprSyntax.self).isEmpty else { return [] }
      return statement.conditions.flatMap { required(by: $0.condition) }
    }
    if let call = item.item.as(FunctionCallExprSyntax.self),
      ["precondition", "assert"].contains(call.calleePath)
    {
      return call.arguments.first.map { required(by: $0.expression, not: false) } ?? []
    }
    let expression = item.item.as(ExpressionStmtSyntax.self)?.expression
    if let statement = expression?.as(SwitchExprSyntax.self) {
      return statement.singleCases.filter { $0.branch.statements.leavesFunction }.compactMap {
        place(statement.subject, .isNotCase($0.name))
      }
    }
    guard let statement = expression?.as(IfExprSyntax.self),
      statement.conditions.count == 1, statement.body.statements.leavesFunction,
      let last = statement.body.statements.last?.item,
      let condition = statement.conditions.first?.condition
    else { return [] }
    switch condition {
    case .optionalBinding(let binding):
      // Code that returns the value that it finds is a cache.
      if last.as(ReturnStmtSyntax.self)?.expression != nil { return [] }
      let value =
        binding.initializer?.value
        ?? binding.pattern.as(IdentifierPatternSyntax.self).map {
          ExprSyntax(DeclReferenceExprSyntax(baseName: $0.identifier.trimmed))
        }
      return [value.flatMap { place($0, .isNil) }].compactMap(\.self)
    default: return required(by: condition, not: true)
    }
  }

  /// The requirements that hold in the code inside a statement.
  func requirements(
    inside item: CodeBlockItemSyntax
  ) -> [(Requirement, CodeBlockItemListSyntax)] {
    if let loop = item.item.as(WhileStmtSyntax.self) {
      return loop.conditions.flatMap { condition in
        required(by: condition.condition).map { ($0, loop.body.statements) }
      }
    }
    let expression = item.item.as(ExpressionStmtSyntax.self)?.expression
    if let statement = expression?.as(IfExprSyntax.self) {
      guard statement.conditions.directDescendants(AwaitExprSyntax.self).isEmpty else { return [] }
      let inside = statement.conditions.flatMap { condition in
        required(by: condition.condition).map { ($0, statement.body.statements) }
      }
      guard case .codeBlock(let other) = statement.elseBody, statement.conditions.count == 1,
        let condition = statement.conditions.first?.condition
      else { return inside }
      return inside + required(by: condition, not: true).map { ($0, other.statements) }
    }
    guard let statement = expression?.as(SwitchExprSyntax.self) else { return [] }
    return statement.singleCases.compactMap { element in
      place(statement.subject, .isCase(element.name)).map { ($0, element.branch.statements) }
    }
  }

  /// The requirements of a condition that is true, or of a condition that is false.
  private func required(
    by condition: ConditionElementSyntax.Condition, not isNegated: Bool = false
  ) -> [Requirement] {
    switch condition {
    case .expression(let expression): return required(by: expression, not: isNegated)
    case .matchingPattern(let matching):
      guard let name = matching.pattern.as(ExpressionPatternSyntax.self)?.expression.enumCase
      else { return [] }
      let state: Requirement.State = isNegated ? .isNotCase(name) : .isCase(name)
      return [place(matching.initializer.value, state)].compactMap(\.self)
    default: return []
    }
  }

  private func required(
    by expression: ExprSyntax, not isNegated: Bool, depth: Int = 0
  ) -> [Requirement] {
    guard depth < 6 else { return [] }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
      let inner = tuple.elements.first?.expression
    {
      return required(by: inner, not: isNegated, depth: depth + 1)
    }
    if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      return required(by: prefix.expression, not: !isNegated, depth: depth + 1)
    }
    if let sequence = expression.as(SequenceExprSyntax.self) {
      // If `a && b` is true, each part is true. If `a || b` is false, each part is false.
      let parts = sequence.parts(separatedBy: isNegated ? "||" : "&&")
      return parts.flatMap { part -> [Requirement] in
        if part.count == 1 { return required(by: part[0], not: isNegated, depth: depth + 1) }
        return [comparison(part, not: isNegated)].compactMap(\.self)
      }
    }
    if isNegated, let call = expression.as(FunctionCallExprSyntax.self) {
      return [membership(call)].compactMap(\.self)
    }
    if isNegated, let flag = place(expression, .isFalse) { return [flag] }
    // The getter of a computed property is a condition too.
    guard let name = expression.memberOfSelf, expression.textWithoutSelf == name else { return [] }
    switch computed[name] {
    case .expression(let value): return required(by: value, not: isNegated, depth: depth + 1)
    case .condition(let condition): return required(by: condition, not: isNegated)
    case .cases(let subject, let names):
      if isNegated { return names.compactMap { place(subject, .isNotCase($0)) } }
      return names.count == 1 ? [place(subject, .isCase(names[0]))].compactMap(\.self) : []
    case nil: return []
    }
  }

  private func comparison(_ parts: [ExprSyntax], not isNegated: Bool) -> Requirement? {
    guard parts.count == 3, let left = parts.first, let right = parts.last,
      let symbol = parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
      ["==", "!="].contains(symbol)
    else { return nil }
    let isEqual = (symbol == "==") != isNegated
    if right.is(NilLiteralExprSyntax.self) { return isEqual ? place(left, .isNil) : nil }
    if let literal = right.as(BooleanLiteralExprSyntax.self)?.literal.text {
      guard (literal == "false") == isEqual else { return nil }
      return left.as(FunctionCallExprSyntax.self).flatMap(membership) ?? place(left, .isFalse)
    }
    guard let name = right.enumCase else { return nil }
    return place(left, isEqual ? .isCase(name) : .isNotCase(name))
  }

  /// `running.contains(id)`.
  private func membership(_ call: FunctionCallExprSyntax) -> Requirement? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "contains", let base = member.base,
      let argument = call.arguments.first, argument.label == nil, call.arguments.count == 1
    else { return nil }
    return place(base, .isWithout(argument.expression.trimmedDescription))
  }

  private func place(_ expression: ExprSyntax, _ state: Requirement.State) -> Requirement? {
    guard let property = expression.memberOfSelf, stored.contains(property) else { return nil }
    let text = expression.textWithoutSelf
    switch state {
    case .isFalse where !Requirement.isAboutRunning(text),
      .isWithout where !Requirement.isAboutRunning(text):
      return nil
    case .isNotCase(let name) where !Requirement.isAboutRunning(name): return nil
    default: return Requirement(property: property, text: text, state: state)
    }
  }
}

/// The condition that the getter of a computed flag returns.
private enum Getter {
  case expression(ExprSyntax)
  case condition(ConditionElementSyntax.Condition)
  /// The cases of an enum for which a `switch` returns true.
  case cases(ExprSyntax, [String])

  init?(_ variable: VariableDeclSyntax) {
    guard variable.bindings.count == 1, let block = variable.bindings.first?.accessorBlock,
      let statements = block.getter, let first = statements.first?.item
    else { return nil }
    let value = first.as(ReturnStmtSyntax.self)?.expression ?? first.as(ExprSyntax.self)
    let control = first.as(ExpressionStmtSyntax.self)?.expression ?? value
    if let check = control?.as(IfExprSyntax.self) {
      guard check.conditions.count == 1, let condition = check.conditions.first?.condition,
        check.body.statements.onlyLiteral == "true"
      else { return nil }
      self = .condition(condition)
    } else if let choice = control?.as(SwitchExprSyntax.self) {
      self = .cases(
        choice.subject,
        choice.singleCases.filter { $0.branch.statements.onlyLiteral == "true" }.map(\.name))
    } else if statements.count == 1, let value {
      self = .expression(value)
    } else {
      return nil
    }
  }
}

extension AccessorBlockSyntax {
  /// The statements of the getter.
  fileprivate var getter: CodeBlockItemListSyntax? {
    switch accessors {
    case .getter(let statements): statements
    case .accessors(let list):
      list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?.body?.statements
    @unknown default: nil
    }
  }
}

extension CodeBlockItemListSyntax {
  /// Whether the last statement leaves the function or the turn of a loop.
  fileprivate var leavesFunction: Bool {
    guard let last = last?.item else { return false }
    return [.returnStmt, .throwStmt, .continueStmt].contains(last.kind)
  }

  /// The literal that the statements consist of, also after `return`.
  fileprivate var onlyLiteral: String? {
    guard count == 1, let item = first?.item else { return nil }
    let value = item.as(ReturnStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
    return value?.as(BooleanLiteralExprSyntax.self)?.literal.text
  }
}

extension SwitchExprSyntax {
  /// The cases with their branches.
  fileprivate var singleCases: [(name: String, branch: SwitchCaseSyntax)] {
    cases.flatMap { element -> [(name: String, branch: SwitchCaseSyntax)] in
      guard case .switchCase(let branch) = element,
        let label = branch.label.as(SwitchCaseLabelSyntax.self)
      else { return [] }
      return label.caseItems.compactMap { item in
        let pattern = item.pattern.as(ExpressionPatternSyntax.self)
        return pattern?.expression.enumCase.map { ($0, branch) }
      }
    }
  }
}

extension SequenceExprSyntax {
  /// The operands of `&&` or `||`; one part without the operator, and none with both operators.
  fileprivate func parts(separatedBy symbol: String) -> [[ExprSyntax]] {
    let symbols = elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
    let other = symbol == "&&" ? "||" : "&&"
    guard !symbols.contains(other), !symbols.contains("??") else { return [] }
    return Array(elements).split { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == symbol }
      .map(Array.init)
  }
}

extension ExprSyntax {
  /// The source text without a leading `self.` or `self?.`.
  var textWithoutSelf: String {
    let text = trimmedDescription
    let prefix = ["self.", "self?."].first { text.hasPrefix($0) }
    return String(text.dropFirst(prefix?.count ?? 0))
  }

  /// The name of an enum case: `idle` for `.idle`, `State.idle` and `.idle(nil)`.
  var enumCase: String? {
    let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression ?? self
    guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
    let isType =
      member.base.map { $0.path?.split(separator: ".").last?.first?.isUppercase == true } ?? true
    return isType ? member.declName.baseName.text : nil
  }
}
