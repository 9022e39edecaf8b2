import SwiftSyntax

/// Whether an argument names the main queue.
enum QueueUse {
  case main
  case other
  case unknown

  private static let mainPaths: Set<String> = [
    "DispatchQueue.main", "OperationQueue.main", "RunLoop.main", ".main",
  ]
  private static let makers: Set<String> = [
    "DispatchQueue", "DispatchQueue.init", "DispatchQueue.global", ".global", "OperationQueue",
    "OperationQueue.init",
  ]

  /// Reads an expression; follows a name to its declaration in the function or the type around it.
  init(_ expression: ExprSyntax, in file: CheckedFile) {
    if let call = expression.as(FunctionCallExprSyntax.self) {
      self = QueueUse.makers.contains(call.calleePath ?? "") ? .other : .unknown
      return
    }
    guard let path = expression.path else {
      self = .unknown
      return
    }
    if QueueUse.mainPaths.contains(path) {
      self = .main
      return
    }
    guard let value = file.value(of: expression), value.id != expression.id,
      value.is(FunctionCallExprSyntax.self) || QueueUse.mainPaths.contains(value.path ?? "")
    else {
      self = .unknown
      return
    }
    self = QueueUse(value, in: file)
  }
}

extension CheckedFile {
  /// The value that the function or the type around a name gives it; nil if there are several.
  func value(of expression: ExprSyntax) -> ExprSyntax? {
    guard let name = expression.memberOfSelf,
      expression.path?.split(separator: ".").last.map(String.init) == name
    else { return nil }
    if let body = expression.enclosingBody {
      let values = values(of: name, in: body)
      if !values.isEmpty { return values.count == 1 ? values[0] : nil }
    }
    guard let type = enclosingType(of: expression).flatMap({ types.entries[$0] }) else {
      return nil
    }
    let values = type.everyMember.flatMap { self.values(of: name, in: Syntax($0)) }
    return values.count == 1 ? values[0] : nil
  }

  private func values(of name: String, in node: Syntax) -> [ExprSyntax] {
    let bindings = node.descendants(PatternBindingSyntax.self).compactMap { binding in
      binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
        ? binding.initializer?.value : nil
    }
    let assignments = node.descendants(SequenceExprSyntax.self).compactMap { sequence in
      sequence.elements.count == 3 && sequence.isAssignment
        && sequence.elements.first?.memberOfSelf == name
        && sequence.elements.last?.is(NilLiteralExprSyntax.self) != true
        ? sequence.elements.last : nil
    }
    return bindings + assignments
  }
}
