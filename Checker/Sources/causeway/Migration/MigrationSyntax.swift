import SwiftSyntax

extension TokenSyntax {
  /// Whether the token can name a declaration of the module.
  var isName: Bool {
    switch tokenKind {
    case .identifier: !isDeclaredName
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    case .backslash: interpolation != nil
    default: tokenKind == .keyword(.`init`) || isSubscriptBracket
    }
  }

  private var isDeclaredName: Bool {
    guard let parent else { return false }
    switch parent.kind {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .functionDecl,
      .identifierPattern, .functionParameter, .enumCaseElement, .labeledExpr, .importPathComponent,
      .genericParameter, .typeAliasDecl, .associatedTypeDecl:
      return true
    default: return false
    }
  }

  /// The part of a string literal that the token begins.
  var interpolation: ExpressionSegmentSyntax? {
    tokenKind == .backslash ? parent?.as(ExpressionSegmentSyntax.self) : nil
  }

  /// The index has the use of a subscript at its bracket.
  private var isSubscriptBracket: Bool {
    tokenKind == .leftSquare && parent?.is(SubscriptCallExprSyntax.self) == true
  }

  /// Whether the token is the last name of a called expression: `Item` in `Feed.Item(id: 1)`.
  var isCalled: Bool {
    var node = parent
    while let expression = node, !expression.is(FunctionCallExprSyntax.self) {
      switch expression.kind {
      case .declReferenceExpr, .genericSpecializationExpr: node = expression.parent
      case .memberAccessExpr:
        guard expression.lastToken(viewMode: .sourceAccurate) == self else { return false }
        node = expression.parent
      default: return false
      }
    }
    return node?.as(FunctionCallExprSyntax.self)?.calledExpression.lastToken(
      viewMode: .sourceAccurate) == self
  }

  /// Whether the token is a type whose metatype is a value: `Item.self`.
  var isMetatype: Bool {
    guard let next = nextToken(viewMode: .sourceAccurate), next.tokenKind == .period else {
      return false
    }
    return next.nextToken(viewMode: .sourceAccurate)?.tokenKind == .keyword(.self)
  }

  /// Whether the token is in the type of a dictionary's keys or of a set's elements.
  var isKeyOfDictionary: Bool {
    for ancestor in ancestors {
      guard
        ancestor.isProtocol((any TypeSyntaxProtocol).self)
          || ancestor.is(GenericArgumentSyntax.self)
          || ancestor.is(GenericArgumentListSyntax.self)
          || ancestor.is(GenericArgumentClauseSyntax.self)
      else { return false }
      if let map = ancestor.as(DictionaryTypeSyntax.self) {
        return map.key.start <= start && start < map.key.end
      }
      if ancestor.as(IdentifierTypeSyntax.self)?.name.text == "Set" { return true }
    }
    return false
  }

  /// The function, initializer, subscript or variable outside functions that contains the token.
  var migrationScope: Syntax? {
    ancestors.first { node in
      switch node.kind {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl, .variableDecl,
        .enumCaseDecl:
        !node.isLocalDeclaration
      default: false
      }
    }
  }
}

extension ExprSyntax {
  /// Whether the expression is a literal without computed parts.
  var isPlain: Bool {
    switch kind {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr: descendants(ExpressionSegmentSyntax.self).isEmpty
    case .arrayExpr, .dictionaryExpr:
      (self.as(ArrayExprSyntax.self)?.elements.allSatisfy(\.expression.isPlain) ?? false)
        || self.as(DictionaryExprSyntax.self)?.content.is(TokenSyntax.self) == true
    default: false
    }
  }
}

extension EnumDeclSyntax {
  /// Whether no case has associated values or a raw value.
  var isPlain: Bool {
    memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .allSatisfy { $0.elements.allSatisfy { $0.parameterClause == nil && $0.rawValue == nil } }
  }
}

extension Syntax {
  /// Whether a function, closure or accessor contains the declaration.
  var isLocalDeclaration: Bool {
    for ancestor in ancestors {
      switch ancestor.kind {
      case .memberBlockItem: return false
      case .codeBlock, .closureExpr, .accessorBlock: return true
      default: continue
      }
    }
    return false
  }

  /// The names of types in the signature of a function, initializer, variable, subscript or case.
  var signatureTypes: [TokenSyntax] {
    var parts: [Syntax] = []
    if let function = self.as(FunctionDeclSyntax.self) {
      parts.append(Syntax(function.signature))
    } else if let initializer = self.as(InitializerDeclSyntax.self) {
      parts.append(Syntax(initializer.signature))
    } else if let member = self.as(SubscriptDeclSyntax.self) {
      parts += [Syntax(member.parameterClause), Syntax(member.returnClause)]
    } else if let enumCase = self.as(EnumCaseDeclSyntax.self) {
      parts += enumCase.elements.compactMap { $0.parameterClause.map { Syntax($0) } }
    } else if let variable = self.as(VariableDeclSyntax.self) {
      parts += variable.bindings.compactMap { $0.typeAnnotation.map { Syntax($0) } }
    }
    return parts.flatMap(\.mentionedTypes)
  }

  /// Whether the values of a type contain the value of the member: a stored property or a case.
  ///
  /// In a protocol, each property counts.
  func hasValues(inProtocol: Bool) -> Bool {
    guard let variable = self.as(VariableDeclSyntax.self) else {
      return self.is(EnumCaseDeclSyntax.self)
    }
    return !variable.modifiers.isStatic && (variable.isStored || inProtocol)
  }
}

extension MemberBlockItemListSyntax {
  /// The members, also those in `#if`.
  var declarations: [DeclSyntax] {
    flatMap { item -> [DeclSyntax] in
      guard let condition = item.decl.as(IfConfigDeclSyntax.self) else { return [item.decl] }
      return condition.clauses.flatMap { clause in
        clause.elements?.as(MemberBlockItemListSyntax.self)?.declarations ?? []
      }
    }
  }
}
