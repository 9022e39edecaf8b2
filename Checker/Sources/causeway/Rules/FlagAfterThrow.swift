import SwiftSyntax

/// A flag that stays set after an error.
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
/// Reported for stored properties that become `true` and then `false`, or a case such as `.loading`
/// and then another case. An uncaught `try`, or a `guard` with `try?` that returns, must be between
/// the two assignments. The reset can be in a `do` or in a task after the assignment. Not reported
/// when a `defer`, the `catch`, or the code after the `do` names the property or calls a method
/// that names it, when the `catch` dismisses the view, when the error is passed on and a `catch` of
/// the type resets it, and for properties of structs without an owner, such as parsers.
enum FlagAfterThrow: Rule {
  static let id = "flag-after-throw"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.assignments.compactMap { assignment in
      guard assignment.isPlain, let busy = Busy(assignment), let item = busy.item,
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        let name = file.enclosingType(of: item), let type = file.types.entries[name],
        type.isReferenceType || file.types.conforms(name, to: ["View", "ViewModifier"]),
        type.storedVariables.contains(where: { $0.isVar && $0.boundNames.contains(busy.property) }),
        case let names = type.names(about: busy.property, besides: item),
        busy.isLeft(by: list.drop { $0.start <= item.start }, names),
        !isReset(names, after: item), !isResetByCaller(names, of: item, type)
      else { return nil }
      return finding(
        at: assignment.left,
        "an error before '\(busy.place)' is reset leaves it at '\(busy.value)'",
        advice: "reset it in a 'defer' after this line, or in the 'catch'")
    }
  }

  /// Whether the function passes the error on, and code of the type resets the flag in a `catch`.
  private static func isResetByCaller(
    _ names: Set<String>, of item: CodeBlockItemSyntax, _ type: TypeTable.Entry
  ) -> Bool {
    for ancestor in item.ancestors {
      if ancestor.is(ClosureExprSyntax.self) { return false }
      guard let function = ancestor.as(FunctionDeclSyntax.self) else { continue }
      guard function.signature.effectSpecifiers?.throwsClause != nil else { return false }
      return type.everyMember.contains { member in
        member.descendants(CatchClauseSyntax.self).contains { $0.mentions(anyOf: names) }
      }
    }
    return false
  }

  /// Whether a `defer`, a `catch` or the code after a `do` names the flag.
  private static func isReset(_ names: Set<String>, after item: CodeBlockItemSyntax) -> Bool {
    var node = Syntax(item)
    while let parent = node.parent {
      if let list = parent.as(CodeBlockItemListSyntax.self) {
        for other in list where other.item.is(DeferStmtSyntax.self) && other.mentions(anyOf: names)
        {
          return true
        }
        // After a caught error, the code after the `do` runs.
        if let attempt = Syntax(node).as(CodeBlockItemSyntax.self)?.item.as(DoStmtSyntax.self),
          !attempt.catchClauses.isEmpty
        {
          if attempt.catchClauses.contains(where: { $0.answers(names) }) { return true }
          return followers(of: node).contains { $0.mentions(anyOf: names) }
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

/// An assignment that says that work has begun.
private struct Busy {
  /// The place, such as `isLoading` or `state.isBusy`, and the stored property in it.
  let place: String
  let property: String
  let value: String
  /// The statement, or the call of `MainActor.run` if the assignment is in its closure.
  let item: CodeBlockItemSyntax?
  private let enumCase: String?

  init?(_ assignment: InfixOperatorParts) {
    guard let property = assignment.left.memberOfSelf else { return nil }
    let text = assignment.right.trimmedDescription
    let name = assignment.right.enumCase
    guard text == "true" || name.map(Requirement.isAboutRunning) == true else { return nil }
    place = assignment.left.placeInSelf
    self.property = property
    value = text
    enumCase = text == "true" ? nil : name
    var item = assignment.left.parent?.parent?.parent?.as(CodeBlockItemSyntax.self)
    if let closure = item?.parent?.parent?.as(ClosureExprSyntax.self),
      let outer = closure.ancestors.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
      outer.closureRunInPlace?.id == closure.id
    {
      item = outer
    }
    self.item = item
  }

  /// Whether an error in the statements skips a later statement that resets the flag.
  ///
  /// - Parameter names: The property, and the methods that name it.
  func isLeft(by items: some Sequence<CodeBlockItemSyntax>, _ names: Set<String>) -> Bool {
    var mayThrow = false
    let items = Array(items)
    for (index, item) in items.enumerated() {
      if isReset(by: item) { return mayThrow }
      guard item.mentions(property) else {
        mayThrow = mayThrow || item.maySkipTheRest || item.leavesAfterError
        continue
      }
      if let check = item.item.as(GuardStmtSyntax.self), !check.conditions.mentions(property) {
        // If the code returns here, it resets the flag. But if the condition throws, the flag stays
        // set.
        mayThrow = mayThrow || item.maySkipTheRest
        continue
      }
      let isNamedLater = items[(index + 1)...].contains { $0.mentions(anyOf: names) }
      if let attempt = item.item.as(DoStmtSyntax.self), !attempt.catchClauses.isEmpty {
        // After a caught error, the code after the `do` runs.
        return !isNamedLater && !attempt.catchClauses.contains { $0.answers(names) }
          && !hasDefer(in: attempt.body.statements, names)
          && isLeft(by: attempt.body.statements, names)
      }
      if let task = item.startedTask {
        return !isNamedLater && !hasDefer(in: task.statements, names)
          && (mayThrow || isLeft(by: task.statements, names))
      }
      return false
    }
    return false
  }

  private func hasDefer(
    in statements: CodeBlockItemListSyntax, _ names: Set<String>
  ) -> Bool {
    statements.contains { $0.item.is(DeferStmtSyntax.self) && $0.mentions(anyOf: names) }
  }

  private func isReset(by item: CodeBlockItemSyntax) -> Bool {
    if let closure = item.closureRunInPlace {
      return closure.statements.contains { isReset(by: $0) }
    }
    guard let sequence = item.item.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
      let target = sequence.elements.first, target.placeInSelf == place,
      let new = sequence.elements.last, !new.mentions("try")
    else { return false }
    if let enumCase { return new.enumCase.map { $0 != enumCase } ?? false }
    return new.trimmedDescription == "false"
  }
}

extension TypeTable.Entry {
  /// A property and the methods that name it, except for the method around a statement.
  fileprivate func names(about property: String, besides item: CodeBlockItemSyntax) -> Set<String> {
    let methods = everyMember.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.filter { method in
      method.body?.mentions(property) == true && !item.ancestors.contains { $0.id == method.id }
    }
    return Set([property] + methods.map(\.name.text))
  }
}

extension CatchClauseSyntax {
  /// Whether the code names the property or a method about it, or dismisses the view that shows it.
  fileprivate func answers(_ names: Set<String>) -> Bool {
    tokens(viewMode: .sourceAccurate).contains {
      names.contains($0.text) || $0.text.hasPrefix("dismiss")
    }
  }
}

extension ExprSyntax {
  /// The path of a place without `self.` and `self?.`, or its text.
  fileprivate var placeInSelf: String {
    guard let path else { return textWithoutSelf }
    return path.hasPrefix("self.") ? String(path.dropFirst("self.".count)) : path
  }
}

extension CodeBlockItemSyntax {
  /// Whether an error in the statement ends the block.
  fileprivate var maySkipTheRest: Bool {
    let attempts =
      item.directDescendants(TryExprSyntax.self)
      + (item.as(TryExprSyntax.self).map { [$0] } ?? [])
    return attempts.contains { attempt in
      // A pause throws only if the task is cancelled.
      let call = attempt.expression.withoutEffects.as(FunctionCallExprSyntax.self)
      return attempt.questionOrExclamationMark == nil && call?.calleeName != "sleep"
        && !attempt.ancestors.prefix { $0.id != id }.contains {
          $0.as(DoStmtSyntax.self)?.catchClauses.isEmpty == false
        }
    }
  }

  /// Whether the statement returns if a `try?` has no value.
  fileprivate var leavesAfterError: Bool {
    guard let check = item.as(GuardStmtSyntax.self) else { return false }
    return check.body.mentions("return")
      && check.conditions.directDescendants(TryExprSyntax.self).contains {
        $0.questionOrExclamationMark?.text == "?"
      }
  }
}
