import SwiftSyntax

/// Code on an actor checks a flag, suspends, and then sets the flag without a new check.
///
/// At the `await`, another call can run on the same actor. It also passes the check, so both calls
/// do the work that the flag should allow only once. The compiler does not report it: there is no
/// data race.
///
/// Bad:
/// ```swift
/// @MainActor
/// func sync() async {
///   guard !isSyncing else { return }
///   let token = await session.token()
///   isSyncing = true
///   …
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func sync() async {
///   guard !isSyncing else { return }
///   isSyncing = true
///   defer { isSyncing = false }
///   let token = await session.token()
///   …
/// }
/// ```
///
/// Reported in main-actor types and in actors, for a stored property that a `guard` or an early
/// return requires to be `false` or `nil`, and that a later statement of the same block sets to
/// `true` or to a value. A flag has to say that something is running: `isSyncing`, `hasStarted`. A
/// flag such as `isLoaded` is right to be set after the work. Not reported when the code names the
/// property between the `await` and the assignment, when the assigned value comes from the awaited
/// result, and when the early return returns the value of the property: a cache that loads a value
/// twice is often right.
enum CheckThenAct: Rule {
  static let id = "check-then-act"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    let blocks = file.facts.functions.compactMap { $0.body.map { (Syntax($0), $0.statements) } }
    let closures = file.facts.closures.map { (Syntax($0), $0.statements) }
    return (blocks + closures).flatMap { node, statements -> [Finding] in
      guard statements.contains(where: { requiredEmpty(by: $0) != nil }),
        !statements.directDescendants(AwaitExprSyntax.self).isEmpty,
        let name = file.enclosingType(of: node), let type = file.types.entries[name],
        [.mainActor, .actorInstance].contains(isolation(of: statements, file))
      else { return [] }
      let stored = Set(type.storedVariables.filter(\.isVar).flatMap(\.boundNames))
      return findings(in: statements, stored)
    }
  }

  private static func isolation(
    of statements: CodeBlockItemListSyntax, _ file: CheckedFile
  ) -> Isolation {
    statements.first.map { file.isolation(at: $0) } ?? .unknown
  }

  private static func findings(
    in statements: CodeBlockItemListSyntax, _ stored: Set<String>
  ) -> [Finding] {
    let items = Array(statements)
    return items.indices.compactMap { index in
      guard let check = requiredEmpty(by: items[index]), stored.contains(check.property) else {
        return nil
      }
      return search(items[(index + 1)...], for: check)
    }
  }

  private struct RequiredEmpty {
    let property: String
    /// The checked expression, such as `isSyncing` or `openStreams[id]`.
    let text: String
    let isFlag: Bool
  }

  private static func search(
    _ items: ArraySlice<CodeBlockItemSyntax>, for check: RequiredEmpty
  ) -> Finding? {
    var hasSuspended = false
    var awaited: Set<String> = []
    for item in items {
      if hasSuspended, let target = act(of: item, on: check, awaited: awaited) {
        return finding(
          at: target,
          "'\(check.text)' was checked before an 'await': another call can have passed the same "
            + "check since",
          advice: "set it before the 'await', or check it again")
      }
      if item.mentions(check.property) { return nil }
      let suspends = !item.directDescendants(AwaitExprSyntax.self).isEmpty
      hasSuspended = hasSuspended || suspends
      guard suspends || item.mentions(anyOf: awaited) else { continue }
      awaited.formUnion(item.descendants(IdentifierPatternSyntax.self).map(\.identifier.text))
      awaited.formUnion(item.writtenMembers)
    }
    return nil
  }

  /// Whether a flag says that work is running, and not that it has ended.
  private static func isAboutRunning(_ text: String) -> Bool {
    let name = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["ing", "progress", "busy", "active", "start", "begun", "inflight", "scheduled"]
      .contains { name.contains($0) }
  }

  /// The target of a statement that makes the checked expression `true`, or gives it a value.
  private static func act(
    of item: CodeBlockItemSyntax, on check: RequiredEmpty, awaited: Set<String>
  ) -> ExprSyntax? {
    guard let sequence = item.item.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      let target = sequence.elements.first, let value = sequence.elements.last,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
      target.textWithoutSelf == check.text
    else { return nil }
    if check.isFlag { return value.trimmedDescription == "true" ? target : nil }
    let isResult = value.mentions("await") || value.mentions(anyOf: awaited)
    return value.is(NilLiteralExprSyntax.self) || isResult ? nil : target
  }

  /// The expression that has to be `false` or `nil` for the code after a statement to run.
  private static func requiredEmpty(by item: CodeBlockItemSyntax) -> RequiredEmpty? {
    if let statement = item.item.as(GuardStmtSyntax.self) {
      guard statement.conditions.directDescendants(AwaitExprSyntax.self).isEmpty else { return nil }
      return statement.conditions.lazy.compactMap { condition -> RequiredEmpty? in
        guard case .expression(let expression) = condition.condition else { return nil }
        return negated(expression) ?? comparison(expression, "==")
      }.first
    }
    guard let statement = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self),
      statement.elseBody == nil, statement.conditions.count == 1,
      let last = statement.body.statements.last?.item,
      last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self),
      let condition = statement.conditions.first?.condition
    else { return nil }
    switch condition {
    case .expression(let expression):
      if let required = comparison(expression, "!=") { return required }
      return place(expression, isFlag: true)
    case .optionalBinding(let binding):
      // Code that returns the value that it finds is a cache.
      if last.as(ReturnStmtSyntax.self)?.expression != nil { return nil }
      let value =
        binding.initializer?.value
        ?? binding.pattern.as(IdentifierPatternSyntax.self).map {
          ExprSyntax(DeclReferenceExprSyntax(baseName: $0.identifier.trimmed))
        }
      return value.flatMap { place($0, isFlag: false) }
    default: return nil
    }
  }

  private static func negated(_ expression: ExprSyntax) -> RequiredEmpty? {
    guard let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!"
    else { return nil }
    return place(prefix.expression, isFlag: true)
  }

  private static func comparison(_ expression: ExprSyntax, _ symbol: String) -> RequiredEmpty? {
    guard let sequence = expression.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      sequence.elements.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?.operator.text
        == symbol,
      let left = sequence.elements.first, let right = sequence.elements.last
    else { return nil }
    if right.is(NilLiteralExprSyntax.self) { return place(left, isFlag: false) }
    let literal = right.as(BooleanLiteralExprSyntax.self)?.literal.text
    return literal == (symbol == "==" ? "false" : "true") ? place(left, isFlag: true) : nil
  }

  private static func place(_ expression: ExprSyntax, isFlag: Bool) -> RequiredEmpty? {
    guard let property = expression.memberOfSelf else { return nil }
    let text = expression.textWithoutSelf
    if isFlag, !isAboutRunning(text) { return nil }
    return RequiredEmpty(property: property, text: text, isFlag: isFlag)
  }
}

extension ExprSyntax {
  /// The source text without a leading `self.`.
  fileprivate var textWithoutSelf: String {
    let text = trimmedDescription
    return text.hasPrefix("self.") ? String(text.dropFirst("self.".count)) : text
  }
}
