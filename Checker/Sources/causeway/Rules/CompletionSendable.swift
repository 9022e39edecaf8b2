import SwiftSyntax

/// An escaping completion closure whose type does not state its isolation.
///
/// Callers do not know the thread on which it runs, and the compiler cannot check its captures.
///
/// Bad:
/// ```swift
/// func load(completion: @escaping ([Item]) -> Void)
/// ```
///
/// Good:
/// ```swift
/// func load(completion: @escaping @MainActor ([Item]) -> Void)
/// ```
///
/// The rule checks parameters named `completion`, `completionHandler`, `callback` and `handler` of
/// functions that are not isolated. Off by default: it is advice for a migration.
enum CompletionSendable: Rule {
  static let id = "completion-sendable"
  static let isDefault = false
  private static let names: Set<String> = [
    "completion", "completionHandler", "callback", "handler",
  ]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.functions.flatMap { function -> [Finding] in
      guard
        file.isolation(of: function, function.attributes, function.modifiers, isAsync: false)
          == .nonisolated
      else { return [] }
      return function.signature.parameterClause.parameters.compactMap { parameter in
        let name = (parameter.secondName ?? parameter.firstName).text
        let attributes = parameter.type.attributeNames
        guard names.contains(name), parameter.type.functionType != nil,
          attributes.contains("escaping"), attributes.isDisjoint(with: ["Sendable", "MainActor"])
        else { return nil }
        return finding(
          at: parameter.type, "the type of '\(name)' does not state the actor that calls it",
          advice: "add '@Sendable' or '@MainActor', or make the function 'async'")
      }
    }
  }
}
