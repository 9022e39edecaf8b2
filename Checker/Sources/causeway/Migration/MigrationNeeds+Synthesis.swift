import SwiftSyntax

/// Conformances that the code of the compiler uses.
extension MigrationNeeds {
  /// The conformances that the synthesized members of a unit's type use.
  ///
  /// A synthesized `==` compares the stored properties or the associated values. The compiler (6.3)
  /// rejects an isolated `Equatable` conformance there. It accepts an isolated `Encodable`
  /// conformance, although the code runs off the main actor.
  func synthesizedUses(of index: Int) -> Set<Conformance> {
    guard let group = units.units[index].node.asProtocol((any DeclGroupSyntax).self),
      !Syntax(group).is(ProtocolDeclSyntax.self)
    else { return [] }
    let stated = Set(group.inheritedNames)
    let parts = units.parts(of: index).compactMap {
      units.units[$0].node.asProtocol((any DeclGroupSyntax).self)
    }
    let members = parts.flatMap { $0.memberBlock.members.declarations }
    let isClass = parts.contains { Syntax($0).is(ClassDeclSyntax.self) }
    let wanted = Synthesis.all.filter { synthesis in
      !stated.isDisjoint(with: synthesis.protocols) && !(isClass && synthesis.isForValues)
        && !members.contains(where: synthesis.isImplementation)
    }.reduce(into: Set<String>()) { $0.formUnion($1.protocols) }
    guard !wanted.isEmpty else { return [] }
    var found: Set<Conformance> = []
    for member in members where member.isStoredInValues {
      for type in types(of: Syntax(member)).map(\.node) {
        guard !type.is(ProtocolDeclSyntax.self), let unit = units.index(of: type) else { continue }
        for (names, part) in statements(of: unit) where !wanted.isDisjoint(with: names) {
          found.insert(Conformance(unit: part, requirement: []))
        }
      }
    }
    return found
  }

  /// The types of the module in the signature of a declaration, or in the value of a variable.
  func types(of declaration: Syntax) -> [(node: Syntax, token: TokenSyntax)] {
    guard let source = source(of: declaration) else { return [] }
    var found: [(node: Syntax, token: TokenSyntax)] = []
    for name in declaration.signatureTypes { found += types(of: name, source) }
    for name in declaration.valueNames {
      for type in references.declarations(name, source) {
        if type.isProtocol((any DeclGroupSyntax).self) {
          found.append((type, name))
        } else if let result = type.as(FunctionDeclSyntax.self)?.signature.returnClause,
          let source = self.source(of: type)
        {
          for name in result.type.mentionedTypes { found += types(of: name, source) }
        }
      }
    }
    return found
  }

  /// The types that a name refers to; for the name of a type alias, the types in it.
  private func types(
    of name: TokenSyntax, _ source: SourceFile, depth: Int = 0
  ) -> [(node: Syntax, token: TokenSyntax)] {
    references.declarations(name, source).flatMap { declaration in
      guard let alias = declaration.as(TypeAliasDeclSyntax.self), depth < 8,
        let source = self.source(of: declaration)
      else { return [(node: declaration, token: name)] }
      return alias.initializer.value.mentionedTypes.flatMap {
        types(of: $0, source, depth: depth + 1)
      }
    }
  }
}

/// A protocol whose members the compiler can write.
private struct Synthesis {
  /// The protocols that need the members.
  let protocols: Set<String>
  /// Whether the compiler writes the members of structs and enums only.
  let isForValues: Bool
  /// Whether a declaration implements the members.
  let isImplementation: @Sendable (DeclSyntax) -> Bool

  static let all = [
    Synthesis(protocols: ["Equatable", "Hashable", "Comparable"], isForValues: true) {
      $0.as(FunctionDeclSyntax.self)?.name.text == "=="
    },
    Synthesis(protocols: ["Hashable"], isForValues: true) {
      $0.as(FunctionDeclSyntax.self)?.name.text == "hash"
    },
    Synthesis(protocols: ["Codable", "Encodable"], isForValues: false) {
      $0.as(FunctionDeclSyntax.self)?.name.text == "encode"
    },
    Synthesis(protocols: ["Codable", "Decodable"], isForValues: false) {
      $0.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first?.firstName.text
        == "from"
    },
  ]
}

extension DeclSyntax {
  /// Whether the declaration is an enum case or a stored property of instances.
  fileprivate var isStoredInValues: Bool {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.isStored && !variable.modifiers.isStatic
    }
    return self.is(EnumCaseDeclSyntax.self)
  }
}

extension Syntax {
  /// The names in the values of variables without a type, except in arguments and closures.
  fileprivate var valueNames: [TokenSyntax] {
    guard let variable = self.as(VariableDeclSyntax.self) else { return [] }
    return variable.bindings.filter { $0.typeAnnotation == nil }.compactMap(\.initializer?.value)
      .flatMap { value in
        let names =
          value.descendants(DeclReferenceExprSyntax.self).map(\.baseName) + value.mentionedTypes
        return names.filter { name in
          !name.ancestors.prefix { $0 != Syntax(value) }.contains {
            $0.is(LabeledExprSyntax.self) || $0.is(ClosureExprSyntax.self)
          }
        }
      }
  }
}
