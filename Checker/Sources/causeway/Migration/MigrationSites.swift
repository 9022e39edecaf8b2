import SwiftSyntax

/// The isolation of a reference, as far as it affects the referenced declaration.
enum MigrationSite: Equatable {
  /// On the main actor, before and after the migration.
  case main
  /// Off the main actor, or possibly off it.
  case off
  /// The isolation of the unit with this index.
  case unit(Int)
}

extension CheckedFile {
  /// The isolation of a node after the change of the module's default isolation.
  ///
  /// `self` has the isolation before the change.
  func site(of node: some SyntaxProtocol, _ units: MigrationUnits) -> MigrationSite {
    for ancestor in node.ancestors {
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if closure.signature?.attributes.first(named: "MainActor") != nil { return .main }
        if closure.isPreview { return .main }
        switch ClosureUse(closure, in: self) {
        case .mainActor: return .main
        case .nonisolated: return .off
        case .unknown:
          // The index is exact, so the migrated code has to be too.
          if units.areExact || closure.isSentByName { return .off }
        case .inherits, .inheritsWhenGlobal: continue
        }
      }
      if let site = declaredSite(of: ancestor, around: Syntax(node)) { return site }
      if let index = units.index(of: ancestor) {
        return unitSite(of: ancestor, index)
      }
    }
    // Statements outside declarations, in main.swift, run on the main actor.
    return node.ancestors.contains { $0.is(CodeBlockItemSyntax.self) } && !node.isInDeclaration
      ? .main : .off
  }

  /// The isolation that a function, variable, initializer or subscript states explicitly.
  private func declaredSite(of ancestor: Syntax, around node: Syntax) -> MigrationSite? {
    let explicit: Isolation?
    switch ancestor.kind {
    case .functionDecl:
      explicit = ancestor.as(FunctionDeclSyntax.self).flatMap {
        Isolation.explicit($0.attributes, $0.modifiers, globalActors: types.globalActors)
      }
    case .variableDecl:
      explicit = ancestor.as(VariableDeclSyntax.self).flatMap {
        Isolation.explicit($0.attributes, $0.modifiers, globalActors: types.globalActors)
      }
    case .initializerDecl:
      explicit = ancestor.as(InitializerDeclSyntax.self).flatMap {
        Isolation.explicit($0.attributes, $0.modifiers, globalActors: types.globalActors)
      }
    case .subscriptDecl:
      explicit = ancestor.as(SubscriptDeclSyntax.self).flatMap {
        Isolation.explicit($0.attributes, $0.modifiers, globalActors: types.globalActors)
      }
    case .deinitializerDecl:
      let isIsolated = ancestor.as(DeinitializerDeclSyntax.self)?.modifiers.has(.isolated) == true
      return isIsolated ? nil : .off
    default: return nil
    }
    switch explicit {
    case .mainActor?: return .main
    case nil: return nil
    default: return .off
    }
  }

  private func unitSite(of node: Syntax, _ index: Int) -> MigrationSite {
    guard let group = node.asProtocol((any DeclGroupSyntax).self) else { return .unit(index) }
    switch memberIsolation(in: group) {
    case .mainActor: return .main
    case .actorInstance, .globalActor: return .off
    // The declaration is nonisolated by the old default or explicitly, or its type is from another
    // module. Its unit decides.
    case .nonisolated, .caller, .unknown: return .unit(index)
    }
  }
}

extension ClosureExprSyntax {
  /// The functions of Apple's frameworks whose closures are `@Sendable`.
  private static let sending: Set<String> = [
    "async", "asyncAfter", "asyncAndWait", "addOperation", "addBarrierBlock", "addObserver",
    "scheduledTimer", "dataTask", "downloadTask", "uploadTask", "performBackgroundTask",
    "concurrentPerform", "BlockOperation", "Thread", "detachNewThread", "addUICallback",
  ]

  /// Whether the name of the called function says that its closure can run anywhere.
  fileprivate var isSentByName: Bool {
    enclosingCall?.calleeName.map(Self.sending.contains) ?? false
  }

  /// Whether the closure is the body of `#Preview`.
  fileprivate var isPreview: Bool {
    parent?.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
      || parent?.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
  }
}

extension SyntaxProtocol {
  /// Whether a declaration contains the node.
  fileprivate var isInDeclaration: Bool {
    ancestors.contains { $0.isProtocol((any DeclSyntaxProtocol).self) }
  }
}
