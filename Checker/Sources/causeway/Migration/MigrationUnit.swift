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

  enum Kind: Sendable { case type(TypeHead.Kind), function, variable }

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
