import SwiftSyntax

/// A flag that an error leaves set.
///
/// The code sets a flag, calls something that can throw, and resets the flag. After an error it does
/// not reset it: a spinner never stops, and a later call that checks the flag never starts.
///
/// Bad:
/// ```swift
/// func load() async throws {
///   isLoading = true
///   items = try await service.items()
///   isLoading = false
/// }
/// ```
///
/// Good:
/// ```swift
/// func load() async throws {
///   isLoading = true
///   defer { isLoading = false }
///   items = try await service.items()
/// }
/// ```
///
/// Reported for stored properties that become `true` and then `false` in one block, with an uncaught
/// `try` between. Not reported when a `defer`, the `catch`, or the code after the `do` names the
/// flag, and for properties of structs without an owner, such as parsers.
enum FlagAfterThrow: Rule {
  static let id = "flag-after-throw"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.assignments.compactMap { assignment in
      guard assignment.isPlain, assignment.right.trimmedDescription == "true",
        let property = assignment.left.memberOfSelf,
        let item = assignment.left.parent?.parent?.parent?.as(CodeBlockItemSyntax.self),
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        let name = file.enclosingType(of: item), let type = file.types.entries[name],
        type.isReferenceType || file.types.conforms(name, to: ["View", "ViewModifier"]),
        type.storedVariables.contains(where: { $0.isVar && $0.boundNames.contains(property) })
      else { return nil }
      let flag = assignment.left.textWithoutSelf
      let later = list.drop { $0.start <= item.start }
      guard let reset = later.first(where: { $0.assigns(flag, "false") }) else { return nil }
      let between = later.prefix { $0.id != reset.id }
      guard between.contains(where: \.maySkipTheRest),
        !between.contains(where: { $0.mentions(property) }),
        !isReset(property, after: item)
      else { return nil }
      return finding(
        at: assignment.left,
        "an error before '\(flag) = false' leaves '\(flag)' true",
        advice: "reset it in a 'defer' after this line")
    }
  }

  /// Whether a `defer`, a `catch` or the code after a `do` names the flag.
  private static func isReset(_ property: String, after item: CodeBlockItemSyntax) -> Bool {
    var node = Syntax(item)
    while let parent = node.parent {
      if let list = parent.as(CodeBlockItemListSyntax.self) {
        for other in list where other.item.is(DeferStmtSyntax.self) && other.mentions(property) {
          return true
        }
        // After a caught error, the code after the `do` runs.
        if let attempt = Syntax(node).as(CodeBlockItemSyntax.self)?.item.as(DoStmtSyntax.self),
          !attempt.catchClauses.isEmpty
        {
          if attempt.catchClauses.contains(where: { $0.mentions(property) }) { return true }
          return followers(of: node).contains { $0.mentions(property) }
        }
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        return false
      }
      node = parent
    }
    return false
  }

  /// The statements after a node, in all blocks around it.
  private static func followers(of node: Syntax) -> [CodeBlockItemSyntax] {
    var found: [CodeBlockItemSyntax] = []
    var current = node
    while let parent = current.parent {
      if let list = parent.as(CodeBlockItemListSyntax.self) {
        found += list.drop { $0.start <= current.start }
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        break
      }
      current = parent
    }
    return found
  }
}

extension CodeBlockItemSyntax {
  /// Whether the statement is `place = value`.
  func assigns(_ place: String, _ value: String) -> Bool {
    guard let sequence = item.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true
    else { return false }
    return sequence.elements.first?.textWithoutSelf == place
      && sequence.elements.last?.trimmedDescription == value
  }

  /// Whether an error in the statement ends the block.
  fileprivate var maySkipTheRest: Bool {
    let attempts =
      item.directDescendants(TryExprSyntax.self)
      + (item.as(TryExprSyntax.self).map { [$0] } ?? [])
    return attempts.contains { attempt in
      attempt.questionOrExclamationMark == nil
        && !attempt.ancestors.prefix { $0.id != id }.contains {
          $0.as(DoStmtSyntax.self)?.catchClauses.isEmpty == false
        }
    }
  }
}
