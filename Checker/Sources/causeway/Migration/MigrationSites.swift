import SwiftSyntax

/// The isolation of a reference, as far as it affects the referenced declaration.
enum MigrationSite: Equatable {
  /// On the main actor, before and after the migration.
  case main
  /// Off the main actor, or possibly off it.
  case off
  /// In a closure or a `deinit` that runs off the main actor, in code with the isolation of a unit,
  /// or of the main actor.
  case closure(in: Int?)
  /// The isolation of the unit with this index.
  case unit(Int)

  /// Whether the code runs off the main actor whatever the migration marks.
  var isOff: Bool {
    switch self {
    case .off, .closure: true
    case .main, .unit: false
    }
  }

  /// The isolation of a closure that runs off the main actor, in code with the isolation of `self`.
  fileprivate var left: MigrationSite {
    switch self {
    case .off, .closure: self
    case .main: .closure(in: nil)
    case .unit(let index): .closure(in: index)
    }
  }
}

extension CheckedFile {
  /// The isolation of a node after the change of the module's default isolation.
  ///
  /// `self` has the isolation before the change.
  func site(of node: some SyntaxProtocol, _ units: MigrationUnits) -> MigrationSite {
    var leaves = false
    for ancestor in node.ancestors {
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if closure.runsOnMainActor { return leaves ? .closure(in: nil) : .main }
        switch ClosureUse(closure, in: self) {
        case .mainActor: return leaves ? .closure(in: nil) : .main
        case .nonisolated: leaves = true
        case .unknown: if units.areExact || closure.isSentByName { leaves = true }
        case .inherits, .inheritsWhenGlobal: continue
        }
      }
      if ancestor.as(DeinitializerDeclSyntax.self)?.modifiers.has(.isolated) == false {
        leaves = true
      }
      if leaves, units.areExact {
        // References from an index are exact, so the site does not depend on the code around it.
        return .off
      }
      if let site = declaredSite(of: ancestor) { return leaves ? site.left : site }
      if let index = units.index(of: ancestor) {
        let site = unitSite(of: ancestor, index)
        return leaves ? site.left : site
      }
    }
    // Statements outside declarations, in main.swift, run on the main actor.
    return !leaves && node.ancestors.contains { $0.is(CodeBlockItemSyntax.self) }
      && !node.isInDeclaration ? .main : .off
  }

  /// The isolation that a function, variable, initializer or subscript states explicitly.
  private func declaredSite(of ancestor: Syntax) -> MigrationSite? {
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

  /// Whether the closure is `@MainActor` or the body of `#Preview`.
  fileprivate var runsOnMainActor: Bool {
    signature?.attributes.first(named: "MainActor") != nil
      || parent?.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
      || parent?.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
  }
}

extension SyntaxProtocol {
  /// Whether a declaration contains the node.
  fileprivate var isInDeclaration: Bool {
    ancestors.contains { $0.isProtocol((any DeclSyntaxProtocol).self) }
  }
}
