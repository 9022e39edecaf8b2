import SwiftSyntax

/// The units of a module, found by place and by name.
struct MigrationUnits: Sendable {
  private(set) var units: [MigrationUnit] = []
  private var indices: [SyntaxIdentifier: Int] = [:]
  /// The declarations by name, for a migration without an index.
  private var byName: [String: [Syntax]] = [:]
  /// The units of a type and of its extensions, by the full name of the type.
  private var byType: [String: [Int]] = [:]
  private var fullNames: [Int: String] = [:]
  /// The members of each type and of its extensions, by the full name of the type.
  private var members: [String: [String: [Syntax]]] = [:]
  private var owners: [String: Set<String>] = [:]
  private var globals: [String: [Syntax]] = [:]

  /// Whether references come from an index.
  let areExact: Bool

  /// - Parameters:
  ///   - files: The module's files. A unit's `file` is an index of this array.
  ///   - areExact: Whether references come from an index.
  init(_ files: [CheckedFile], areExact: Bool) {
    self.areExact = areExact
    for (index, file) in files.enumerated() {
      for type in file.facts.types where !type.isLocal {
        let full = file.types.resolve(type.name) ?? type.name
        fullNames[units.count] = full
        byType[full, default: []].append(units.count)
        add(
          MigrationUnit(file: index, node: type.node, name: type.name, kind: .type(type.kind)),
          names: type.kind == .extension
            ? [] : [type.name.split(separator: ".").last.map(String.init) ?? type.name])
        for member in type.members.declarations { addMember(member, of: full) }
      }
      for function in file.facts.functions where function.isAtFileScope {
        add(
          MigrationUnit(
            file: index, node: DeclSyntax(function), name: function.name.text, kind: .function),
          names: [function.name.text])
      }
      for variable in file.facts.variables where variable.isAtFileScope {
        add(
          MigrationUnit(
            file: index, node: DeclSyntax(variable), name: variable.boundNames.first ?? "",
            kind: .variable), names: variable.boundNames)
      }
    }
  }

