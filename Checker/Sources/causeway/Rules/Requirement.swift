import SwiftSyntax

/// What the code after a check requires of a stored property.
struct Requirement {
  enum State: Equatable {
    /// A flag is `false`.
    case isFalse
    case isNil
    /// An enum has a case.
    case isCase(String)
    /// An enum does not have a case.
    case isNotCase(String)
  }

  let property: String
  /// The checked expression, such as `isSyncing` or `openStreams[id]`.
  let text: String
  let state: State

  /// Whether a name says that work is running, and not that it has ended.
  static func isAboutRunning(_ text: String) -> Bool {
    let name = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["ing", "progress", "busy", "active", "start", "begun", "inflight", "scheduled"]
      .contains { name.contains($0) }
  }
}

/// Finds the requirements of the conditions in code of a type.
struct RequirementReader {
  private let stored: Set<String>
  private let computed: [String: ExprSyntax]

  init(type: TypeTable.Entry) {
    stored = Set(type.storedVariables.filter(\.isVar).flatMap(\.boundNames))
    var computed: [String: ExprSyntax] = [:]
    for member in type.everyMember {
      guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStored,
        let name = variable.boundNames.first, let value = variable.onlyExpression
      else { continue }
      computed[name] = value
    }
    self.computed = computed
  }

  /// What a statement requires for the code after it to run.
  func requirements(after item: CodeBlockItemSyntax) -> [Requirement] {
    if let statement = item.item.as(GuardStmtSyntax.self) {
      guard statement.conditions.directDescendants(AwaitExprSyntax.self).isEmpty else { return [] }
      return statement.conditions.compactMap { required(by: $0.condition) }
    }
    guard let statement = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self),
      statement.elseBody == nil, statement.conditions.count == 1,
      let last = statement.body.statements.last?.item,
      last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self)
        || last.is(ContinueStmtSyntax.self),
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
    default: return [required(by: condition, not: true)].compactMap(\.self)
    }
  }

  /// What a statement requires for the code in it to run.
  func requirements(
    inside item: CodeBlockItemSyntax
  ) -> [(Requirement, CodeBlockItemListSyntax)] {
    let expression = item.item.as(ExpressionStmtSyntax.self)?.expression
    if let statement = expression?.as(IfExprSyntax.self) {
      guard statement.conditions.directDescendants(AwaitExprSyntax.self).isEmpty else { return [] }
      return statement.conditions.compactMap { condition in
        required(by: condition.condition).map { ($0, statement.body.statements) }
      }
    }
    guard let statement = expression?.as(SwitchExprSyntax.self) else { return [] }
    return statement.cases.compactMap { element in
      guard case .switchCase(let branch) = element,
        let label = branch.label.as(SwitchCaseLabelSyntax.self), label.caseItems.count == 1,
        let pattern = label.caseItems.first?.pattern.as(ExpressionPatternSyntax.self),
        let name = pattern.expression.enumCase,
        let requirement = place(statement.subject, .isCase(name))
      else { return nil }
      return (requirement, branch.statements)
    }
  }

  /// What a condition requires to be true, or to be false.
  private func required(
    by condition: ConditionElementSyntax.Condition, not isNegated: Bool = false
  ) -> Requirement? {
    switch condition {
    case .expression(let expression): return required(by: expression, not: isNegated)
    case .matchingPattern(let matching):
      guard let name = matching.pattern.as(ExpressionPatternSyntax.self)?.expression.enumCase
      else { return nil }
      return place(matching.initializer.value, isNegated ? .isNotCase(name) : .isCase(name))
    default: return nil
    }
  }

  private func required(
    by expression: ExprSyntax, not isNegated: Bool, depth: Int = 0
  ) -> Requirement? {
    guard depth < 4 else { return nil }
    if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      return required(by: prefix.expression, not: !isNegated, depth: depth + 1)
    }
    if let sequence = expression.as(SequenceExprSyntax.self) {
      return comparison(sequence, not: isNegated)
    }
    if isNegated, let flag = place(expression, .isFalse) { return flag }
    // The getter of a computed property is a condition too.
    guard let name = expression.memberOfSelf, expression.textWithoutSelf == name,
      let value = computed[name]
    else { return nil }
    return required(by: value, not: isNegated, depth: depth + 1)
  }

  private func comparison(_ sequence: SequenceExprSyntax, not isNegated: Bool) -> Requirement? {
    guard sequence.elements.count == 3, let left = sequence.elements.first,
      let right = sequence.elements.last,
      let symbol = sequence.elements.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?
        .operator.text, ["==", "!="].contains(symbol)
    else { return nil }
    let isEqual = (symbol == "==") != isNegated
    if right.is(NilLiteralExprSyntax.self) { return isEqual ? place(left, .isNil) : nil }
    if let literal = right.as(BooleanLiteralExprSyntax.self)?.literal.text {
      return (literal == "false") == isEqual ? place(left, .isFalse) : nil
    }
    guard let name = right.enumCase else { return nil }
    return place(left, isEqual ? .isCase(name) : .isNotCase(name))
  }

  private func place(_ expression: ExprSyntax, _ state: Requirement.State) -> Requirement? {
    guard let property = expression.memberOfSelf, stored.contains(property) else { return nil }
    let text = expression.textWithoutSelf
    switch state {
    case .isFalse where !Requirement.isAboutRunning(text): return nil
    case .isNotCase(let name) where !Requirement.isAboutRunning(name): return nil
    default: return Requirement(property: property, text: text, state: state)
    }
  }
}

extension VariableDeclSyntax {
  /// The expression of a getter that has no other statement.
  fileprivate var onlyExpression: ExprSyntax? {
    guard bindings.count == 1, let block = bindings.first?.accessorBlock,
      case .getter(let statements) = block.accessors, statements.count == 1,
      let item = statements.first?.item
    else { return nil }
    if let statement = item.as(ReturnStmtSyntax.self) { return statement.expression }
    return item.as(ExprSyntax.self)
  }
}

extension ExprSyntax {
  /// The source text without a leading `self.`.
  var textWithoutSelf: String {
    let text = trimmedDescription
    return text.hasPrefix("self.") ? String(text.dropFirst("self.".count)) : text
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
