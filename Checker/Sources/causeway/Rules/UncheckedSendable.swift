import SwiftSyntax

/// Async code of an `@unchecked Sendable` class writes a `var` that nothing protects.
///
/// The annotation promises that several threads can use the class, and the compiler does not check
/// this. A lock, an atomic or an actor keeps the promise. Resetting the state at the start of each
/// call does not, because two calls can run at the same time.
///
/// Bad:
/// ```swift
/// final class APIService: @unchecked Sendable {
///   var errorMessage: String?
///   func load() async { errorMessage = nil … }
/// }
/// ```
///
/// Good:
/// ```swift
/// final class APIService: Sendable {
///   private let errorMessage = Mutex<String?>(nil)
///   func load() async { errorMessage.withLock { $0 = nil } … }
/// }
/// ```
///
/// Reported when an `async` function or a task of the class, off every actor, writes the property.
/// Not reported when the class, its owner or a superclass in the module stores a lock, a queue, a
/// semaphore or a condition, or when the class takes the lock of another object. Not reported when
/// the class asserts its thread, its queue or its event loop, for storage behind
/// `isKnownUniquelyReferenced`, in tests, mocks and benchmarks, and when the property itself is
/// isolated, atomic, weak or `nonisolated(unsafe)`. The rule does not check which lock protects
/// which property. Off by default: the syntax does not show whether callers use the object one
/// after the other.
enum UncheckedSendable: Rule {
  static let id = "unchecked-sendable"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.types.flatMap { declaration -> [Finding] in
      let name = file.types.resolve(declaration.name) ?? declaration.name
      guard let entry = file.types.entries[name], entry.kind == .class,
        !entry.isolation.isIsolated,
        entry.isolation != .unknown || file.settings.defaultIsolation != .unknown,
        let unchecked = declaration.inherited.first(where: { $0.isUncheckedSendable }),
        !isTestDouble(name),
        !Confinement.isProtected(name, in: file.types)
      else { return [] }
      let variables = unprotected(entry, in: file)
      guard !variables.isEmpty, !Confinement.hasProtectedOwner(name, in: file.types) else {
        return []
      }
      let names = variables.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
      let more = variables.count > 3 ? " and \(variables.count - 3) more" : ""
      return [
        finding(
          at: unchecked,
          "'\(name)' is '@unchecked Sendable', but its async code writes \(names)\(more), "
            + "and nothing protects it",
          advice: "make it an actor, isolate it, or keep the state in a "
            + (file.settings.allows(.mutex) ? "'Mutex'" : "lock"))
      ]
    }
  }

  private static func isTestDouble(_ name: String) -> Bool {
    ["Mock", "Stub", "Fake", "Spy", "Benchmark"].contains { name.contains($0) }
  }

  /// The variables that async code of the class writes off every actor.
  private static func unprotected(_ entry: TypeTable.Entry, in file: CheckedFile) -> [String] {
    let candidates = entry.storedVariables.filter { variable in
      variable.isVar && !variable.modifiers.has(.nonisolated) && !variable.modifiers.has(.weak)
        && variable.attributes.names.allSatisfy { ["objc", "available"].contains($0) }
    }.flatMap(\.boundNames)
    guard !candidates.isEmpty else { return [] }
    var written: Set<String> = []
    for member in entry.everyMember {
      guard let function = member.decl.as(FunctionDeclSyntax.self), !function.modifiers.isStatic
      else { continue }
      for sequence in function.descendants(SequenceExprSyntax.self) where sequence.isAssignment {
        guard let name = sequence.elements.first?.memberOfSelf, candidates.contains(name),
          file.isInAsyncCode(sequence), file.isolation(at: sequence) == .nonisolated,
          sequence.trimmedDescription.hasPrefix("self") || !function.declaresLocally(name)
        else { continue }
        written.insert(name)
      }
    }
    return candidates.filter { written.contains($0) }
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
