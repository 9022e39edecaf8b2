import SwiftSyntax

/// `@MainActor` on a declaration that is on the main actor without the annotation.
///
/// These are on the main actor: the members of a main-actor type, SwiftUI views, and types that
/// inherit the isolation from a class or a protocol. A second annotation has no effect. It hides
/// the annotations that matter, and it remains when the type's isolation changes.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   @MainActor func refresh() async { … }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func refresh() async { … }
/// }
/// ```
///
/// Not reported for members that may implement a requirement with another isolation. Without the
/// annotation, they get the isolation of the requirement. Examples are requirements of a
/// `nonisolated` protocol, or of a protocol of another module. Not reported for stored properties
/// of structs: without the annotation, SE-0434 allows code off the main actor to use them. Not
/// reported for declarations that are also `@preconcurrency`, or that have attributes in `#if`.
enum RedundantMainActor: Rule {
  static let id = "redundant-main-actor"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.attributes.compactMap { attribute in
      guard attribute.lastName == "MainActor",
        let list = attribute.parent?.as(AttributeListSyntax.self),
        list.first(named: "preconcurrency") == nil,
        let declaration = list.parent?.asProtocol((any DeclSyntaxProtocol).self),
        let why = redundancy(of: declaration, in: file)
      else { return nil }
      return finding(
        at: attribute, "'@MainActor' is redundant: \(why)", advice: "remove the attribute",
        edits: [removal(of: attribute, from: declaration, in: file.source)])
    }
  }

  private static func redundancy(
    of declaration: some DeclSyntaxProtocol, in file: CheckedFile
  ) -> String? {
    switch declaration.kind {
    case .functionDecl, .variableDecl, .initializerDecl, .subscriptDecl:
      return memberRedundancy(of: declaration, in: file)
    case .classDecl, .structDecl, .enumDecl, .protocolDecl:
      return typeRedundancy(of: declaration, in: file)
    default: return nil
    }
  }

  private static func memberRedundancy(
    of declaration: some DeclSyntaxProtocol, in file: CheckedFile
  ) -> String? {
    guard declaration.parent?.is(MemberBlockItemSyntax.self) == true else {
      guard file.settings.defaultIsolation == .mainActor,
        declaration.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
      else { return nil }
      return "the module's default isolation is the main actor"
    }
    guard let group = file.enclosingDeclaration(of: declaration),
      file.memberIsolation(in: group) == .mainActor, !file.mayLeaveMainActor(declaration, in: group)
    else { return nil }
    if let variable = declaration.as(VariableDeclSyntax.self), variable.isStored,
      !variable.modifiers.isStatic, !group.is(ClassDeclSyntax.self),
      !group.is(ProtocolDeclSyntax.self)
    {
      return nil
    }
    let name = file.enclosingType(of: declaration) ?? "the type"
    return "the members of '\(name)' are on the main actor"
  }

  private static func typeRedundancy(
    of declaration: some DeclSyntaxProtocol, in file: CheckedFile
  ) -> String? {
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self),
      let name = file.enclosingType(of: group.memberBlock),
      let entry = file.types.entries[name], entry.declarations.count == 1
    else { return nil }
    if let parent = file.types.superclass(of: name),
      file.types.entries[parent]?.isolation == .mainActor
    {
      return "the superclass '\(parent)' is on the main actor"
    }
    guard file.settings.defaultIsolation == .mainActor, !entry.declarations[0].isLocal,
      !name.contains("."),
      !file.types.conforms(name, to: KnownNames.refiningSendable, extensionsToo: false),
      entry.inheritedNames.allSatisfy({
        file.types.type($0) != nil || KnownNames.neutralProtocols.contains($0)
          || KnownNames.isMainActor($0, importsUserInterface: true)
      }),
      entry.inheritedNames.allSatisfy({
        let isolation = file.types.type($0)?.isolation
        return isolation == nil || isolation == .mainActor
      })
    else { return nil }
    return "the module's default isolation is the main actor"
  }

  /// Removes the attribute with the white space after it, and keeps comments.
  private static func removal(
    of attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol,
    in source: SourceFile
  ) -> Edit {
    let space = source.text.utf8.dropFirst(attribute.end).prefix { byte in
      [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
    let after = attribute.end + space.count
    let next = source.text.utf8.dropFirst(after).first
    if next == UInt8(ascii: "/") {
      // If a comment follows, its line stays. Only the blanks after the attribute are removed.
      let blanks = space.prefix { $0 == 0x20 || $0 == 0x09 }.count
      return Edit(range: attribute.start..<attribute.end + blanks, replacement: "")
    }
    return Edit(range: attribute.start..<after, replacement: "")
  }
}
