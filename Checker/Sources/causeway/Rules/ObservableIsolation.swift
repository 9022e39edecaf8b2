import SwiftSyntax

/// An `ObservableObject` or `@Observable` class with mutable state that the UI uses, without
/// isolation.
///
/// SwiftUI reads the state on the main actor. Without isolation, an `async` method can write it on
/// another thread. In Swift 5 mode this is a data race. In Swift 6 mode the compiler reports an
/// error, but not at the class.
///
/// Bad:
/// ```swift
/// final class FeedModel: ObservableObject {
///   @Published var items: [Item] = []
///   func refresh() async { items = await service.items() }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class FeedModel: ObservableObject {
///   @Published var items: [Item] = []
///   func refresh() async { items = await service.items() }
/// }
/// ```
///
/// Reported for classes whose file imports SwiftUI, UIKit or AppKit, and for classes that a file
/// with such an import names. Not reported when each mutable property has its own isolation or is
/// private and no other property uses it, or when the class is `Sendable` in another way. There is
/// no automatic fix, because callers can need an `await` after the change.
enum ObservableIsolation: Rule {
  static let id = "observable-isolation"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.types.compactMap { declaration in
      guard declaration.kind == .class, let name = file.types.resolve(declaration.name),
        let entry = file.types.entries[name], entry.isolation == .nonisolated,
        !declaration.modifiers.has(.nonisolated),
        file.types.isUsedByUserInterface(name),
        !file.types.conforms(name, to: ["Sendable"])
      else { return nil }
      let isObservable = declaration.attributes.first(named: "Observable") != nil
      guard isObservable || file.types.conforms(name, to: ["ObservableObject"]) else {
        return nil
      }
      let state = mutableState(of: entry, isObservable: isObservable)
      guard let first = state.first, !entry.everyMember.contains(where: { $0.isLock }) else {
        return nil
      }
      let kind = isObservable ? "@Observable" : "ObservableObject"
      return finding(
        at: declaration.nameNode,
        "the UI uses '\(first)' of the \(kind) class '\(name)', but no actor isolates the class",
        advice: "annotate the class with '@MainActor'")
    }
  }

  private static func mutableState(of entry: TypeTable.Entry, isObservable: Bool) -> [String] {
    entry.storedVariables.filter { variable in
      let names = Set(variable.attributes.names)
      guard variable.isVar, !variable.isPrivate || isExposed(variable, in: entry),
        names.isDisjoint(with: ["MainActor", "ObservationIgnored"])
      else { return false }
      return isObservable || names.contains("Published")
    }.flatMap(\.boundNames)
  }

  /// Whether the UI can read a private variable through another property or a subscript.
  private static func isExposed(_ variable: VariableDeclSyntax, in entry: TypeTable.Entry) -> Bool {
    // `$name` is the projected value of a property wrapper.
    let names = Set(variable.boundNames.flatMap { [$0, "$" + $0] })
    return entry.everyMember.contains { member in
      if let other = member.decl.as(VariableDeclSyntax.self) {
        return !other.isPrivate && other.attributes.first(named: "MainActor") == nil
          && other.mentions(anyOf: names)
      }
      return member.decl.is(SubscriptDeclSyntax.self) && member.mentions(anyOf: names)
    }
  }
}

extension VariableDeclSyntax {
  /// Whether only the type can read the variable; false for `private(set)` and `fileprivate`.
  fileprivate var isPrivate: Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }
  }
}

extension MemberBlockItemSyntax {
  fileprivate var isLock: Bool {
    decl.as(VariableDeclSyntax.self).map { $0.isStored && $0.isLock } ?? false
  }
}
