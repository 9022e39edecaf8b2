import SwiftSyntax

/// The part of a declaration of a type or an extension that other files see without its members.
///
/// If the check of a file has not read the text of a declaration, it depends only on this part.
struct TypeHead: Equatable, Sendable {
  enum Kind: Int, Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

  let kind: Kind
  /// The name with its enclosing types, joined by dots.
  let name: String
  /// Whether a function or a closure encloses the declaration.
  let isLocal: Bool
  /// The names of the inherited types, without attributes and generic arguments.
  let inheritedNames: [String]
  let isolation: StatedIsolation
}

/// The types of a file, for the other files of its module.
struct FileTypes: Sendable {
  let heads: [TypeHead]
  let importsUserInterface: Bool
  /// The nodes, with the types in the order of the heads; nil for a file that is not parsed.
  let facts: FileFacts?
}

extension FileTypes {
  init(_ facts: FileFacts) {
    self.init(
      heads: facts.types.map(\.head), importsUserInterface: facts.importsUserInterface, facts: facts
    )
  }
}

/// The words of a declaration that can state its isolation.
struct StatedIsolation: Equatable, Sendable {
  let isNonisolated: Bool
  /// The names of all attributes, because the module can declare global actors.
  let attributes: [String]
  /// Whether there are attributes in `#if`.
  let isConditional: Bool

  init(isNonisolated: Bool, attributes: [String], isConditional: Bool) {
    self.isNonisolated = isNonisolated
    self.attributes = attributes
    self.isConditional = isConditional
  }

  init(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) {
    isNonisolated = modifiers.has(.nonisolated)
    self.attributes = attributes.names
    isConditional = attributes.contains { if case .ifConfigDecl = $0 { true } else { false } }
  }

  /// The isolation that the words state; nil if they state none.
  func isolation(globalActors: Set<String>) -> Isolation? {
    if isNonisolated { return .nonisolated }
    for name in attributes {
      if name == "MainActor" { return .mainActor }
      if globalActors.contains(name) { return .globalActor(name) }
      if name == "concurrent" { return .nonisolated }
    }
    // Code in `#if` around an attribute may or may not apply.
    return isConditional ? .unknown : nil
  }
}
