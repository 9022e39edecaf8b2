import SwiftSyntax

extension TypeSyntax {
  /// The name of a nominal type without generic arguments: `Outer.Inner`; nil for other types.
  var simpleName: String? {
    if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text }
    if let type = self.as(MemberTypeSyntax.self) {
      guard let base = type.baseType.simpleName else { return nil }
      return base + "." + type.name.text
    }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.simpleName }
    if let type = self.as(SomeOrAnyTypeSyntax.self) { return type.constraint.simpleName }
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.simpleName }
    if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return type.wrappedType.simpleName
    }
    return nil
  }

  /// The names in an entry of an inheritance clause.
  ///
  /// A composition has several names.
  var simpleNames: [String] {
    if let composition = self.as(CompositionTypeSyntax.self) {
      return composition.elements.compactMap { $0.type.simpleName }
    }
    return simpleName.map { [$0] } ?? []
  }
}

extension DeclGroupSyntax {
  /// The names in the inheritance clause.
  var inheritedNames: [String] {
    inheritanceClause?.inheritedTypes.flatMap { $0.type.simpleNames } ?? []
  }
}

extension SyntaxProtocol {
  /// The names of the types that the node mentions as types.
  var mentionedTypes: [TokenSyntax] {
    descendants(IdentifierTypeSyntax.self).map(\.name)
      + descendants(MemberTypeSyntax.self).map(\.name)
  }
}

extension AttributeListSyntax {
  /// The attribute with the given name.
  ///
  /// Attributes inside `#if` are ignored.
  func first(named name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.lastName == name {
      return attribute
    }
    return nil
  }

  var names: [String] {
    compactMap { element in
      if case .attribute(let attribute) = element { attribute.lastName } else { nil }
    }
  }
}

extension AccessorBlockSyntax {
  /// Whether the getter is `async`.
  var isAsync: Bool {
    guard case .accessors(let list) = accessors else { return false }
    return list.contains { $0.effectSpecifiers?.asyncSpecifier != nil }
  }
}

extension AttributeSyntax {
  /// The name without a module: `MainActor` for `@Swift.MainActor`.
  var lastName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    if let name = attributeName.as(IdentifierTypeSyntax.self) { return name.name.text }
    return attributeName.trimmedDescription
  }
}

extension DeclModifierListSyntax {
  func first(_ keyword: Keyword) -> DeclModifierSyntax? {
    first { $0.name.tokenKind == .keyword(keyword) }
  }

  func has(_ keyword: Keyword) -> Bool { first(keyword) != nil }

  var isStatic: Bool { has(.static) || has(.class) }
}

extension VariableDeclSyntax {
  var isVar: Bool { bindingSpecifier.tokenKind == .keyword(.var) }

  /// The names that the declaration binds, without other patterns.
  var boundNames: [String] {
    bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
  }

  /// Whether the variable is stored: it has no accessors, or only observers.
  var isStored: Bool {
    bindings.allSatisfy { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }
  }

  var isMember: Bool { parent?.is(MemberBlockItemSyntax.self) == true }
}

extension FunctionCallExprSyntax {
  /// The path of the called expression; nil if it is not a path of names.
  ///
  /// The path of `Task<Void, Never>.detached(priority: .low) { }` is `Task.detached`.
  var calleePath: String? { calledExpression.path }

  /// The last name of the called expression; any expression may be before its dot.
  var calleeName: String? {
    if let member = calledExpression.as(MemberAccessExprSyntax.self) {
      return member.declName.baseName.text
    }
    return calleePath
  }

  /// The closure argument of the call: the trailing closure if there is one, otherwise the last
  /// argument.
  var closureArgument: ClosureExprSyntax? {
    trailingClosure ?? arguments.last?.expression.as(ClosureExprSyntax.self)
  }
}

extension ClosureExprSyntax {
  /// The call that has the closure as an argument or as a trailing closure, or that calls it.
  var enclosingCall: FunctionCallExprSyntax? {
    parent?.as(FunctionCallExprSyntax.self)
      ?? parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
  }
}

extension ExprSyntax {
  /// The largest number of nodes in a path.
  ///
  /// Without a limit, the paths of all prefixes of `a.b.c…` take quadratic time and more.
  private static let longestPath = 32

  /// The names joined by dots, without generic arguments, `?` and `!`; nil for other expressions.
  var path: String? {
    var names: [String] = []
    var current = self
    for _ in 0..<ExprSyntax.longestPath {
      switch current.kind {
      case .declReferenceExpr:
        guard let name = current.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
        if names.isEmpty { return name }
        names.append(name)
        return names.reversed().joined(separator: ".")
      case .memberAccessExpr:
        guard let member = current.as(MemberAccessExprSyntax.self) else { return nil }
        names.append(member.declName.baseName.text)
        guard let base = member.base else { return "." + names.reversed().joined(separator: ".") }
        current = base
      case .genericSpecializationExpr:
        guard let generic = current.as(GenericSpecializationExprSyntax.self) else { return nil }
        current = generic.expression
      case .optionalChainingExpr:
        guard let optional = current.as(OptionalChainingExprSyntax.self) else { return nil }
        current = optional.expression
      case .forceUnwrapExpr:
        guard let forced = current.as(ForceUnwrapExprSyntax.self) else { return nil }
        current = forced.expression
      default: return nil
      }
    }
    return nil
  }

  /// The expression without `try` and `await`.
  var withoutEffects: ExprSyntax {
    if let expression = self.as(TryExprSyntax.self) { return expression.expression.withoutEffects }
    if let expression = self.as(AwaitExprSyntax.self) {
      return expression.expression.withoutEffects
    }
    return self
  }
}

extension SyntaxProtocol {
  /// The nodes around this one, the nearest first.
  var ancestors: some Sequence<Syntax> {
    sequence(first: Syntax(self), next: \.parent).dropFirst()
  }

  /// Whether the node contains a token with this text.
  func mentions(_ name: String) -> Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.text == name }
  }

  /// Whether the node contains an identifier or keyword of the set.
  func mentions(anyOf names: Set<String>) -> Bool {
    tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
  }

  /// Whether the node checks if its task is cancelled.
  var checksCancellation: Bool { mentions(anyOf: ["isCancelled", "checkCancellation"]) }

  /// The nodes of a kind in this node, without nested functions and closures.
  func directDescendants<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
    var found: [Node] = []
    collectDirect(Syntax(self), isRoot: true, into: &found)
    return found
  }

  /// The nodes of a kind in this node, at any depth.
  func descendants<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
    var found: [Node] = []
    collectAll(Syntax(self), into: &found)
    return found
  }

  /// The start of the node, without its leading trivia.
  var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
  /// The end of the node, without its trailing trivia.
  var end: Int { endPositionBeforeTrailingTrivia.utf8Offset }
}

private func collectDirect<Node: SyntaxProtocol>(
  _ node: Syntax, isRoot: Bool, into found: inout [Node]
) {
  if !isRoot {
    if let match = node.as(Node.self) { found.append(match) }
    switch node.kind {
    case .closureExpr, .functionDecl, .classDecl, .structDecl, .enumDecl, .actorDecl: return
    default: break
    }
  }
  for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
    collectDirect(child, isRoot: false, into: &found)
  }
}

private func collectAll<Node: SyntaxProtocol>(_ node: Syntax, into found: inout [Node]) {
  for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
    if let match = child.as(Node.self) { found.append(match) }
    collectAll(child, into: &found)
  }
}
