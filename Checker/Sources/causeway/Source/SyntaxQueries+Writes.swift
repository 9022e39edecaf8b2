import SwiftSyntax

extension SequenceExprSyntax {
  /// Whether the expression assigns its first element, with `=` or an operator such as `+=`.
  var isAssignment: Bool {
    guard elements.count >= 3, let symbol = elements.dropFirst().first else { return false }
    if symbol.is(AssignmentExprSyntax.self) { return true }
    guard let text = symbol.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
    return text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(text)
  }
}

extension ExprSyntax {
  /// The property of `self` to which a path belongs: `x` for `x`, `self.x`, `self?.x.y` and `x[0].y`.
  ///
  /// A plain name can also be a local variable.
  var memberOfSelf: String? {
    var names: [String] = []
    var current = self
    while true {
      if let member = current.as(MemberAccessExprSyntax.self) {
        names.append(member.declName.baseName.text)
        guard let base = member.base else { return nil }
        current = base
      } else if let call = current.as(SubscriptCallExprSyntax.self) {
        current = call.calledExpression
      } else if let optional = current.as(OptionalChainingExprSyntax.self) {
        current = optional.expression
      } else if let forced = current.as(ForceUnwrapExprSyntax.self) {
        current = forced.expression
      } else if let reference = current.as(DeclReferenceExprSyntax.self) {
        names.append(reference.baseName.text)
        break
      } else {
        return nil
      }
    }
    let path = names.reversed().drop { $0 == "self" }
    return path.first
  }
}

extension SyntaxProtocol {
  /// Methods of the standard library's collections and of `Bool` that change their value.
  private static var mutatingMethods: Set<String> {
    [
      "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue",
      "removeSubrange", "popFirst", "popLast", "updateValue", "merge", "formUnion", "subtract",
      "formIntersection", "toggle", "sort", "reverse", "swapAt", "reserveCapacity",
    ]
  }

  /// The properties of `self`, or local variables, that the code assigns or changes in place.
  var writtenMembers: Set<String> { Set(memberWrites.map(\.name)) }

  /// The changes of properties of `self`, or of local variables, and the changing code.
  var memberWrites: [(name: String, node: Syntax)] {
    var writes: [(name: String, node: Syntax)] = []
    for sequence in descendants(SequenceExprSyntax.self) where sequence.isAssignment {
      if let name = sequence.elements.first?.memberOfSelf {
        writes.append((name, Syntax(sequence)))
      }
    }
    for call in descendants(FunctionCallExprSyntax.self) {
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        Self.mutatingMethods.contains(member.declName.baseName.text),
        let name = member.base?.memberOfSelf
      else { continue }
      writes.append((name, Syntax(call)))
    }
    for reference in descendants(InOutExprSyntax.self) {
      if let name = reference.expression.memberOfSelf { writes.append((name, Syntax(reference))) }
    }
    return writes
  }

  /// Whether the code declares a parameter or a local variable with this name.
  func declaresLocally(_ name: String) -> Bool {
    descendants(IdentifierPatternSyntax.self).contains { $0.identifier.text == name }
      || descendants(FunctionParameterSyntax.self).contains {
        ($0.secondName ?? $0.firstName).text == name
      }
      || descendants(ClosureExprSyntax.self).contains { $0.parameterNames.contains(name) }
  }
}
