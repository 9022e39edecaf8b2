import SwiftSyntax

/// `@unchecked Sendable` on a class with an unprotected `var`.
///
/// The annotation promises that several threads can use the class, and the compiler does not check
/// this. A lock, an atomic or an actor keeps the promise. Resetting the state at the start of each
/// call does not, because two calls can run at the same time.
///
/// Bad:
/// ```swift
/// final class APIService: @unchecked Sendable {
///   var errorMessage: String?
/// }
/// ```
///
/// Good:
/// ```swift
/// final class APIService: Sendable {
///   private let errorMessage = Mutex<String?>(nil)
/// }
/// ```
///
/// Not reported when the class, or a superclass in the module, stores a lock, a queue, a semaphore
/// or a condition, or calls `objc_sync_enter`. Not reported when the property itself is isolated,
/// atomic, weak or `nonisolated(unsafe)`. The rule does not check which lock protects which property.
enum UncheckedSendable: Rule {
  static let id = "unchecked-sendable"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.types.flatMap { declaration -> [Finding] in
      let name = file.types.resolve(declaration.name) ?? declaration.name
      guard let entry = file.types.entries[name], entry.kind == .class,
        !entry.isolation.isIsolated,
        entry.isolation != .unknown || file.settings.defaultIsolation != .unknown,
        let unchecked = declaration.inherited.first(where: { $0.isUncheckedSendable })
      else { return [] }
      let variables = unprotected(name, entry, in: file)
      guard !variables.isEmpty else { return [] }
      let names = variables.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
      let more = variables.count > 3 ? " and \(variables.count - 3) more" : ""
      return [
        finding(
          at: unchecked,
          "'\(name)' is '@unchecked Sendable', but nothing protects \(names)\(more)",
          advice: "make it an actor, isolate it, or keep the state in a "
            + (file.settings.allows(.mutex) ? "'Mutex'" : "lock"))
      ]
    }
  }

  private static func unprotected(
    _ name: String, _ entry: TypeTable.Entry, in file: CheckedFile
  ) -> [String] {
    var current: String? = name
    while let type = current {
      let members = file.types.entries[type]?.everyMember ?? []
      let stored = members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      if stored.contains(where: { $0.isStored && $0.isLock }) { return [] }
      // An object can be its own lock.
      if members.contains(where: { $0.mentions("objc_sync_enter") }) { return [] }
      // A superclass of another module may have the lock.
      if file.types.superclass(of: type) == nil,
        let parent = file.types.entries[type]?.inheritedNames.first,
        file.types.type(parent) == nil, !KnownNames.neutralProtocols.contains(parent),
        !parent.hasSuffix("Protocol"), !parent.hasSuffix("Delegate"), !parent.hasSuffix("able")
      {
        return []
      }
      current = file.types.superclass(of: type)
    }
    return entry.storedVariables.filter { variable in
      variable.isVar && !variable.modifiers.has(.nonisolated) && !variable.modifiers.has(.weak)
        && variable.attributes.names.allSatisfy { ["objc", "available"].contains($0) }
        && isWritten(variable, in: entry)
    }.flatMap(\.boundNames)
  }

  /// Whether code other than an initializer may assign a variable.
  private static func isWritten(_ variable: VariableDeclSyntax, in entry: TypeTable.Entry) -> Bool {
    guard
      variable.modifiers.contains(where: { modifier in
        [.keyword(.private), .keyword(.fileprivate)].contains(modifier.name.tokenKind)
      })
    else { return true }
    return entry.everyMember.contains { member in
      guard !member.decl.is(InitializerDeclSyntax.self), member.decl.id != variable.id else {
        return false
      }
      return member.mentions(anyOf: Set(variable.boundNames))
    }
  }
}

extension InheritedTypeSyntax {
  /// Whether the entry is `@unchecked Sendable`.
  var isUncheckedSendable: Bool {
    guard let type = type.as(AttributedTypeSyntax.self) else { return false }
    return type.attributes.first(named: "unchecked") != nil
      && type.baseType.simpleName?.hasSuffix("Sendable") == true
  }
}

extension VariableDeclSyntax {
  private static let lockWords = [
    "lock", "mutex", "queue", "semaphore", "atomic", "protected", "nscondition",
    "pthread_cond", "synchroniz",
  ]

  /// Whether the type or the initial value names a lock, a queue, an atomic or a similar type.
  var isLock: Bool {
    let texts = bindings.flatMap { binding in
      [binding.typeAnnotation?.type.trimmedDescription, binding.initializer?.value.calledName]
    }
    // "Clock" and "block" contain "lock". The pattern does not match "AsyncLock".
    let names = texts.compactMap { text in
      text?.replacing(/[BbCc]lock/, with: "").lowercased()
    }
    return names.contains { name in
      VariableDeclSyntax.lockWords.contains { name.contains($0) }
    }
  }
}

extension ExprSyntax {
  /// The name that an initial value calls or reads.
  fileprivate var calledName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.path }
    return path
  }
}
