import SwiftSyntax

extension CheckedFile {
  /// Whether a member without an annotation may be off the main actor, although its type is on the
  /// main actor.
  ///
  /// The reason can be a requirement that the member implements, or a member that it overrides. A
  /// member that implements a requirement gets the requirement's isolation if the type, or the
  /// extension with the member, states the conformance. Protocols and superclasses of other modules
  /// are unknown, so the answer for them is true.
  func mayLeaveMainActor(
    _ declaration: some DeclSyntaxProtocol, in group: some DeclGroupSyntax
  ) -> Bool {
    guard let member = MemberName(Syntax(declaration)) else { return false }
    let parents = group.inheritedNames
    if member.modifiers.has(.override) {
      return overriddenMayLeaveMainActor(member, in: group, parents: parents)
    }
    let scope = enclosingType(of: group.memberBlock) ?? ""
    var visited: Set<String> = []
    return parents.contains { parent in
      requirementMayLeaveMainActor(member, of: parent, scope: scope, visited: &visited)
    }
  }

  private func requirementMayLeaveMainActor(
    _ member: MemberName, of parent: String, scope: String, visited: inout Set<String>
  ) -> Bool {
    guard let name = types.resolve(parent, in: scope), let entry = types.entries[name] else {
      // A private member cannot implement a requirement of another module.
      return !member.isPrivate && !KnownNames.statesNoIsolation(parent, isAsync: member.isAsync)
    }
    guard entry.kind == .protocol, visited.insert(name).inserted else { return false }
    for declaration in entry.declarations {
      let stated = Isolation.explicit(
        declaration.attributes, declaration.modifiers, globalActors: types.globalActors)
      for item in declaration.members {
        if item.decl.is(IfConfigDeclSyntax.self) { return true }
        guard let requirement = MemberName(Syntax(item.decl)),
          !requirement.names.isDisjoint(with: member.names)
        else { continue }
        let isolation =
          Isolation.explicit(
            requirement.attributes, requirement.modifiers, globalActors: types.globalActors)
          ?? stated ?? (entry.isolation == .nonisolated ? nil : entry.isolation)
        // With this feature, an async requirement without a stated isolation has the isolation of
        // its caller. Other requirements without a stated isolation do not affect the member.
        let isCallers = requirement.isAsync && settings.has("NonisolatedNonsendingByDefault")
        if isolation == nil ? isCallers : isolation != .mainActor { return true }
      }
    }
    for parent in entry.inheritedNames
    where requirementMayLeaveMainActor(member, of: parent, scope: name, visited: &visited) {
      return true
    }
    return false
  }

  private func overriddenMayLeaveMainActor(
    _ member: MemberName, in group: some DeclGroupSyntax, parents: [String]
  ) -> Bool {
    guard var name = enclosingType(of: group.memberBlock) else { return true }
    while let parent = types.superclass(of: name) {
      for item in types.entries[parent]?.everyMember ?? [] {
        guard let overridden = MemberName(Syntax(item.decl)),
          !overridden.names.isDisjoint(with: member.names)
        else { continue }
        if let isolation = Isolation.explicit(
          overridden.attributes, overridden.modifiers, globalActors: types.globalActors)
        {
          return isolation != .mainActor
        }
        guard let around = enclosingDeclaration(of: item.decl) else { return true }
        // The member's own requirement decides its isolation.
        return overridden.modifiers.has(.override)
          ? false
          : memberIsolation(in: around) != .mainActor || mayLeaveMainActor(item.decl, in: around)
      }
      name = parent
    }
    // The members of UI classes are on the main actor.
    return !(types.entries[name]?.inheritedNames ?? parents).contains {
      KnownNames.isMainActor($0, importsUserInterface: true)
    }
  }
}

/// The names and the modifiers of a member that can be a requirement.
private struct MemberName {
  var names: Set<String>
  var attributes: AttributeListSyntax
  var modifiers: DeclModifierListSyntax
  var isAsync = false

  /// Whether the member cannot be used in other files.
  var isPrivate: Bool {
    modifiers.contains {
      [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) && $0.detail == nil
    }
  }

  init?(_ node: Syntax) {
    if let function = node.as(FunctionDeclSyntax.self) {
      (names, attributes, modifiers) = (
        [function.name.text], function.attributes, function.modifiers
      )
      isAsync = function.signature.effectSpecifiers?.asyncSpecifier != nil
    } else if let variable = node.as(VariableDeclSyntax.self) {
      (names, attributes, modifiers) = (
        Set(variable.boundNames), variable.attributes, variable.modifiers
      )
      isAsync = variable.bindings.contains { $0.accessorBlock?.isAsync == true }
    } else if let initializer = node.as(InitializerDeclSyntax.self) {
      (names, attributes, modifiers) = (["init"], initializer.attributes, initializer.modifiers)
      isAsync = initializer.signature.effectSpecifiers?.asyncSpecifier != nil
    } else if let member = node.as(SubscriptDeclSyntax.self) {
      (names, attributes, modifiers) = (["subscript"], member.attributes, member.modifiers)
      isAsync = member.accessorBlock?.isAsync == true
    } else {
      return nil
    }
  }
}
