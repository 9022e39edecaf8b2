import SwiftSyntax

/// A file with the facts of its module, as the rules check it.
struct CheckedFile: Sendable {
  let source: SourceFile
  let facts: FileFacts
  let types: TypeTable

  var settings: BuildSettings { types.settings }

  /// The full name of the innermost type around a node, extensions included.
  func enclosingType(of node: some SyntaxProtocol) -> String? {
    var names: [String] = []
    for ancestor in node.ancestors {
      if let extended = ancestor.as(ExtensionDeclSyntax.self) {
        names.append(extended.extendedType.simpleName ?? "")
        break
      }
      if let name = ancestor.declaredTypeName { names.append(name) }
    }
    guard !names.isEmpty else { return nil }
    let name = names.reversed().joined(separator: ".")
    return types.resolve(name) ?? name
  }

  /// The declaration of the innermost type or extension around a node.
  func enclosingDeclaration(of node: some SyntaxProtocol) -> (any DeclGroupSyntax)? {
    for ancestor in node.ancestors {
      if let group = ancestor.asProtocol((any DeclGroupSyntax).self) { return group }
    }
    return nil
  }

  /// The default isolation of the members of a type or an extension.
  func memberIsolation(in group: some DeclGroupSyntax) -> Isolation {
    if let explicit = Isolation.explicit(
      group.attributes, group.modifiers, globalActors: types.globalActors)
    {
      return explicit
    }
    let name = enclosingType(of: group.memberBlock)
    guard let name, let entry = types.entries[name] else { return .unknown }
    if entry.kind == nil {
      let isUserInterface = !facts.imports.isDisjoint(with: KnownNames.userInterfaceModules)
      return KnownNames.isMainActor(name, importsUserInterface: isUserInterface)
        ? .mainActor : .unknown
    }
    if group.is(ExtensionDeclSyntax.self), settings.defaultIsolation != .nonisolated,
      entry.isolation != .mainActor
    {
      return .unknown
    }
    return entry.isolation
  }
}

extension Syntax {
  /// The name of the declared type.
  var declaredTypeName: String? {
    switch kind {
    case .classDecl: self.as(ClassDeclSyntax.self)?.name.text
    case .structDecl: self.as(StructDeclSyntax.self)?.name.text
    case .enumDecl: self.as(EnumDeclSyntax.self)?.name.text
    case .actorDecl: self.as(ActorDeclSyntax.self)?.name.text
    case .protocolDecl: self.as(ProtocolDeclSyntax.self)?.name.text
    default: nil
    }
  }
}
