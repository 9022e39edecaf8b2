import SwiftSyntax

extension CheckedFile {
  /// The isolation of the code at a node.
  func isolation(at node: some SyntaxProtocol) -> Isolation {
    for ancestor in node.ancestors {
      switch ancestor.kind {
      case .closureExpr:
        if let closure = ancestor.as(ClosureExprSyntax.self) { return isolation(of: closure) }
      case .functionDecl:
        if let function = ancestor.as(FunctionDeclSyntax.self) {
          return isolation(
            of: function, function.attributes, function.modifiers,
            isAsync: function.signature.effectSpecifiers?.asyncSpecifier != nil)
        }
      case .initializerDecl:
        if let initializer = ancestor.as(InitializerDeclSyntax.self) {
          return isolation(of: initializer)
        }
      case .deinitializerDecl:
        if let deinitializer = ancestor.as(DeinitializerDeclSyntax.self) {
          return isolation(of: deinitializer)
        }
      case .subscriptDecl:
        if let member = ancestor.as(SubscriptDeclSyntax.self) {
          return isolation(of: member, member.attributes, member.modifiers, isAsync: false)
        }
      case .variableDecl:
        if let variable = ancestor.as(VariableDeclSyntax.self),
          variable.isMember || !variable.isStored
            || variable.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        {
          return isolation(of: variable, variable.attributes, variable.modifiers, isAsync: false)
        }
      case .enumCaseDecl: return .unknown
      case .sourceFile: return .unknown
      default: break
      }
    }
    return .unknown
  }

  private func isolation(of initializer: InitializerDeclSyntax) -> Isolation {
    let isAsync = initializer.signature.effectSpecifiers?.asyncSpecifier != nil
    let found = isolation(
      of: initializer, initializer.attributes, initializer.modifiers, isAsync: isAsync)
    return found == .actorInstance && !isAsync ? .nonisolated : found
  }

  private func isolation(of deinitializer: DeinitializerDeclSyntax) -> Isolation {
    guard deinitializer.modifiers.has(.isolated),
      let group = enclosingDeclaration(of: deinitializer)
    else { return .nonisolated }
    return memberIsolation(in: group)
  }

  /// The isolation of a function, initializer, subscript or variable.
  func isolation(
    of declaration: some DeclSyntaxProtocol, _ attributes: AttributeListSyntax,
    _ modifiers: DeclModifierListSyntax, isAsync: Bool
  ) -> Isolation {
    if let explicit = Isolation.explicit(attributes, modifiers, globalActors: types.globalActors) {
      return adjusted(explicit, modifiers, attributes, isAsync: isAsync)
    }
    if let function = declaration.as(FunctionDeclSyntax.self),
      function.signature.parameterClause.parameters.contains(where: \.isIsolated)
    {
      return .unknown
    }
    guard declaration.parent?.is(MemberBlockItemSyntax.self) == true else {
      // A local function has the isolation of the function around it.
      if declaration.ancestors.contains(where: { $0.is(CodeBlockSyntax.self) }) {
        return isolation(at: declaration)
      }
      switch settings.defaultIsolation {
      case .mainActor: return .mainActor
      case .unknown: return .unknown
      case .nonisolated: break
      }
      return isAsync && settings.has("NonisolatedNonsendingByDefault") ? .caller : .nonisolated
    }
    guard let group = enclosingDeclaration(of: declaration) else { return .unknown }
    let around = memberIsolation(in: group)
    if around == .actorInstance, modifiers.isStatic { return .nonisolated }
    if around == .nonisolated || around == .unknown {
      // The requirement or the overridden member may isolate the declaration.
      if modifiers.has(.override) { return .unknown }
      if around == .nonisolated, isWitnessOfIsolatedProtocol(declaration, in: group) {
        return .unknown
      }
    }
    if around == .mainActor, mayLeaveMainActor(declaration, in: group) { return .unknown }
    return adjusted(around, modifiers, attributes, isAsync: isAsync)
  }

  private func adjusted(
    _ isolation: Isolation, _ modifiers: DeclModifierListSyntax,
    _ attributes: AttributeListSyntax, isAsync: Bool
  ) -> Isolation {
    guard isolation == .nonisolated, isAsync else { return isolation }
    if attributes.first(named: "concurrent") != nil { return .nonisolated }
    let isCallers =
      modifiers.first(.nonisolated)?.detail?.detail.text == "nonsending"
      || settings.has("NonisolatedNonsendingByDefault")
    return isCallers ? .caller : .nonisolated
  }

  /// Whether a member may implement a requirement of a main-actor protocol.
  private func isWitnessOfIsolatedProtocol(
    _ declaration: some DeclSyntaxProtocol, in group: some DeclGroupSyntax
  ) -> Bool {
    group.inheritedNames.contains { name in
      if let entry = types.type(name) { return entry.isolation != .nonisolated }
      return KnownNames.isMainActor(name, importsUserInterface: true)
    }
  }

  /// The isolation of a closure.
  func isolation(of closure: ClosureExprSyntax) -> Isolation {
    if let attributes = closure.signature?.attributes {
      if attributes.first(named: "MainActor") != nil { return .mainActor }
      for name in attributes.names where types.globalActors.contains(name) {
        return .globalActor(name)
      }
      if attributes.first(named: "Sendable") != nil { return .unknown }
      if attributes.first(named: "concurrent") != nil { return .nonisolated }
    }
    switch ClosureUse(closure, in: self) {
    case .inherits: return isolation(at: closure)
    case .inheritsWhenGlobal:
      // A closure inherits an actor's instance only if it captures `self` strongly.
      let around = isolation(at: closure)
      return around == .actorInstance ? .unknown : around
    case .mainActor: return .mainActor
    case .nonisolated: return .nonisolated
    case .unknown: return .unknown
    }
  }
}

extension FunctionParameterSyntax {
  fileprivate var isIsolated: Bool {
    type.as(AttributedTypeSyntax.self)?.specifiers.contains {
      $0.as(SimpleTypeSpecifierSyntax.self)?.specifier.tokenKind == .keyword(.isolated)
    } == true
  }
}
