import SwiftSyntax

/// The protocols whose conformances the code of a declaration may use, by the names in it.
///
/// The syntax shows no types. So `items.sorted()` is a use of `Comparable`, whatever it sorts, but
/// `count == 1` is no use of the `Equatable` of another type.
struct ProtocolUses {
  private var names: Set<String> = []
  private var comparesUnknown = false
  /// The names of members that the code compares with a value: `case` in `state == .case`.
  private var comparedMembers: Set<String> = []

  /// Protocols that code uses without their names, for example in a `for` loop.
  private static let unclear: Set<String> = [
    "Sequence", "Collection", "IteratorProtocol", "AsyncSequence", "AsyncIteratorProtocol",
    "OptionSet", "SetAlgebra", "Strideable", "TextOutputStream",
  ]

  /// - Parameters:
  ///   - scope: A function, initializer, subscript or variable.
  ///   - declarations: Finds the declarations that an identifier refers to.
  init(_ scope: Syntax, declarations: (TokenSyntax) -> [Syntax]) {
    for token in scope.tokens(viewMode: .sourceAccurate) {
      guard let parent = token.parent else { continue }
      if case .binaryOperator(let symbol) = token.tokenKind {
        noteOperator(symbol, Syntax(parent))
      } else if parent.is(ExpressionSegmentSyntax.self) {
        names.insert("\\(")
      } else if parent.is(SubscriptCallExprSyntax.self) {
        names.insert("[]")
      } else if case .identifier(let name) = token.tokenKind {
        if !token.isCalledWithClosureOrIndex { names.insert(name) }
        // A generic function of the module names the protocols that it requires.
        for declaration in declarations(token) {
          guard let function = declaration.as(FunctionDeclSyntax.self) else { continue }
          names.formUnion(function.requiredNames)
        }
      }
    }
  }

  private mutating func noteOperator(_ symbol: String, _ node: Syntax) {
    guard ["==", "!="].contains(symbol) else {
      if ["<", ">", "<=", ">=", "...", "..<"].contains(symbol) { names.insert("<") }
      return
    }
    guard let list = node.parent?.as(ExprListSyntax.self) else { return }
    let parts = Array(list)
    guard let place = parts.firstIndex(where: { Syntax($0) == node }), place > 0,
      place + 1 < parts.count
    else { return }
    let operands = [parts[place - 1], parts[place + 1]].map(\.withoutEffects)
    if operands.contains(where: { $0.isPlain || $0.is(NilLiteralExprSyntax.self) }) { return }
    let members = operands.compactMap { operand -> String? in
      guard let member = operand.as(MemberAccessExprSyntax.self), member.base == nil else {
        return nil
      }
      return member.declName.baseName.text
    }
    if members.isEmpty { comparesUnknown = true } else { comparedMembers.formUnion(members) }
  }

  /// Whether the code may use the conformance of a type to another module's protocol.
  func uses(_ name: String, of type: any DeclGroupSyntax, _ isKey: Bool) -> Bool {
    switch name {
    case "Equatable": return usesEquatable(type)
    case "Hashable":
      return isKey || usesEquatable(type)
        || !names.isDisjoint(with: [
          "Set", "Dictionary", "insert", "remove", "update", "union", "subtract", "subtracting",
          "intersection", "formUnion", "hash", "hashValue", "combine", "grouping", "Hashable",
          "uniqueKeysWithValues", "AnyHashable", "[]",
        ])
    case "Comparable":
      return !names.isDisjoint(with: ["<", "sorted", "sort", "min", "max", "Comparable"])
    case "Codable", "Encodable", "Decodable":
      return !names.isDisjoint(with: [
        "encode", "decode", "encodeIfPresent", "decodeIfPresent", "Codable", "Encodable",
        "Decodable",
      ])
    case "CustomStringConvertible", "CustomDebugStringConvertible", "LosslessStringConvertible":
      return !names.isDisjoint(with: ["\\(", "print", "debugPrint", "dump", "String", name])
    case "Sendable", "CaseIterable", "RawRepresentable", "Identifiable", "AnyObject", "Copyable",
      "BitwiseCopyable", "ObservableObject", "Observable", "NSObject", "NSObjectProtocol":
      return false
    default:
      // Any code may use an unknown protocol. The conformances to protocols that refine Sendable are
      // never isolated.
      return ProtocolUses.unclear.contains(name)
        || !KnownNames.neutralProtocols.contains(name)
          && !KnownNames.refiningSendable.contains(name)
          && !KnownNames.isMainActor(name, importsUserInterface: true)
    }
  }

  private func usesEquatable(_ type: any DeclGroupSyntax) -> Bool {
    if comparesUnknown { return true }
    if !names.isDisjoint(with: [
      "contains", "firstIndex", "lastIndex", "Equatable", "elementsEqual",
    ]) {
      return true
    }
    if comparedMembers.isEmpty { return false }
    return type.memberBlock.members.contains { member in
      if let cases = member.decl.as(EnumCaseDeclSyntax.self) {
        return cases.elements.contains { comparedMembers.contains($0.name.text) }
      }
      if let variable = member.decl.as(VariableDeclSyntax.self), variable.modifiers.isStatic {
        return variable.boundNames.contains(where: comparedMembers.contains)
      }
      return false
    }
  }
}

extension FunctionDeclSyntax {
  /// The names in the generic parameters, the parameters and the `where` clause of a function.
  fileprivate var requiredNames: Set<String> {
    var parts = [Syntax(signature.parameterClause)]
    if let genericParameterClause { parts.append(Syntax(genericParameterClause)) }
    if let genericWhereClause { parts.append(Syntax(genericWhereClause)) }
    return Set(parts.flatMap { $0.descendants(IdentifierTypeSyntax.self).map(\.name.text) })
  }
}

extension TokenSyntax {
  /// Whether the token is called with a predicate or with an index, as in `contains(where:)`,
  /// `sorted { … }` and `remove(at:)`, which need no conformance.
  fileprivate var isCalledWithClosureOrIndex: Bool {
    guard
      let call = ancestors.prefix(3).lazy.compactMap({ $0.as(FunctionCallExprSyntax.self) }).first,
      call.calleeName == text
    else { return false }
    if call.trailingClosure != nil {
      return ["contains", "firstIndex", "lastIndex", "sorted", "sort", "min", "max"].contains(text)
    }
    return ["where", "at", "by"].contains(call.arguments.first?.label?.text)
      || call.arguments.count > 1 && call.arguments.last?.label?.text == "at"
  }
}
