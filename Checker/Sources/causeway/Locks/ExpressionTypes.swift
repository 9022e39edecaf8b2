import SwiftSyntax

/// Finds the types of expressions from the declarations of the module.
///
/// It knows stored properties, parameters, local variables, loops and common collections. All other
/// expressions have no known type.
struct ExpressionTypes: Sendable {
  let file: CheckedFile
  /// The number of expressions that led to this one.
  ///
  /// A limit ends the search in circular code.
  private var depth = 0
  private static let limit = 16

  init(_ file: CheckedFile) { self.file = file }

  private var next: ExpressionTypes? {
    guard depth < Self.limit else { return nil }
    var next = self
    next.depth += 1
    return next
  }

  func type(of expression: ExprSyntax) -> StatedType {
    guard let next else { return .unknown }
    return next.read(expression)
  }

  private func read(_ expression: ExprSyntax) -> StatedType {
    if let reference = expression.as(DeclReferenceExprSyntax.self) {
      return type(named: reference.baseName.text, at: Syntax(reference))
    } else if let member = expression.as(MemberAccessExprSyntax.self) {
      guard let base = member.base else { return .unknown }
      return self.member(member.declName.baseName.text, of: base)
    } else if let chain = expression.as(OptionalChainingExprSyntax.self) {
      return type(of: chain.expression).unwrapped
    } else if let forced = expression.as(ForceUnwrapExprSyntax.self) {
      return type(of: forced.expression).unwrapped
    } else if let attempt = expression.as(TryExprSyntax.self) {
      return type(of: attempt.expression)
    } else if let tuple = expression.as(TupleExprSyntax.self) {
      let elements = tuple.elements.map { ($0.label?.text, type(of: $0.expression)) }
      return elements.count == 1 ? elements[0].1 : .tuple(elements)
    } else if let subscripted = expression.as(SubscriptCallExprSyntax.self) {
      switch type(of: subscripted.calledExpression).unwrapped {
      case .list(let element): return element
      case .table(_, let value):
        let isTotal = subscripted.arguments.contains { $0.label?.text == "default" }
        return isTotal ? value : .optional(value)
      default: return .unknown
      }
    } else if let call = expression.as(FunctionCallExprSyntax.self) {
      return result(of: call)
    } else if let array = expression.as(ArrayExprSyntax.self) {
      return array.elements.first.map { .list(type(of: $0.expression)) } ?? .unknown
    }
    return .unknown
  }

  // MARK: Members

  private func member(_ name: String, of base: ExprSyntax) -> StatedType {
    let owner = type(of: base)
    switch owner.unwrapped {
    case .tuple(let elements):
      if let element = elements.first(where: { $0.label == name }) { return element.type }
      guard let index = Int(name), elements.indices.contains(index) else { return .unknown }
      return elements[index].type
    case .table(let key, let value):
      switch name {
      case "values": return .list(value)
      case "keys": return .list(key)
      case "first": return .optional(owner.element)
      default: return .unknown
      }
    case .list(let element):
      switch name {
      case "first", "last": return .optional(element)
      case "lazy", "indices": return owner
      default: return .unknown
      }
    case .named(let type, _): return property(name, of: type)
    default: return .unknown
    }
  }

  /// The type of a variable of a type of the module.
  func property(_ name: String, of type: String) -> StatedType {
    for member in file.types.entries[type]?.everyMember ?? [] {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      if let found = self.type(named: name, in: variable, scope: type) { return found }
    }
    guard let parent = file.types.superclass(of: type), let next else { return .unknown }
    return next.property(name, of: parent)
  }

  /// The functions of the module that a call refers to by their names and argument labels.
  func functions(calledBy call: FunctionCallExprSyntax) -> [FunctionDeclSyntax] {
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    let name: String
    var found: [FunctionDeclSyntax] = []
    if let reference = call.calledExpression.as(DeclReferenceExprSyntax.self) {
      name = reference.baseName.text
      let own = file.enclosingType(of: call).map { functions(named: name, of: $0) } ?? []
      found = own.isEmpty ? file.types.functions(named: name) : own
    } else if let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      let base = member.base
    {
      name = member.declName.baseName.text
      if case .named(let type, _) = type(of: base).unwrapped {
        found = functions(named: name, of: type)
      }
    }
    return found.filter { function in
      let parameters = function.signature.parameterClause.parameters
      let names = parameters.map(\.firstName.text)
      guard labels.count <= names.count else { return false }
      var rest = names[...]
      for label in labels {
        guard let index = rest.firstIndex(of: label) else { return false }
        rest = rest[(index + 1)...]
      }
      return true
    }
  }

  private func functions(named name: String, of type: String) -> [FunctionDeclSyntax] {
    let members = file.types.entries[type]?.everyMember ?? []
    let found = members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
      .filter { $0.name.text == name }
    guard found.isEmpty, let parent = file.types.superclass(of: type), let next else {
      return found
    }
    return next.functions(named: name, of: parent)
  }

  // MARK: Calls

  private static let collectionResults: Set<String> = [
    "filter", "sorted", "reversed", "shuffled", "prefix", "suffix", "dropFirst", "dropLast",
    "drop", "union", "subtracting",
  ]
  private static let elementResults: Set<String> = [
    "removeFirst", "removeLast", "popFirst", "popLast", "first", "last", "min", "max", "remove",
    "randomElement",
  ]

  private func result(of call: FunctionCallExprSyntax) -> StatedType {
    let scope = file.enclosingType(of: call) ?? ""
    // `Task { … }`, `State()`, `Mutex<State>(…)` and `[Int: Task<Void, Never>]()`
    if let path = call.calleePath, path.split(separator: ".").last?.first?.isUppercase == true {
      return made(path, by: call, in: scope)
    }
    if let array = call.calledExpression.as(ArrayExprSyntax.self),
      let element = array.elements.first?.expression.path
    {
      return .list(StatedType(element, [], in: scope, file.types))
    }
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
      let name = member.declName.baseName.text
      let owner = type(of: base)
      switch owner.unwrapped {
      case .list(let element):
        if Self.collectionResults.contains(name) { return owner.unwrapped }
        if Self.elementResults.contains(name) { return .optional(element) }
      case .table(_, let value):
        if name == "filter" { return owner.unwrapped }
        if ["removeValue", "updateValue"].contains(name) { return .optional(value) }
      default: if name == "take" { return owner }
      }
    }
    let functions = functions(calledBy: call)
    guard functions.count == 1, let function = functions.first,
      let result = function.signature.returnClause?.type
    else { return .unknown }
    return StatedType(result, in: file.enclosingType(of: function) ?? "", file.types)
  }

  private func made(
    _ path: String, by call: FunctionCallExprSyntax, in scope: String
  ) -> StatedType {
    var arguments: [StatedType] = []
    if let generic = call.calledExpression.as(GenericSpecializationExprSyntax.self) {
      for argument in generic.genericArgumentClause.arguments {
        guard case .type(let type) = argument.argument else { continue }
        arguments.append(StatedType(type, in: scope, file.types))
      }
    } else if let first = call.arguments.first?.expression {
      let value = type(of: first)
      if path == "Array" || path == "Set" { return .list(value.element) }
      arguments = [value]
    }
    return StatedType(path, arguments, in: scope, file.types)
  }
}
