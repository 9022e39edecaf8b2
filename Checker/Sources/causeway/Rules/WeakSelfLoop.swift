import SwiftSyntax

/// `[weak self]`, followed by `guard let self` before an endless loop.
///
/// The loop keeps the unwrapped `self` alive. If only `deinit` cancels the task, the object is never
/// released. The weak capture has no effect.
///
/// Bad:
/// ```swift
/// task = Task { [weak self] in
///   guard let self else { return }
///   for await item in stream { handle(item) }
/// }
/// ```
///
/// Good:
/// ```swift
/// task = Task { [weak self] in
///   for await item in stream {
///     guard let self else { return }
///     handle(item)
///   }
/// }
/// ```
///
/// The rule treats these loops as endless: `for await`, and `while true` and `while
/// !Task.isCancelled` if they suspend. If the stream is a property of `self`, copy it to a constant
/// or capture it before the loop.
enum WeakSelfLoop: Rule {
  static let id = "weak-self-loop"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.closures.flatMap { closure -> [Finding] in
      guard closure.capturesWeakly("self") else { return [] }
      return search(closure.statements)
    }
  }

  private static func search(_ items: CodeBlockItemListSyntax) -> [Finding] {
    for item in items {
      if let unwrapping = item.item.as(GuardStmtSyntax.self),
        let binding = unwrapping.conditions.first(where: { $0.unwrapsSelf })
      {
        let after = items.drop { $0.id != item.id }.dropFirst()
        guard after.contains(where: { containsEndlessLoop(Syntax($0.item)) }) else { return [] }
        return [
          finding(
            at: binding,
            "'self' is unwrapped before an endless loop, which keeps it alive until the loop ends",
            advice: "unwrap it inside the loop")
        ]
      }
      if let expression = item.item.as(ExpressionStmtSyntax.self)?.expression
        .as(IfExprSyntax.self),
        let binding = expression.conditions.first(where: { $0.unwrapsSelf })
      {
        if containsEndlessLoop(Syntax(expression.body)) {
          return [
            finding(
              at: binding,
              "'self' is unwrapped around an endless loop, which keeps it alive until the loop ends",
              advice: "unwrap it inside the loop")
          ]
        }
      }
      if let attempt = item.item.as(DoStmtSyntax.self) {
        let found = search(attempt.body.statements)
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  private static func containsEndlessLoop(_ node: Syntax) -> Bool {
    node.isEndlessLoop || node.directDescendants(ForStmtSyntax.self).contains { $0.isAsync }
      || node.directDescendants(WhileStmtSyntax.self).contains { Syntax($0).isEndlessLoop }
  }
}

extension ClosureExprSyntax {
  /// Whether the capture list captures the name weakly, also under another name.
  func capturesWeakly(_ name: String) -> Bool {
    signature?.capture?.items.contains { item in
      item.specifier?.specifier.tokenKind == .keyword(.weak)
        && (item.name.text == name || item.initializer?.value.path == name)
    } == true
  }
}

extension ForStmtSyntax {
  var isAsync: Bool { awaitKeyword != nil }
}

extension Syntax {
  /// Whether the loop waits for elements or continues until its task is cancelled.
  var isEndlessLoop: Bool {
    if let loop = self.as(ForStmtSyntax.self) { return loop.isAsync }
    guard let loop = self.as(WhileStmtSyntax.self), loop.conditions.count == 1,
      let condition = loop.conditions.first?.condition.trimmedDescription
    else { return false }
    return ["true", "!Task.isCancelled"].contains(condition)
      && !loop.body.directDescendants(AwaitExprSyntax.self).isEmpty
      && loop.body.directDescendants(BreakStmtSyntax.self).isEmpty
  }
}

extension ConditionElementSyntax {
  /// `let self`, `let self = self`, `let strongSelf = self`.
  var unwrapsSelf: Bool {
    guard let binding = condition.as(OptionalBindingConditionSyntax.self) else { return false }
    if let value = binding.initializer?.value { return value.trimmedDescription == "self" }
    return binding.pattern.trimmedDescription == "self"
  }
}
