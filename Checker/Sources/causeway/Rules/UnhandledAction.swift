import SwiftSyntax

/// An action that no handler of its interactor handles.
///
/// A `default:` in the handler's `switch` ignores actions that are added later. The view sends such
/// an action, and nothing happens.
///
/// Bad:
/// ```swift
/// enum Action { case refresh, open(Item) }
/// var body: some InteractorOf<Self> {
///   Interact(initialValue: State()) { state, action in
///     switch action {
///     case .refresh: …
///     default: .none
///     }
///   }
/// }
/// ```
///
/// Good: a case for each action and no `default`.
///
/// Reported for a case of an enum named `Action` when no pattern in the module names the case. The
/// enum must be in a type that states a protocol whose name ends in `Interactor` or `Reducer`. Off
/// by default.
enum UnhandledAction: Rule {
  static let id = "unhandled-action"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.enumCases.flatMap { node -> [Finding] in
      guard let action = file.enclosingType(of: node), action.hasSuffix(".Action"),
        isInteractor(String(action.dropLast(".Action".count)), in: file)
      else { return [] }
      return node.elements.compactMap { element in
        let name = element.name.text
        guard !file.types.matchedCases.contains(name) else { return nil }
        return finding(
          at: element.name, "no handler in the module handles the action '\(name)'",
          advice: "handle it in the 'switch' of its interactor, or remove it")
      }
    }
  }

  private static func isInteractor(_ name: String, in file: CheckedFile) -> Bool {
    let inherited = file.types.entries[name]?.allInheritedNames ?? []
    return inherited.contains { $0.hasSuffix("Interactor") || $0.hasSuffix("Reducer") }
  }
}
