import SwiftSyntax

/// Finds the declarations that identifiers refer to, without an index.
///
/// A name is looked up as the compiler looks it up: local names, members of the type around the code
/// and of the types around that, then the module. The type of a base such as `feed` in `feed.load()`
/// is known if declarations state it. Otherwise a member counts only if all types of the module that
/// have a member with this name belong to one family: a type and its superclasses and protocols, or a
/// protocol and the types that conform to it.
final class NameReferences {
  private let units: MigrationUnits
  /// The files of the module and of the modules that use it, by path.
  private let files: [String: CheckedFile]
  /// The file whose table knows the types of the module.
  private let home: CheckedFile?
  private var localNames: [SyntaxIdentifier: Set<String>] = [:]
  private var enclosing: [SyntaxIdentifier: String?] = [:]
  private var parents: [String: [String]] = [:]
  private var unique: [Use: [Syntax]] = [:]

  /// A name with the labels of the arguments, if it is called.
  private struct Use: Hashable {
    let name: String
    let labels: [String]?
  }

  init(_ files: [CheckedFile], others: [CheckedFile], _ units: MigrationUnits) {
    self.units = units
    home = files.first
    self.files = Dictionary(
      (files + others).map { ($0.source.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func declarations(of token: TokenSyntax, in source: SourceFile) -> [Syntax] {
    if let segment = token.interpolation { return units.interpolations(for: segment) }
    guard let file = files[source.path], let node = token.parent else { return [] }
    switch node.kind {
    case .identifierType, .memberType:
      guard let type = resolve(node.typePath, at: node, file) else { return [] }
      return units.declarations(ofType: type)
    case .declReferenceExpr:
      return references(of: token, Syntax(node), file)
    default:
      let found = units.declarations(named: token)
      // The types of the operands, which are unknown, decide which operator or subscript is used.
      return found.count == 1 ? found : []
    }
  }

  private func references(
    of token: TokenSyntax, _ node: Syntax, _ file: CheckedFile
  ) -> [Syntax] {
    let name = token.text
    guard let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id
    else {
      if let type = resolve([name], at: node, file) {
        return units.declarations(ofType: type) + initializers(of: type, token)
      }
      return unqualified(token, file).matching(token)
    }
    if let type = typeNamed(by: ExprSyntax(access), file) {
      return units.declarations(ofType: type) + initializers(of: type, token)
    }
    guard let base = access.base else { return unique(name, token) }
    if let path = base.path, path.first?.isUppercase == true, path != "Self" {
      guard let type = typeNamed(by: base, file) else {
        return units.members(name, of: path).matching(token)
      }
      return name == "init"
        ? initializers(of: type, token) : members(name, of: type).matching(token)
    }
    if ["self", "Self", "super"].contains(base.path ?? "") {
      guard let type = self.type(around: node, file) else { return [] }
      return members(name, of: type).matching(token)
    }
    switch ExpressionTypes(file).type(of: base).unwrapped {
    case .named(let type, _): return members(name, of: type).matching(token)
    case .list: return units.members(name, of: "Array").matching(token)
    case .table: return units.members(name, of: "Dictionary").matching(token)
    case .tuple, .callback: return []
    case .optional, .unknown: return unique(name, token)
    }
  }

  /// The members with this name, if they belong to one type and to types that it inherits from.
  private func unique(_ name: String, _ token: TokenSyntax) -> [Syntax] {
    let use = Use(name: name, labels: token.labelsOfCall)
    if let known = unique[use] { return known }
    let found = units.owners(ofMember: name)
    let owners = found.filter { !units.members(name, of: $0).matching(use.labels).isEmpty }
    let owner =
      owners.first { family(of: $0).isSuperset(of: owners) }
      // Several types satisfy a requirement of one protocol.
      ?? owners.first { owner in owners.allSatisfy { family(of: $0).contains(owner) } }
    let members = owner.map { units.members(name, of: $0).matching(use.labels) } ?? []
    unique[use] = members
    return members
  }

  private func unqualified(_ token: TokenSyntax, _ file: CheckedFile) -> [Syntax] {
    let name = token.text
    if let scope = token.migrationScope, names(in: scope).contains(name) { return [] }
    var type = self.type(around: Syntax(token), file) ?? ""
    while !type.isEmpty {
      let found = members(name, of: type)
      if !found.isEmpty { return found }
      type = type.lastIndex(of: ".").map { String(type[..<$0]) } ?? ""
    }
    return units.globals(named: name)
  }

  /// The names of parameters and variables in a function.
  private func names(in scope: Syntax) -> Set<String> {
    if let known = localNames[scope.id] { return known }
    var names: Set<String> = []
    for token in scope.tokens(viewMode: .sourceAccurate) {
      switch token.parent?.kind {
      case .identifierPattern:
        // The scope can be the variable itself.
        if token.parent?.isLocalDeclaration == true { names.insert(token.text) }
      case .functionParameter, .closureParameter, .closureShorthandParameter:
        names.insert(token.text)
      default: break
      }
    }
    localNames[scope.id] = names
    return names
  }

  // MARK: Types

  private func type(around node: Syntax, _ file: CheckedFile) -> String? {
    guard
      let block = node.ancestors.first(where: {
        $0.isProtocol((any DeclGroupSyntax).self)
      })
    else { return nil }
    if let known = enclosing[block.id] { return known }
    let type = file.enclosingType(of: node)
    enclosing[block.id] = .some(type)
    return type
  }

  /// The full name of the type of the module with this name.
  private func resolve(_ path: [String], at node: Syntax, _ file: CheckedFile) -> String? {
    guard !path.isEmpty, path.last?.first?.isUppercase == true else { return nil }
    return home?.types.resolve(path.joined(separator: "."), in: type(around: node, file) ?? "")
  }

  /// The type that an expression such as `Feed` or `Feed.Item` names.
  private func typeNamed(by expression: ExprSyntax, _ file: CheckedFile) -> String? {
    guard let path = expression.path else { return nil }
    return resolve(
      path.split(separator: ".").map(String.init), at: Syntax(expression), file)
  }

  private func initializers(of type: String, _ token: TokenSyntax) -> [Syntax] {
    let isInitializer = token.tokenKind == .keyword(.`init`)
    return isInitializer || token.isCalled ? units.members("init", of: type).matching(token) : []
  }

  /// The members of the first type with the name: the type itself, then those that it inherits from.
  private func members(_ name: String, of type: String) -> [Syntax] {
    var waiting = [type]
    var visited: Set<String> = []
    while !waiting.isEmpty {
      let found = waiting.flatMap { units.members(name, of: $0) }
      if !found.isEmpty { return found }
      visited.formUnion(waiting)
      waiting = waiting.flatMap { parents(of: $0) }.filter { !visited.contains($0) }
    }
    return []
  }

  private func family(of type: String) -> Set<String> {
    var family: Set<String> = []
    var waiting = [type]
    while let next = waiting.popLast() {
      if family.insert(next).inserted { waiting += parents(of: next) }
    }
    return family
  }

  private func parents(of type: String) -> [String] {
    if let known = parents[type] { return known }
    let types = home?.types
    let scope = type.lastIndex(of: ".").map { String(type[..<$0]) } ?? ""
    let found = (types?.entries[type]?.allInheritedNames ?? []).map {
      types?.resolve($0, in: scope) ?? $0
    }
    parents[type] = found
    return found
  }
}

extension Syntax {
  /// The names of a type such as `Feed.Item`.
  fileprivate var typePath: [String] {
    if let member = self.as(MemberTypeSyntax.self) {
      return Syntax(member.baseType).typePath + [member.name.text]
    }
    return self.as(IdentifierTypeSyntax.self).map { [$0.name.text] } ?? []
  }
}

extension TokenSyntax {
  /// The labels of the arguments, if the token names the function of a call.
  fileprivate var labelsOfCall: [String]? {
    guard isCalled,
      let call = ancestors.lazy.compactMap({ $0.as(FunctionCallExprSyntax.self) }).first
    else { return nil }
    return call.arguments.map { $0.label?.text ?? "_" }
  }
}

extension [Syntax] {
  fileprivate func matching(_ token: TokenSyntax) -> [Syntax] {
    isEmpty ? self : matching(token.labelsOfCall)
  }

  /// The declarations that a call can refer to by the labels of its arguments.
  fileprivate func matching(_ labels: [String]?) -> [Syntax] {
    guard let labels else { return self }
    return filter { declaration in
      let parameters =
        declaration.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
        ?? declaration.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
      return parameters.map { labels.canCall($0) } ?? true
    }
  }
}

extension [String] {
  /// Whether the parameters have the labels, in their order.
  fileprivate func canCall(_ parameters: FunctionParameterListSyntax) -> Bool {
    var rest = parameters.map(\.firstName.text)[...]
    for label in self {
      guard let index = rest.firstIndex(of: label) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }
}
