import SwiftSyntax

/// The names that the code of a file uses, as `FolderNames` writes them, with their first places.
final class FolderUses: SyntaxAnyVisitor {
  /// The offset of the first use of each name.
  private(set) var offsets: [String: Int] = [:]
  /// The types around the code, outermost first.
  private var owners: [String] = []
  /// The names of parameters and local variables, which hide the declarations of other files.
  private var local: Set<String> = []
  private var declaredTypes: Set<String> = []
  private var bare: [(name: String, uses: [String], offset: Int)] = []

  init(_ file: SourceFile) {
    super.init(viewMode: .sourceAccurate)
    walk(file.tree)
    for use in bare where !local.contains(use.name) && !declaredTypes.contains(use.name) {
      for name in use.uses { note(name, use.offset) }
    }
    offsets = offsets.filter { name, _ in
      !declaredTypes.contains(String(name.split(separator: "|").last ?? ""))
    }
  }

  private func note(_ name: String, _ offset: Int) {
    offsets[name] = min(offsets[name] ?? offset, offset)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let name = node.declaredTypeName {
      declaredTypes.insert(name)
      owners.append(name)
    } else if let type = node.as(ExtensionDeclSyntax.self) {
      owners.append(type.extendedType.simpleName ?? "")
    }
    return .visitChildren
  }

  override func visitAnyPost(_ node: Syntax) {
    if node.declaredTypeName != nil || node.is(ExtensionDeclSyntax.self) { owners.removeLast() }
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    guard let parent = token.parent else { return .visitChildren }
    switch parent.kind {
    case .identifierPattern:
      if parent.ancestors.first(where: { $0.is(VariableDeclSyntax.self) })
        .map({ Syntax($0).isLocalDeclaration }) ?? true
      {
        local.insert(token.text)
      }
    case .functionParameter, .closureParameter, .closureShorthandParameter:
      local.insert(token.text)
    case .typeAliasDecl, .genericParameter, .associatedTypeDecl:
      if token.tokenKind.isIdentifier { declaredTypes.insert(token.text) }
    case .identifierType, .memberType, .declReferenceExpr:
      use(token, in: parent)
    default: break
    }
    return .visitChildren
  }

  private func use(_ token: TokenSyntax, in node: Syntax) {
    guard token.tokenKind.isIdentifier || token.tokenKind == .keyword(.Self) else { return }
    let name = token.tokenKind == .keyword(.Self) ? owners.last ?? "" : token.identifierText
    let offset = token.start
    let label = node.firstCallLabel
    let isMember =
      node.is(MemberTypeSyntax.self)
      || node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
    if isMember {
      note("." + name + label, offset)
      // A member of `self` is a member of the type around the code.
      let base = node.parent?.as(MemberAccessExprSyntax.self)?.base
      if base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "self", !owners.isEmpty {
        note(owners.joined(separator: ".") + "." + name + label, offset)
      }
    } else if name.first?.isUppercase == true {
      if token.tokenKind != .keyword(.Self) {
        note(owners.isEmpty ? name : owners.joined(separator: ".") + "|" + name, offset)
      }
      if !label.isEmpty { note("\(name).init\(label)", offset) }
    } else {
      let own = owners.isEmpty ? [] : [owners.joined(separator: ".") + "." + name + label]
      bare.append((name, [name + label] + own, offset))
    }
  }
}

extension Syntax {
  /// The label of the first argument if the node is called: `(id:`; empty if there is none.
  fileprivate var firstCallLabel: String {
    if let names = self.as(DeclReferenceExprSyntax.self)?.argumentNames {
      guard let name = names.arguments.first?.name.text, name != "_" else { return "" }
      return "(\(name):"
    }
    var node = self
    while let parent = node.parent {
      if let call = parent.as(FunctionCallExprSyntax.self) {
        guard call.calledExpression.id == node.id, let label = call.arguments.first?.label else {
          return ""
        }
        return "(\(label.text):"
      }
      let isName =
        parent.as(MemberAccessExprSyntax.self).map { $0.declName.id == node.id } ?? false
        || parent.is(GenericSpecializationExprSyntax.self)
      guard isName else { return "" }
      node = parent
    }
    return ""
  }
}

extension TokenSyntax {
  /// The name without backticks.
  fileprivate var identifierText: String { identifier?.name ?? text }
}

extension TokenKind {
  fileprivate var isIdentifier: Bool {
    if case .identifier = self { true } else { false }
  }
}
