import SwiftSyntax

/// A declaration whose isolation the migration decides.
///
/// It is a type, an extension, or a function or variable outside types.
struct MigrationUnit: Sendable {
  let file: Int
  let node: DeclSyntax
  /// The full name of the type, or the name of the function or variable.
  let name: String
  let kind: Kind

  enum Kind: Sendable { case type(DeclaredType.Kind), function, variable }

  var isExtension: Bool {
    if case .type(.extension) = kind { true } else { false }
  }

  /// The place for `nonisolated`: after access modifiers, before other modifiers and the keyword.
  var insertionOffset: Int? {
    let modifiers: DeclModifierListSyntax
    let keyword: TokenSyntax
    if let type = node.asProtocol((any DeclGroupSyntax).self) {
      modifiers = type.modifiers
      keyword = type.introducer
    } else if let function = node.as(FunctionDeclSyntax.self) {
      modifiers = function.modifiers
      keyword = function.funcKeyword
    } else if let variable = node.as(VariableDeclSyntax.self) {
      // A stored global variable cannot be nonisolated.
      guard !(variable.isVar && variable.isStored) else { return nil }
      modifiers = variable.modifiers
      keyword = variable.bindingSpecifier
    } else {
      return nil
    }
    let access: Set<String> = ["public", "package", "internal", "fileprivate", "private", "open"]
    return modifiers.first { !access.contains($0.name.text) }?.start ?? keyword.start
  }
}

/// The units of a module, found by place and by name.
struct MigrationUnits: Sendable {
  private(set) var units: [MigrationUnit] = []
  private var indices: [SyntaxIdentifier: Int] = [:]
  private var byName: [String: [Int]] = [:]

  /// - Parameter files: The module's files. A unit's `file` is an index of this array.
  init(_ files: [CheckedFile]) {
    for (index, file) in files.enumerated() {
      for type in file.facts.types where !type.isLocal {
        add(
          MigrationUnit(file: index, node: type.node, name: type.name, kind: .type(type.kind)),
          names: type.kind == .extension
            ? [] : [type.name.split(separator: ".").last.map(String.init) ?? type.name])
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
    // Without an index, the name of a member refers to all types and extensions with such a member.
    for (index, unit) in units.enumerated() {
      guard let group = unit.node.asProtocol((any DeclGroupSyntax).self) else { continue }
      for member in group.memberBlock.members {
        let names =
          member.decl.as(FunctionDeclSyntax.self).map { [$0.name.text] }
          ?? member.decl.as(VariableDeclSyntax.self)?.boundNames ?? []
        for name in names { byName[name, default: []].append(index) }
      }
    }
  }

  private mutating func add(_ unit: MigrationUnit, names: [String]) {
    indices[unit.node.id] = units.count
    for name in names { byName[name, default: []].append(units.count) }
    units.append(unit)
  }

  func index(of node: some SyntaxProtocol) -> Int? { indices[Syntax(node).id] }

  /// The units that a name can refer to.
  func named(_ name: String) -> [Int] { byName[name] ?? [] }

  /// The innermost unit around a node, or the node's own unit.
  func enclosing(_ node: some SyntaxProtocol) -> Int? {
    if let own = index(of: node) { return own }
    return node.ancestors.lazy.compactMap { indices[$0.id] }.first
  }
}

extension DeclSyntaxProtocol {
  /// Whether the declaration is outside types and functions.
  ///
  /// It may be inside `#if`.
  var isAtFileScope: Bool {
    ancestors.allSatisfy { ancestor in
      switch ancestor.kind {
      case .codeBlockItem, .codeBlockItemList, .sourceFile, .ifConfigDecl, .ifConfigClause,
        .ifConfigClauseList:
        true
      default: false
      }
    }
  }
}

extension DeclGroupSyntax {
  /// `class`, `extension` and so on.
  fileprivate var introducer: TokenSyntax {
    let node = Syntax(self)
    return node.as(ClassDeclSyntax.self)?.classKeyword
      ?? node.as(StructDeclSyntax.self)?.structKeyword
      ?? node.as(EnumDeclSyntax.self)?.enumKeyword
      ?? node.as(ProtocolDeclSyntax.self)?.protocolKeyword
      ?? node.as(ActorDeclSyntax.self)?.actorKeyword
      ?? node.as(ExtensionDeclSyntax.self)?.extensionKeyword ?? memberBlock.leftBrace
  }
}
