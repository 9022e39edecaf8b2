import SwiftSyntax

/// A continuation is stored in a property that may still hold an earlier one.
///
/// A second call before the answer overwrites the continuation of the first call. No code resumes
/// the first continuation then, so the first caller waits forever.
///
/// Bad:
/// ```swift
/// func locate() async throws -> Location {
///   try await withCheckedThrowingContinuation { continuation in
///     self.continuation = continuation
///     manager.requestLocation()
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// func locate() async throws -> Location {
///   guard continuation == nil else { throw AlreadyLocating() }
///   return try await withCheckedThrowingContinuation { continuation in
///     self.continuation = continuation
///     manager.requestLocation()
///   }
/// }
/// ```
///
/// Or resume the earlier continuation first, or keep a list of them. Reported in classes and
/// actors, for properties whose type is an optional continuation. Not reported when earlier code of
/// the function names the property, checks other state of the object, or calls a method of the
/// class that names the property. Not reported for private and local classes. Not reported for a
/// class if a function of the module keeps an object of the class in a local constant: such an
/// object usually serves one call.
enum ContinuationOverwritten: Rule {
  static let id = "continuation-overwritten"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard KnownNames.continuations.contains(call.calleeName ?? ""),
        let closure = call.closureArgument,
        let name = file.enclosingType(of: call), let type = file.types.entries[name],
        type.isReferenceType, !isForOneCall(name, type, file),
        let body = call.enclosingBody
      else { return nil }
      let continuation = closure.parameterNames.first ?? "$0"
      let assignments = closure.statements.directDescendants(SequenceExprSyntax.self)
      let assignment = assignments.first { sequence in
        sequence.elements.count == 3 && sequence.isAssignment
          && sequence.elements.last?.path == continuation
      }
      guard let target = assignment?.elements.first, let property = target.memberOfSelf,
        target.textWithoutSelf == property, type.holdsContinuation(property),
        !isGuarded(property, before: target, in: body, type)
      else { return nil }
      return finding(
        at: target,
        "a second call overwrites the continuation in '\(property)', and the first caller waits "
          + "forever",
        advice: "check that '\(property)' is nil, or resume the earlier continuation first")
    }
  }

  private static func isForOneCall(
    _ name: String, _ type: TypeTable.Entry, _ file: CheckedFile
  ) -> Bool {
    let isPrivate = type.declarations.contains {
      $0.modifiers.has(.private) || $0.modifiers.has(.fileprivate) || $0.isLocal
    }
    return isPrivate || file.types.isMadeLocally(name)
  }

  /// Whether the code before an assignment can exclude an earlier continuation.
  private static func isGuarded(
    _ property: String, before target: ExprSyntax, in body: Syntax, _ type: TypeTable.Entry
  ) -> Bool {
    let stored = Set(type.storedVariables.flatMap(\.boundNames)).union(type.computedNames)
    let methods = Dictionary(
      grouping: type.everyMember.compactMap {
        $0.decl.as(FunctionDeclSyntax.self)
      }, by: \.name.text)
    for token in body.tokens(viewMode: .sourceAccurate) {
      guard token.positionAfterSkippingLeadingTrivia.utf8Offset < target.start else { return false }
      // The parameter of the closure often has the name of the property.
      if token.ancestors.contains(where: { $0.is(ClosureSignatureSyntax.self) }) { continue }
      if token.text == property { return true }
      if methods[token.text]?.contains(where: { $0.body?.mentions(property) == true }) == true,
        Syntax(body).as(FunctionDeclSyntax.self)?.name.text != token.text
      {
        return true
      }
      let isCondition = token.parent?.ancestors.contains {
        $0.is(ConditionElementListSyntax.self) && $0.start >= body.start
      }
      if isCondition == true, stored.contains(token.text) { return true }
    }
    return false
  }
}

extension TypeTable.Entry {
  /// Whether a stored property is an optional continuation.
  func holdsContinuation(_ property: String) -> Bool {
    storedVariables.contains { variable in
      variable.isVar && variable.boundNames.contains(property)
        && variable.bindings.contains {
          guard let type = $0.typeAnnotation?.type, let name = type.simpleName else { return false }
          let isOptional =
            type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
          return isOptional
            && (name.hasSuffix("Continuation") || continuationAliases.contains(name))
        }
    }
  }

  /// The members that are other names of continuations.
  private var continuationAliases: Set<String> {
    Set(
      everyMember.compactMap { $0.decl.as(TypeAliasDeclSyntax.self) }
        .filter { $0.initializer.value.simpleName?.hasSuffix("Continuation") == true }
        .map(\.name.text))
  }

  /// The names of computed properties.
  fileprivate var computedNames: [String] {
    everyMember.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isStored }
      .flatMap(\.boundNames)
  }
}