  private mutating func addMember(_ member: DeclSyntax, of type: String) {
    for name in Syntax(member).memberNames {
      members[type, default: [:]][name, default: []].append(Syntax(member))
      owners[name, default: []].insert(type)
    }
    let names =
      member.as(FunctionDeclSyntax.self).map { [$0.name.text] }
      ?? member.as(VariableDeclSyntax.self)?.boundNames
      ?? member.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.text) ?? []
    for name in names { byName[name, default: []].append(Syntax(member)) }
  }

  private mutating func add(_ unit: MigrationUnit, names: [String]) {
    indices[unit.node.id] = units.count
    if case .type = unit.kind {
    } else {
      for name in names { globals[name, default: []].append(Syntax(unit.node)) }
    }
    for name in names { byName[name, default: []].append(Syntax(unit.node)) }
    units.append(unit)
  }

  func index(of node: some SyntaxProtocol) -> Int? { indices[Syntax(node).id] }

  /// The declarations that a token can refer to by its name.
  func declarations(named token: TokenSyntax) -> [Syntax] {
    if let segment = token.interpolation { return interpolations(for: segment) }
    let found = byName[token.text] ?? []
    guard token.isCalled else { return found }
    let initializers = found.compactMap { index(of: $0) }.flatMap { parts(of: $0) }.flatMap {
      part in
      units[part].node.asProtocol((any DeclGroupSyntax).self)?.memberBlock.members
        .declarations.compactMap { $0.as(InitializerDeclSyntax.self).map { Syntax($0) } } ?? []
    }
    return found + initializers
  }

  /// The declarations of a type with a full name, without its extensions.
  func declarations(ofType name: String) -> [Syntax] {
    (byType[name] ?? []).filter { !units[$0].isExtension }.map { Syntax(units[$0].node) }
  }

  /// The members with this name in a type and its extensions.
  func members(_ name: String, of type: String) -> [Syntax] { members[type]?[name] ?? [] }

  /// The full names of the types that have a member with this name.
  func owners(ofMember name: String) -> Set<String> { owners[name] ?? [] }

  /// The functions and variables outside types.
  func globals(named name: String) -> [Syntax] { globals[name] ?? [] }

  /// The functions that the code for a part of a string literal can call, such as `\(price, in: unit)`.
  ///
  /// The literal does not name them, and the index has no reference to them.
  func interpolations(for segment: ExpressionSegmentSyntax) -> [Syntax] {
    let labels = segment.expressions.map { $0.label?.text ?? "_" }
    return (byName["appendInterpolation"] ?? []).filter { declaration in
      guard let function = declaration.as(FunctionDeclSyntax.self) else { return false }
      return labels.isSubsequence(of: function.signature.parameterClause.parameters)
    }
  }

  /// The innermost unit around a node, or the node's own unit.
  func enclosing(_ node: some SyntaxProtocol) -> Int? {
    if let own = index(of: node) { return own }
    return node.ancestors.lazy.compactMap { indices[$0.id] }.first
  }

  /// The units of a unit's type: its declaration and its extensions.
  func parts(of index: Int) -> [Int] {
    fullNames[index].flatMap { byType[$0] } ?? [index]
  }

  /// The types with this name, which may leave out the names of the types around them.
  func types(named name: String) -> [Int] {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    return (byName[last] ?? []).compactMap { index(of: $0) }
  }

  /// The extensions of protocols that implement a requirement for a type, with the protocols that
  /// have the requirement.
  ///
  /// The unit states the conformance, and its type has no own implementation.
  func defaultImplementations(for index: Int) -> [(extension: Int, protocol: Int)] {
    guard let group = units[index].node.asProtocol((any DeclGroupSyntax).self) else { return [] }
    var family: Set<Int> = []
    var waiting = group.inheritedNames.flatMap { types(named: $0) }
    while let parent = waiting.popLast() {
      guard isProtocol(parent), family.insert(parent).inserted else { continue }
      let names = units[parent].node.asProtocol((any DeclGroupSyntax).self)?.inheritedNames ?? []
      waiting += names.flatMap { types(named: $0) }
    }
    guard !family.isEmpty else { return [] }
    let own = Set(parts(of: index).flatMap { memberNames(of: $0) })
    let extensions = family.flatMap { parts(of: $0) }.filter { !isProtocol($0) }
    return family.flatMap { parent in
      let missing = memberNames(of: parent).subtracting(own)
      return extensions.filter { !missing.isDisjoint(with: memberNames(of: $0)) }
        .map { (extension: $0, protocol: parent) }
    }
  }

  /// The names of a unit's members, with the labels of their arguments.
  private func memberNames(of index: Int) -> Set<String> {
    guard let group = units[index].node.asProtocol((any DeclGroupSyntax).self) else { return [] }
    return Set(group.memberBlock.members.declarations.flatMap { Syntax($0).labeledNames })
  }

  func isProtocol(_ index: Int) -> Bool { units[index].node.is(ProtocolDeclSyntax.self) }

  /// The protocols in the inheritance clause of a type that require a member with the declaration's
  /// name.
  func protocols(requiring declaration: Syntax, of unit: Int) -> Set<Int> {
    let names = declaration.memberNames
    guard !names.isEmpty else { return [] }
    var found: Set<Int> = []
    for part in parts(of: unit) {
      let group = units[part].node.asProtocol((any DeclGroupSyntax).self)
      for parent in group?.inheritedNames ?? [] {
        for target in types(named: parent) {
          guard let type = units[target].node.as(ProtocolDeclSyntax.self),
            type.memberBlock.members.declarations.contains(where: {
              !names.isDisjoint(with: Syntax($0).memberNames)
            })
          else { continue }
          found.insert(target)
        }
      }
    }
    return found
  }
}

extension [String] {
  /// Whether a call with the labels can omit the other parameters, which have default values.
  fileprivate func isSubsequence(of parameters: FunctionParameterListSyntax) -> Bool {
    var rest = self[...]
    for parameter in parameters {
      if rest.first == parameter.firstName.text {
        rest.removeFirst()
      } else if parameter.defaultValue == nil {
        return false
      }
    }
    return rest.isEmpty
  }
}

extension FunctionParameterClauseSyntax {
  /// The labels of the arguments: `(_:at:)`.
  fileprivate var labels: String {
    "(" + parameters.map { $0.firstName.text + ":" }.joined() + ")"
  }
}

extension Syntax {
  /// The names of a function, variable, initializer or subscript, with the labels of its arguments.
  fileprivate var labeledNames: Set<String> {
    if let function = self.as(FunctionDeclSyntax.self) {
      return [function.name.text + function.signature.parameterClause.labels]
    }
    if let initializer = self.as(InitializerDeclSyntax.self) {
      return ["init" + initializer.signature.parameterClause.labels]
    }
    return memberNames
  }

  /// The names of a function, variable, initializer or subscript.
  fileprivate var memberNames: Set<String> {
    if let function = self.as(FunctionDeclSyntax.self) { return [function.name.text] }
    if let variable = self.as(VariableDeclSyntax.self) { return Set(variable.boundNames) }
    if self.is(InitializerDeclSyntax.self) { return ["init"] }
    return self.is(SubscriptDeclSyntax.self) ? ["subscript"] : []
  }
}
