import SwiftSyntax

extension ExpressionTypes {
  /// The type of the variable or parameter that a name refers to at a node.
  func type(named name: String, at node: Syntax) -> StatedType {
    if name == "self" {
      return file.enclosingType(of: node).map { .named($0, []) } ?? .unknown
    }
    var inner = node
    for ancestor in node.ancestors {
      if let found = declared(name, by: ancestor, around: inner) { return found }
      if ancestor.is(MemberBlockSyntax.self), let type = file.enclosingType(of: node) {
        return property(name, of: type)
      }
      inner = ancestor
    }
    return .unknown
  }

  /// The type of a variable, if a node declares the variable for the code in its part `inner`.
  private func declared(
    _ name: String, by node: Syntax, around inner: Syntax
  ) -> StatedType? {
    switch node.kind {
    case .codeBlockItemList:
      return node.as(CodeBlockItemListSyntax.self).flatMap { local(name, in: $0, before: inner) }
    case .closureExpr:
      return node.as(ClosureExprSyntax.self).flatMap { parameter(name, of: $0) }
    case .functionDecl:
      return node.as(FunctionDeclSyntax.self).flatMap {
        parameter(name, in: $0.signature.parameterClause.parameters, at: node)
      }
    case .initializerDecl:
      return node.as(InitializerDeclSyntax.self).flatMap {
        parameter(name, in: $0.signature.parameterClause.parameters, at: node)
      }
    case .forStmt:
      guard let loop = node.as(ForStmtSyntax.self), inner.id != Syntax(loop.sequence).id else {
        return nil
      }
      return bound(name, by: loop.pattern) { type(of: loop.sequence).element }
    case .ifExpr:
      guard let branch = node.as(IfExprSyntax.self), inner.id != branch.elseBody.map(\.id) else {
        return nil
      }
      return conditions(name, branch.conditions, before: inner)
    case .whileStmt:
      return node.as(WhileStmtSyntax.self).flatMap {
        conditions(name, $0.conditions, before: inner)
      }
    case .conditionElementList:
      return node.as(ConditionElementListSyntax.self).flatMap {
        conditions(name, $0, before: inner)
      }
    case .switchCase:
      return node.as(SwitchCaseSyntax.self).flatMap { payload(name, of: $0) }
    default: return nil
    }
  }

  private func local(
    _ name: String, in items: CodeBlockItemListSyntax, before inner: Syntax
  ) -> StatedType? {
    var found: StatedType?
    for item in items {
      guard item.position < inner.position else { break }
      let node = Syntax(item.item)
      if let variable = node.as(VariableDeclSyntax.self) {
        let scope = file.enclosingType(of: variable) ?? ""
        found = type(named: name, in: variable, scope: scope) ?? found
      } else if let exit = node.as(GuardStmtSyntax.self) {
        found = conditions(name, exit.conditions, before: nil) ?? found
      } else if node.as(FunctionDeclSyntax.self)?.name.text == name {
        found = .unknown
      }
    }
    return found
  }

  /// The type that a declaration gives to a name; nil if it does not declare the name.
  func type(
    named name: String, in variable: VariableDeclSyntax, scope: String
  ) -> StatedType? {
    for binding in variable.bindings {
      let found = bound(name, by: binding.pattern) {
        // The code of a constant closure is known. It is not a callback.
        if !variable.isVar, binding.initializer?.value.is(ClosureExprSyntax.self) == true {
          return .unknown
        }
        if let annotation = binding.typeAnnotation?.type {
          return StatedType(annotation, in: scope, file.types)
        }
        return binding.initializer.map { type(of: $0.value) } ?? .unknown
      }
      if let found { return found }
    }
    return nil
  }

