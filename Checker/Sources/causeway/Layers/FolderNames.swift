import SwiftSyntax

/// The names that a file declares for the other folders of its module, and the names that it uses.
///
/// A name of a member is `Type.member`. A function and an initializer have the label of their first
/// argument: `Type.init(id:`. A use of a member whose type is unknown is `.member`, and a use of
/// a type inside another type is `Outer|Type`.
struct FolderNames: Equatable, Sendable {
  /// Types outside other types.
  var types: Set<String> = []
  /// Functions and variables outside types.
  var globals: Set<String> = []
  var members: Set<String> = []
  /// The members that extensions declare.
  var extensionMembers: Set<String> = []
  /// The declarations that the code may use, some of them from other modules.
  var uses: Set<String> = []

  init() {}

  init(_ file: SourceFile, _ facts: FileFacts) {
    let hidden = declare(facts)
    uses = Set(FolderUses(file).offsets.keys).subtracting(hidden.map { "." + $0 })
  }

  /// Adds the declarations of a file; returns the names of the members that only the file sees.
  private mutating func declare(_ facts: FileFacts) -> Set<String> {
    var hidden: Set<String> = []
    for type in facts.types where !type.isLocal {
      let isPrivate = type.modifiers.isPrivate
      if !isPrivate, type.kind != .extension, type.node.isAtFileScope { types.insert(type.name) }
      for member in type.members {
        let names = member.decl.folderNames
        if isPrivate || member.decl.isPrivate {
          hidden.formUnion(names)
          continue
        }
        for name in names {
          members.insert("\(type.name).\(name)")
          if type.kind == .extension { extensionMembers.insert("\(type.name).\(name)") }
        }
      }
    }
    let functions = facts.functions.filter(\.isAtFileScope).map { DeclSyntax($0) }
    let variables = facts.variables.filter(\.isAtFileScope).map { DeclSyntax($0) }
    for declaration in functions + variables where !declaration.isPrivate {
      globals.formUnion(declaration.folderNames)
    }
    for alias in facts.aliases where alias.isAtFileScope && !alias.modifiers.isPrivate {
      types.insert(alias.name.text)
    }
    return hidden
  }
}

extension DeclModifierListSyntax {
  /// Whether only the file, or a part of it, sees the declaration.
  fileprivate var isPrivate: Bool {
    contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }
}

extension DeclSyntax {
  fileprivate var isPrivate: Bool {
    asProtocol((any WithModifiersSyntax).self)?.modifiers.isPrivate == true
  }

  /// The names of a declaration, without the type around it.
  fileprivate var folderNames: [String] {
    if let function = self.as(FunctionDeclSyntax.self) {
      return [function.name.text + function.signature.parameterClause.firstLabel]
    }
    if let initializer = self.as(InitializerDeclSyntax.self) {
      return ["init" + initializer.signature.parameterClause.firstLabel]
    }
    if let variable = self.as(VariableDeclSyntax.self) { return variable.boundNames }
    if let cases = self.as(EnumCaseDeclSyntax.self) { return cases.elements.map(\.name.text) }
    if let alias = self.as(TypeAliasDeclSyntax.self) { return [alias.name.text] }
    return Syntax(self).declaredTypeName.map { [$0] } ?? []
  }
}

extension FunctionParameterClauseSyntax {
  /// `(id:`; empty if the first argument has no label.
  fileprivate var firstLabel: String {
    guard let name = parameters.first?.firstName.text, name != "_" else { return "" }
    return "(\(name):"
  }
}
