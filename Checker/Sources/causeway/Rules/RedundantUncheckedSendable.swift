import SwiftSyntax

/// `@unchecked Sendable` on an actor or on a type that a global actor isolates.
///
/// These types are `Sendable` without the annotation, and the compiler checks them. With the
/// annotation, the compiler does not check them, even if the isolation is removed later.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class StateBox<State>: @unchecked Sendable {
///   var value: State
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class StateBox<State> {
///   var value: State
/// }
/// ```
///
/// Not reported when a superclass is not isolated to the same actor. Not reported when a superclass
/// states `@unchecked Sendable`, because subclasses must restate it. There is no automatic fix for
/// an extension.
enum RedundantUncheckedSendable: Rule {
  static let id = "redundant-unchecked-sendable"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.types.compactMap { declaration in
      let name = file.types.resolve(declaration.name) ?? declaration.name
      guard let index = declaration.inherited.firstIndex(where: { $0.isUncheckedSendable }),
        let entry = file.types.entries[name], let why = reason(name, entry, in: file)
      else { return nil }
      return finding(
        at: declaration.inherited[index],
        "'@unchecked Sendable' is redundant: '\(name)' is 'Sendable' because \(why)",
        advice: "remove it",
        edits: declaration.kind == .extension ? [] : [removal(of: index, from: declaration)])
    }
  }

  private static func reason(
    _ name: String, _ entry: TypeTable.Entry, in file: CheckedFile
  ) -> String? {
    switch entry.isolation {
    case .actorInstance: return "it is an actor"
    case .mainActor, .globalActor:
      if entry.kind == .class, let first = entry.inheritedNames.first {
        if let parent = file.types.superclass(of: name) {
          let entry = file.types.entries[parent]
          guard entry?.isolation == .mainActor,
            entry?.declarations.first?.inherited.contains(where: { $0.isUncheckedSendable })
              == false
          else { return nil }
        } else if file.types.type(first) == nil, !KnownNames.neutralProtocols.contains(first),
          !KnownNames.isMainActor(first, importsUserInterface: true),
          !first.hasSuffix("Protocol"), !first.hasSuffix("Delegate")
        {
          return nil
        }
      }
      guard entry.kind != .protocol else { return nil }
      return "a global actor isolates it"
    default: return nil
    }
  }

  private static func removal(of index: Int, from declaration: DeclaredType) -> Edit {
    let entries = declaration.inherited
    if entries.count == 1, let clause = entries[0].parent?.parent {
      // In `class A: @unchecked Sendable {`, the clause does not contain the space before the
      // brace.
      return Edit(range: clause.start..<clause.end, replacement: "")
    }
    if index + 1 < entries.count {
      return Edit(range: entries[index].start..<entries[index + 1].start, replacement: "")
    }
    return Edit(
      range: entries[index - 1].type.end..<entries[index].end, replacement: "")
  }
}
