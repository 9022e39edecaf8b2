import SwiftSyntax

/// A stored or returned `async` closure of an effect without `@concurrent`, in a module with
/// `NonisolatedNonsendingByDefault`.
///
/// With this feature, a closure of an `async` function type runs on the actor of its caller. An
/// effect that decodes data or reads a file can then do so on the main actor, and the compiler does
/// not report it.
///
/// Bad:
/// ```swift
/// struct Effect {
///   let work: @Sendable () async -> Void
/// }
/// ```
///
/// Good:
/// ```swift
/// struct Effect {
///   let work: @concurrent @Sendable () async -> Void
/// }
/// ```
///
/// The rule checks `@Sendable` types without a result: payloads of enum cases, returned closures,
/// and stored properties and type aliases with one of these names (`work`, `operation`, `effect`,
/// `job`, `perform`, `run`). Closures with a result are dependencies, which run on the executor of
/// the effect that calls them. Not reported when the type states its isolation: `@MainActor`,
/// `@isolated(any)`, `nonisolated(nonsending)`. Off by default: the attribute changes nothing if
/// only nonisolated code calls the closure, and the rule cannot see the callers.
enum EffectConcurrent: Rule {
  static let id = "effect-concurrent"
  static let isDefault = false
  private static let words = ["work", "operation", "effect", "job", "perform", "run"]

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.has("NonisolatedNonsendingByDefault") else { return [] }
    return file.facts.functionTypes.compactMap { type in
      guard type.effectSpecifiers?.asyncSpecifier != nil,
        ["Void", "()"].contains(type.returnClause.type.trimmedDescription),
        let attributed = type.parent?.as(AttributedTypeSyntax.self),
        attributed.attributes.first(named: "Sendable") != nil, saysNoPlace(attributed),
        let place = place(of: Syntax(attributed))
      else { return nil }
      return finding(
        at: attributed,
        "\(place) runs on the caller's actor: under 'NonisolatedNonsendingByDefault' "
          + "an 'async' closure stays there",
        advice: "add '@concurrent', or 'nonisolated(nonsending)' if this is intended")
    }
  }

  private static func isWork(_ name: String) -> Bool {
    words.contains { name.lowercased().contains($0) }
  }

  private static func saysNoPlace(_ type: AttributedTypeSyntax) -> Bool {
    type.attributes.names.allSatisfy { ["Sendable", "escaping", "autoclosure"].contains($0) }
      && !type.specifiers.contains { $0.is(NonisolatedTypeSpecifierSyntax.self) }
      && !type.lateSpecifiers.contains { $0.is(NonisolatedTypeSpecifierSyntax.self) }
  }

  private static func place(of node: Syntax) -> String? {
    for ancestor in node.ancestors {
      switch ancestor.kind {
      case .optionalType, .tupleType, .tupleTypeElement, .tupleTypeElementList, .typeAnnotation,
        .patternBinding, .patternBindingList, .typeInitializerClause,
        .enumCaseParameterList, .enumCaseParameterClause, .enumCaseElement,
        .enumCaseElementList, .enumCaseParameter:
        continue
      case .variableDecl:
        guard let variable = ancestor.as(VariableDeclSyntax.self), variable.isMember,
          variable.isStored, variable.enclosingProtocol == nil,
          let name = variable.boundNames.first, isWork(name)
        else { return nil }
        return "the closure in '\(name)'"
      case .typeAliasDecl:
        guard let name = ancestor.as(TypeAliasDeclSyntax.self)?.name.text, isWork(name) else {
          return nil
        }
        return "a closure of type '\(name)'"
      case .enumCaseDecl: return "the closure in this case"
      case .returnClause:
        guard ancestor.parent?.is(FunctionSignatureSyntax.self) == true else { return nil }
        return "the returned closure"
      default: return nil
      }
    }
    return nil
  }
}

extension VariableDeclSyntax {
  fileprivate var enclosingProtocol: ProtocolDeclSyntax? {
    parent?.parent?.parent?.parent?.as(ProtocolDeclSyntax.self)
  }
}
