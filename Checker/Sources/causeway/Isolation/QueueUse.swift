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
  ///
  /// A local constant hides a property with its name: `let timer = …; self.timer = timer`.
  func value(of expression: ExprSyntax) -> ExprSyntax? {
    guard let name = expression.memberOfSelf,
      expression.path?.split(separator: ".").last.map(String.init) == name
    else { return nil }
    if let body = expression.enclosingBody {
      let scope = ValueScope(name, in: body)
      if !expression.isMemberOfSelf, scope.hasLocal { return scope.localValue }
      let assigned = scope.assignedToProperty
      if !assigned.isEmpty { return assigned.count == 1 ? assigned[0] : nil }
    }
    guard let type = enclosingType(of: expression).flatMap({ types.entries[$0] }) else {
      return nil
    }
    let values = type.everyMember.flatMap { member -> [ExprSyntax?] in
      if let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored {
        return variable.bindings
          .filter { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name }
          .compactMap(\.initializer?.value)
      }
      return ValueScope(name, in: Syntax(member.decl)).assignedToProperty
    }
    return values.count == 1 ? values[0] : nil
  }
}

/// The values that one function gives to a local variable and to a property with the same name.
private struct ValueScope {
  /// Whether the function has a local variable, or a parameter, with the name.
  let hasLocal: Bool
  /// The only value of the local variable; nil for a parameter and for several values.
  let localValue: ExprSyntax?
  /// The values of the property; an element is nil if the value is a parameter of the function.
  let assignedToProperty: [ExprSyntax?]

  init(_ name: String, in body: Syntax) {
    let bindings = body.descendants(PatternBindingSyntax.self).filter {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
        && $0.parent?.parent?.as(VariableDeclSyntax.self)?.isMember != true
    }
    hasLocal = !bindings.isEmpty || body.declaresLocally(name)
    let assignments = body.descendants(SequenceExprSyntax.self).filter {
      $0.elements.count == 3 && $0.isAssignment && $0.elements.first?.memberOfSelf == name
        && $0.elements.first?.path?.split(separator: ".").last.map(String.init) == name
        && $0.elements.last?.is(NilLiteralExprSyntax.self) != true
    }
    var locals = bindings.compactMap(\.initializer?.value)
    var assigned: [ExprSyntax] = []
    for assignment in assignments {
      guard let target = assignment.elements.first, let value = assignment.elements.last else {
        continue
      }
      if hasLocal, !target.isMemberOfSelf {
        locals.append(value)
      } else {
        assigned.append(value)
      }
    }
    let local = locals.count == 1 && !bindings.isEmpty ? locals[0] : nil
    localValue = local
    let hides = hasLocal
    assignedToProperty = assigned.map { value in
      hides && value.path == name ? local : value
    }
  }
}

extension ExprSyntax {
  /// Whether the expression begins with `self`.
  fileprivate var isMemberOfSelf: Bool {
    guard let path else { return false }
    return path.hasPrefix("self.")
  }
}
