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
/// The rule treats these loops as endless: `for await`, except over a task group or the lines and
/// bytes of a file, and `while true` and `while !Task.isCancelled` if they suspend. If the stream is a property of `self`, copy it to a constant
/// or capture it before the loop.
enum WeakSelfLoop: Rule {
  static let id = "weak-self-loop"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.closures.flatMap { closure -> [Finding] in
      guard closure.capturesWeakly("self"), !runsForCaller(closure) else { return [] }
      return search(closure.statements)
    }
  }

  /// Whether the code around a closure waits for its end, as for that of a task group.
  private static func runsForCaller(_ closure: ClosureExprSyntax) -> Bool {
    closure.enclosingCall?.calleeName.map(KnownNames.inheritingFunctions.contains) ?? false
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
    node.isEndlessLoop || node.directDescendants(ForStmtSyntax.self).contains { $0.mayBeEndless }
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

  /// Whether the loop waits for elements that may never end.
  ///
  /// The children of a task group end, and so do the lines and bytes of a file or a response. A loop
  /// that returns after its first element ends too.
  var mayBeEndless: Bool {
    guard isAsync, !iteratesGroup, !body.alwaysLeaves else { return false }
    let names = sequence.withoutEffects.trailingNames
    return names.isDisjoint(with: ["lines", "bytes", "resourceBytes", "characters"])
  }

  /// Whether the sequence is the group of a task group, or a parameter with the type of one.
  private var iteratesGroup: Bool {
    guard let name = sequence.withoutEffects.path?.split(separator: ".").first.map(String.init)
    else { return false }
    return ancestors.contains { ancestor in
      if let closure = ancestor.as(ClosureExprSyntax.self), closure.parameterNames.contains(name) {
        return closure.enclosingCall?.calleeName?.hasSuffix("TaskGroup") == true
      }
      guard let function = ancestor.as(FunctionDeclSyntax.self) else { return false }
      return function.signature.parameterClause.parameters.contains {
        ($0.secondName ?? $0.firstName).text == name
          && $0.type.trimmedDescription.contains("TaskGroup<")
      }
    }
  }
}

extension CodeBlockSyntax {
  /// Whether the last statement always leaves the block.
  fileprivate var alwaysLeaves: Bool {
    guard let last = statements.last?.item else { return false }
    return last.is(ReturnStmtSyntax.self) || last.is(BreakStmtSyntax.self)
      || last.is(ThrowStmtSyntax.self)
  }
}

extension ExprSyntax {
  /// The names of the last members and calls of a chain: `lines` for `url.lines.map { … }`.
  fileprivate var trailingNames: Set<String> {
    var names: Set<String> = []
    var current: ExprSyntax? = self
    while let expression = current {
      if let call = expression.as(FunctionCallExprSyntax.self) {
        current = call.calledExpression
      } else if let member = expression.as(MemberAccessExprSyntax.self) {
        names.insert(member.declName.baseName.text)
        current = member.base
      } else {
        if let name = expression.path { names.insert(name) }
        return names
      }
    }
    return names
  }
}

extension Syntax {
  /// Whether the loop waits for elements or continues until its task is cancelled.
  var isEndlessLoop: Bool {
    if let loop = self.as(ForStmtSyntax.self) { return loop.mayBeEndless }
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
