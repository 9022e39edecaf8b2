import SwiftSyntax

/// The isolation that a closure gets from its use.
enum ClosureUse {
  case inherits
  /// The closure inherits a global actor. It inherits an actor instance only if it captures `self`.
  case inheritsWhenGlobal
  case mainActor
  case nonisolated
  case unknown

  init(_ closure: ClosureExprSyntax, in file: CheckedFile) {
    guard let parent = closure.parent else {
      self = .unknown
      return
    }
    if let call = parent.as(FunctionCallExprSyntax.self) {
      self =
        call.calledExpression.id == closure.id
        ? .inherits : ClosureUse(argumentLabeled: nil, of: call, in: file)
    } else if let argument = parent.as(LabeledExprSyntax.self),
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      self = ClosureUse(argumentLabeled: argument.label?.text ?? "", of: call, in: file)
    } else if let trailing = parent.as(MultipleTrailingClosureElementSyntax.self),
      let call = trailing.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      self = ClosureUse(argumentLabeled: trailing.label.text, of: call, in: file)
    } else if let binding = parent.parent?.as(PatternBindingSyntax.self),
      let type = binding.typeAnnotation?.type
    {
      self = ClosureUse(type)
    } else {
      self = .unknown
    }
  }

  /// Reads the type of a parameter; `label` is nil for the first trailing closure.
  private init(
    argumentLabeled label: String?, of call: FunctionCallExprSyntax, in file: CheckedFile
  ) {
    switch call.calleePath {
    case let path? where KnownNames.tasks.contains(path):
      self = .inheritsWhenGlobal
      return
    case let path? where KnownNames.detachedTasks.contains(path):
      self = .nonisolated
      return
    case ".init":
      self = .unknown
      return
    case "MainActor.run", "MainActor.assumeIsolated", "DispatchQueue.main.async",
      "DispatchQueue.main.asyncAfter":
      self = .mainActor
      return
    default: break
    }
    guard let name = call.calleeName else {
      self = .unknown
      return
    }
    if KnownNames.childTasks.contains(name) {
      self = .nonisolated
      return
    }
    let candidates = ClosureUse.candidates(for: call, in: file)
    if !candidates.isEmpty {
      self = ClosureUse(parameterLabeled: label, of: candidates)
      return
    }
    if label == "onCancel" || name == "withObservationTracking" && label == "onChange" {
      self = .nonisolated
    } else if name == "withTaskCancellationHandler" {
      self = .inherits
    } else if name == "withLock", file.facts.imports.contains("os") {
      // The closure of `OSAllocatedUnfairLock.withLock` is `@Sendable`. Other locks take other
      // closures.
      self = .unknown
    } else if KnownNames.inheritingFunctions.contains(name), label != "unfolding" {
      self = .inherits
    } else if KnownNames.viewFunctions.contains(name),
      !file.facts.imports.isDisjoint(with: KnownNames.userInterfaceModules)
    {
      self = .inherits
    } else {
      self = .unknown
    }
  }

  /// The module's functions that a call such as `load()` or `self.load()` may refer to.
  private static func candidates(
    for call: FunctionCallExprSyntax, in file: CheckedFile
  ) -> [FunctionParameterListSyntax] {
    guard var path = call.calleePath else { return [] }
    if path.hasPrefix("self.") { path.removeFirst("self.".count) }
    guard !path.contains(".") else { return [] }
    let members = file.enclosingType(of: call).flatMap { file.types.entries[$0] }?.everyMember ?? []
    let functions = members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
      .filter { $0.name.text == path }
    if !functions.isEmpty {
      return functions.map(\.signature.parameterClause.parameters)
    }
    let free = file.types.functions(named: path)
    if !free.isEmpty { return free.map(\.signature.parameterClause.parameters) }
    let initializers = file.types.type(path)?.everyMember
      .compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    return initializers?.map(\.signature.parameterClause.parameters) ?? []
  }

  private init(parameterLabeled label: String?, of candidates: [FunctionParameterListSyntax]) {
    var answers: Set<ClosureUse> = []
    for parameters in candidates {
      let closures = parameters.filter { $0.type.functionType != nil }
      let parameter =
        label == nil
        ? closures.last : closures.first { $0.firstName.text == (label == "" ? "_" : label) }
      guard let parameter else { continue }
      let inherits = parameter.attributes.first(named: "_inheritActorContext") != nil
      answers.insert(inherits ? .inheritsWhenGlobal : ClosureUse(parameter.type))
    }
    self = answers.count == 1 ? answers.first ?? .unknown : .unknown
  }

  /// Reads a function type that a closure is converted to.
  private init(_ type: TypeSyntax) {
    guard type.functionType != nil else {
      self = .unknown
      return
    }
    let names = type.attributeNames
    if names.contains("MainActor") {
      self = .mainActor
    } else if names.contains("Sendable") || names.contains("concurrent")
      || type.trimmedDescription.hasPrefix("sending ")
    {
      self = .nonisolated
    } else if names.contains(where: { $0.hasSuffix("Actor") }) || names.contains("isolated") {
      self = .unknown
    } else {
      self = .inherits
    }
  }
}

extension TypeSyntax {
  /// The function type without attributes, parentheses and optionals around it.
  var functionType: FunctionTypeSyntax? {
    if let type = self.as(FunctionTypeSyntax.self) { return type }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.functionType }
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.functionType }
    if let type = self.as(TupleTypeSyntax.self), type.elements.count == 1 {
      return type.elements.first?.type.functionType
    }
    return nil
  }

  /// The attributes of a function type, also of types in parentheses.
  var attributeNames: Set<String> {
    if let type = self.as(AttributedTypeSyntax.self) {
      return Set(type.attributes.names).union(type.baseType.attributeNames)
    }
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.attributeNames }
    if let type = self.as(TupleTypeSyntax.self), type.elements.count == 1 {
      return type.elements.first?.type.attributeNames ?? []
    }
    return []
  }
}
