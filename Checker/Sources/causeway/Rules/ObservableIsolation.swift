import SwiftSyntax

/// Async code writes the state of an observable class off the main actor.
///
/// Observable classes are `@Observable`, conform to `ObservableObject` or have `@Published`
/// properties. SwiftUI and subscribers read the state on the main actor. In Swift 5 mode, an
/// `async` method of a class without isolation runs on another thread, and its writes are data
/// races.
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
/// with such an import names. The rule looks for changes in `async` functions, tasks and other
/// closures that certainly run off the main actor. Not reported in Swift 6 mode, where the compiler
/// reports the race. Not reported for properties that have their own isolation or that the UI cannot
/// read, or for classes with a lock. There is no automatic fix, because callers can need an `await`
/// after the change.
enum ObservableIsolation: Rule {
  static let id = "observable-isolation"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.languageMode == 5, !file.isTest else { return [] }
    return file.facts.types.compactMap { declaration in
      guard declaration.kind == .class, let name = file.types.resolve(declaration.name),
        let entry = file.types.entries[name], entry.isolation == .nonisolated,
        !declaration.modifiers.has(.nonisolated),
        file.types.isUsedByUserInterface(name),
        !file.types.conforms(name, to: ["Sendable"])
      else { return nil }
      let isObservable = declaration.attributes.first(named: "Observable") != nil
      let conforms = file.types.conforms(name, to: ["ObservableObject"])
      let publishes = entry.storedVariables.contains {
        $0.attributes.first(named: "Published") != nil
      }
      guard isObservable || conforms || publishes else { return nil }
      let state = mutableState(of: entry, isObservable: isObservable)
      guard !state.isEmpty, !entry.everyMember.contains(where: { $0.isLock }),
        let write = writeOffMainActor(of: state, in: entry, file)
      else { return nil }
      let kind =
        isObservable ? "@Observable class" : conforms ? "ObservableObject class" : "class"
      return finding(
        at: declaration.nameNode,
        "the UI uses '\(write.property)' of the \(kind) '\(name)', but '\(write.function)' "
          + "writes it on another thread",
        advice: "annotate the class with '@MainActor'")
    }
  }

  /// An assignment in async code that is off the main actor.
  private static func writeOffMainActor(
    of state: Set<String>, in entry: TypeTable.Entry, _ file: CheckedFile
  ) -> (property: String, function: String)? {
    for member in entry.everyMember {
      guard let function = member.decl.as(FunctionDeclSyntax.self), !function.modifiers.isStatic
      else { continue }
      for (property, node) in function.memberWrites {
        guard state.contains(property), file.isInAsyncCode(node),
          file.isolation(at: node) == .nonisolated,
          node.trimmedDescription.hasPrefix("self") || !function.declaresLocally(property)
        else { continue }
        return (property, function.name.text)
      }
    }
    return nil
  }

  private static func mutableState(of entry: TypeTable.Entry, isObservable: Bool) -> Set<String> {
    let variables = entry.storedVariables.filter { variable in
      let names = Set(variable.attributes.names)
      guard variable.isVar, !variable.isPrivate || isExposed(variable, in: entry),
        names.isDisjoint(with: ["MainActor", "ObservationIgnored"])
      else { return false }
      return isObservable || names.contains("Published")
    }
    return Set(variables.flatMap(\.boundNames))
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