  private func bound(
    _ name: String, by pattern: PatternSyntax, _ whole: () -> StatedType
  ) -> StatedType? {
    if let single = pattern.as(IdentifierPatternSyntax.self) {
      return single.identifier.text == name ? whole() : nil
    }
    if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      return bound(name, by: binding.pattern, whole)
    }
    guard let tuple = pattern.as(TuplePatternSyntax.self) else {
      return pattern.mentions(name) ? .unknown : nil
    }
    for (index, element) in tuple.elements.enumerated() {
      let found = bound(name, by: element.pattern) {
        guard case .tuple(let types) = whole().unwrapped, types.indices.contains(index) else {
          return .unknown
        }
        return types[index].type
      }
      if let found { return found }
    }
    return nil
  }

  /// The type that an optional binding gives to a name.
  ///
  /// - Parameter inner: The node from which the name is read; it can be one of the conditions.
  private func conditions(
    _ name: String, _ list: ConditionElementListSyntax, before inner: Syntax?
  ) -> StatedType? {
    var found: StatedType?
    for element in list {
      if let inner, element.position >= inner.position { break }
      if let binding = element.condition.as(OptionalBindingConditionSyntax.self) {
        let type = bound(name, by: binding.pattern) {
          guard let value = binding.initializer?.value else {
            return self.type(named: name, at: Syntax(list.parent ?? Syntax(list))).unwrapped
          }
          return self.type(of: value).unwrapped
        }
        found = type ?? found
      } else if let matching = element.condition.as(MatchingPatternConditionSyntax.self),
        matching.pattern.binds(name)
      {
        found = payload(name, of: matching.pattern, type(of: matching.initializer.value))
      }
    }
    return found
  }

  private func parameter(_ name: String, of closure: ClosureExprSyntax) -> StatedType? {
    let names = closure.parameterNames
    let isFirst = names.isEmpty ? name == "$0" : names.first == name
    guard isFirst || names.contains(name) else { return nil }
    guard isFirst, let call = closure.enclosingCall,
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    else { return .unknown }
    if Lock.isLocking(call) {
      guard case .named(_, let arguments) = type(of: base).unwrapped else { return .unknown }
      return arguments.first ?? .unknown
    }
    switch type(of: base) {
    case .optional(let wrapped): return wrapped
    case let type: return type.element
    }
  }

  private func parameter(
    _ name: String, in parameters: FunctionParameterListSyntax, at function: Syntax
  ) -> StatedType? {
    for parameter in parameters where (parameter.secondName ?? parameter.firstName).text == name {
      let scope = file.enclosingType(of: function) ?? ""
      return StatedType(parameter.type, in: scope, file.types, isParameter: true)
    }
    return nil
  }

  private func payload(_ name: String, of branch: SwitchCaseSyntax) -> StatedType? {
    guard case .case(let label) = branch.label else { return nil }
    for item in label.caseItems where item.pattern.binds(name) {
      let statement = branch.parent?.parent?.as(SwitchExprSyntax.self)
      return payload(name, of: item.pattern, statement.map { type(of: $0.subject) } ?? .unknown)
    }
    return nil
  }

  /// The type of an associated value that a pattern such as `.waiting(let continuation)` binds.
  private func payload(
    _ name: String, of pattern: PatternSyntax, _ matched: StatedType
  ) -> StatedType {
    let pattern = pattern.as(ValueBindingPatternSyntax.self)?.pattern ?? pattern
    guard
      let call = pattern.as(ExpressionPatternSyntax.self)?.expression
        .as(FunctionCallExprSyntax.self), let caseName = call.calleeName,
      let index = call.arguments.enumerated().first(where: { $0.element.mentions(name) })?.offset
    else { return .unknown }
    if caseName == "some" { return matched.unwrapped }
    guard case .named(let type, _) = matched.unwrapped else { return .unknown }
    for member in file.types.entries[type]?.everyMember ?? [] {
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        guard element.name.text == caseName, let values = element.parameterClause?.parameters,
          values.count > index
        else { continue }
        let value = values[values.index(values.startIndex, offsetBy: index)]
        return StatedType(value.type, in: type, file.types)
      }
    }
    return .unknown
  }
}

extension PatternSyntax {
  /// Whether the pattern binds a name.
  fileprivate func binds(_ name: String) -> Bool {
    descendants(IdentifierPatternSyntax.self).contains { $0.identifier.text == name }
      || self.as(IdentifierPatternSyntax.self)?.identifier.text == name
  }
}
