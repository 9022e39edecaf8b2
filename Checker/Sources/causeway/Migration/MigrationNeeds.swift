import SwiftSyntax

/// Decides which declarations must be nonisolated because code off the main actor refers to them.
///
/// It follows the compiler (6.3): a stored property of a struct, an enum case and an `async`
/// function of a main-actor type can be used from everywhere, a method or a computed property
/// cannot. A conformance of a main-actor type can only be used on the main actor.
struct MigrationNeeds {
  /// A conformance that code off the main actor may use.
  struct Conformance: Hashable {
    /// The units that state the conformance.
    let unit: Int
    /// The units of the protocol; empty if another module declares it.
    ///
    /// The conformance to a protocol of the main actor can be used from everywhere.
    let requirement: Set<Int>
  }

  let units: MigrationUnits
  let references: MigrationPlan.References
  private let files: [CheckedFile]
  /// The files of the module and of the modules that use it, by the roots of their trees.
  private let sources: [SyntaxIdentifier: SourceFile]
  private var uses: [SyntaxIdentifier: ProtocolUses] = [:]

  init(
    files: [CheckedFile], others: [CheckedFile], units: MigrationUnits,
    references: MigrationPlan.References
  ) {
    self.files = files
    self.units = units
    self.references = references
    sources = Dictionary(
      (files + others).map { (Syntax($0.source.tree).id, $0.source) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The file of a node.
  func source(of node: Syntax) -> SourceFile? { sources[node.root.id] }

  /// Whether a declaration of the main actor cannot be used off the main actor.
  func isNeeded(_ declaration: Syntax, by token: TokenSyntax) -> Bool {
    if declaration.isLocalDeclaration { return false }
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return function.signature.effectSpecifiers?.asyncSpecifier == nil
        && !isExplicit(function.attributes, function.modifiers)
    }
    if let initializer = declaration.as(InitializerDeclSyntax.self) {
      return initializer.signature.effectSpecifiers?.asyncSpecifier == nil
        && !isExplicit(initializer.attributes, initializer.modifiers)
    }
    if let variable = declaration.as(VariableDeclSyntax.self) { return isNeeded(variable) }
    if let member = declaration.as(SubscriptDeclSyntax.self) {
      return !isExplicit(member.attributes, member.modifiers)
    }
    if let type = declaration.asProtocol((any DeclGroupSyntax).self) {
      return isNeeded(type, by: token)
    }
    return false
  }

  private func isExplicit(
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax
  ) -> Bool {
    Isolation.explicit(attributes, modifiers, globalActors: []) != nil
  }

  private func isNeeded(_ variable: VariableDeclSyntax) -> Bool {
    if isExplicit(variable.attributes, variable.modifiers) { return false }
    let accessors = variable.bindings.compactMap { $0.accessorBlock }
    guard variable.isStored else {
      return !accessors.contains(where: \.isAsync)
    }
    let outer = variable.ancestors.first { $0.isProtocol((any DeclGroupSyntax).self) }
    guard let outer, !variable.modifiers.isStatic, !outer.is(ProtocolDeclSyntax.self),
      !variable.modifiers.has(.lazy), variable.attributes.isEmpty
    else { return true }
    if outer.is(ClassDeclSyntax.self), variable.isVar { return true }
    return !variable.bindings.allSatisfy { binding in
      binding.typeAnnotation.map { isSendable($0.type) } ?? binding.initializer?.value.isPlain
        ?? false
    }
  }

  /// Whether a use of the type's name needs a nonisolated type.
  ///
  /// The compiler uses types such as property wrappers itself, and an implicit initializer can
  /// compute the values of the type's properties.
  private func isNeeded(_ type: any DeclGroupSyntax, by token: TokenSyntax) -> Bool {
    let builtIn: Set<String> = [
      "propertyWrapper", "resultBuilder", "dynamicMemberLookup", "dynamicCallable",
    ]
    if !builtIn.isDisjoint(with: type.attributes.names) { return true }
    guard token.isCalled else { return false }
    let members = type.memberBlock.members.declarations
    guard !members.contains(where: { $0.is(InitializerDeclSyntax.self) }) else { return false }
    return members.compactMap { $0.as(VariableDeclSyntax.self) }.contains { variable in
      !variable.modifiers.isStatic && !variable.modifiers.has(.lazy)
        && variable.bindings.contains { $0.initializer.map { !$0.value.isPlain } ?? false }
    }
  }

  /// Whether values of the type can leave their actor, as far as its names show it.
  private func isSendable(_ type: TypeSyntax) -> Bool {
    if let optional = type.as(OptionalTypeSyntax.self) { return isSendable(optional.wrappedType) }
    if let array = type.as(ArrayTypeSyntax.self) { return isSendable(array.element) }
    if let map = type.as(DictionaryTypeSyntax.self) {
      return isSendable(map.key) && isSendable(map.value)
    }
    if let tuple = type.as(TupleTypeSyntax.self) {
      return tuple.elements.allSatisfy { isSendable($0.type) }
    }
    if let attributed = type.as(AttributedTypeSyntax.self) {
      return attributed.attributes.first(named: "Sendable") != nil
        || attributed.attributes.first(named: "MainActor") != nil
    }
    guard let named = type.as(IdentifierTypeSyntax.self) else {
      return type.simpleName.map { files.first?.types.type($0) != nil } ?? false
    }
    if let arguments = named.genericArgumentClause {
      guard ["Set", "Array", "Dictionary", "Optional", "Result"].contains(named.name.text) else {
        return false
      }
      return arguments.arguments.allSatisfy { argument in
        guard case .type(let type) = argument.argument else { return false }
        return isSendable(type)
      }
    }
    if MigrationNeeds.sendable.contains(named.name.text) { return true }
    // A class that stays nonisolated is not Sendable.
    guard let entry = files.first?.types.type(named.name.text) else { return false }
    return [.struct, .enum, .actor].contains(entry.kind)
  }

  private static let sendable: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Bool", "Double", "Float", "CGFloat", "String", "Substring", "Character", "Date", "Data",
    "URL", "UUID", "Decimal", "TimeInterval", "Duration", "Locale", "TimeZone", "Calendar",
    "CGPoint", "CGSize", "CGRect", "IndexPath", "IndexSet", "URLRequest", "StaticString",
  ]

  /// The conformances that code may use where it mentions a declaration.
  mutating func conformances(of declaration: Syntax, by token: TokenSyntax) -> Set<Conformance> {
    guard let scope = token.migrationScope else { return [] }
    let types =
      declaration.isProtocol((any DeclGroupSyntax).self)
      ? [(declaration, token)] : types(of: declaration)
    var found: Set<Conformance> = []
    for (type, name) in types {
      guard let group = type.asProtocol((any DeclGroupSyntax).self),
        !type.is(ProtocolDeclSyntax.self),
        !type.is(ActorDeclSyntax.self), let unit = units.index(of: type)
      else { continue }
      let uses = protocolUses(in: scope)
      let isKey = name.isKeyOfDictionary
      for (stated, index) in statements(of: unit) {
        for parent in stated {
          let requirement = Set(units.types(named: parent).filter(units.isProtocol))
          guard token.isMetatype || !requirement.isEmpty || uses.uses(parent, of: group, isKey)
          else { continue }
          found.insert(Conformance(unit: index, requirement: requirement))
        }
      }
    }
    return found
  }

  private mutating func protocolUses(in scope: Syntax) -> ProtocolUses {
    if let known = uses[scope.id] { return known }
    let source = source(of: scope)
    let found = ProtocolUses(scope) { token in
      source.map { references.declarations(token, $0) } ?? []
    }
    uses[scope.id] = found
    return found
  }

  /// The protocols that the declaration and the extensions of a type state.
  func statements(of unit: Int) -> [(names: [String], unit: Int)] {
    units.parts(of: unit).map { part in
      let node = units.units[part].node
      var names = node.asProtocol((any DeclGroupSyntax).self)?.inheritedNames ?? []
      // An enum without associated values is Hashable. An enum with raw values compares the raw
      // values.
      if let value = node.as(EnumDeclSyntax.self), value.isPlain,
        MigrationNeeds.sendable.isDisjoint(with: names)
      {
        names.append("Hashable")
      }
      return (names, part)
    }
  }
}
