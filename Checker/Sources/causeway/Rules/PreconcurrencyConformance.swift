import SwiftSyntax

/// `@preconcurrency P` on a type that can have an isolated conformance.
///
/// With `@preconcurrency`, the isolation is checked only when the program runs, and a violation
/// traps. The compiler checks an isolated conformance (Swift 6.2, SE-0470).
///
/// Bad:
/// ```swift
/// @MainActor
/// final class Player: @preconcurrency Equatable {
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class Player: @MainActor Equatable {
/// ```
///
/// Not reported in Swift 5 mode, or if an older compiler has to compile the module. Not reported
/// for protocols that refine `Sendable`, such as `URLSessionDelegate` and the protocols that refine
/// it, because their conformances cannot be isolated. Not reported for an extension whose members
/// are all `nonisolated`, because the compiler itself reports that the attribute has no effect.
/// There is no automatic fix, because uses of the conformance off the main actor become errors.
enum PreconcurrencyConformance: Rule {
  static let id = "preconcurrency-conformance"
  static let isDefault = false
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.isSwift6, file.settings.allows(.isolatedConformance) else { return [] }
    return file.facts.types.flatMap { declaration -> [Finding] in
      let name = file.types.resolve(declaration.name) ?? declaration.name
      guard file.types.entries[name]?.isolation == .mainActor, !isNonisolated(declaration) else {
        return []
      }
      return declaration.inherited.compactMap { entry in
        guard let type = entry.type.as(AttributedTypeSyntax.self),
          type.attributes.first(named: "preconcurrency") != nil,
          let conformance = type.baseType.simpleName, canBeIsolated(conformance, in: file)
        else { return nil }
        let isInferred =
          file.settings.has("InferIsolatedConformances")
          || file.settings.defaultIsolation == .mainActor
        return finding(
          at: type,
          "'@preconcurrency \(conformance)' checks the isolation only when the program runs",
          advice: "write '\(isInferred ? "" : "@MainActor ")\(conformance)', "
            + "which the compiler checks")
      }
    }
  }

  private static func isNonisolated(_ declaration: DeclaredType) -> Bool {
    let members = declaration.members.compactMap { member -> DeclModifierListSyntax? in
      member.decl.as(FunctionDeclSyntax.self)?.modifiers
        ?? member.decl.as(VariableDeclSyntax.self)?.modifiers
    }
    return declaration.kind == .extension && !members.isEmpty
      && members.allSatisfy { $0.has(.nonisolated) }
  }

  private static func canBeIsolated(_ name: String, in file: CheckedFile) -> Bool {
    if KnownNames.refiningSendable.contains(name) || name == "Sendable" { return false }
    guard let full = file.types.resolve(name) else { return true }
    return !file.types.conforms(full, to: KnownNames.refiningSendable.union(["Sendable"]))
  }
}
