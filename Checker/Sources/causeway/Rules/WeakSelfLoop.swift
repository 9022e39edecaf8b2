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
/// The rule treats these loops as endless: `for await`, and loops that suspend with the condition
/// `true` or `!Task.isCancelled`. The loop can also be in a method of the type that the code
/// awaits. The rule treats `for await` over a task group, the lines and bytes of a file, and the
/// purchases of StoreKit as a loop that ends. `for try await` over a call with arguments also ends,
/// like the answer of a server, unless the name of the call says that it observes something. If the
/// stream is a property of `self`, copy it to a constant or capture it before the loop.
enum WeakSelfLoop: Rule {
  static let id = "weak-self-loop"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.closures.flatMap { closure -> [Finding] in
      guard closure.capturesWeakly("self"), !runsForCaller(closure) else { return [] }
      let type = file.enclosingType(of: closure).flatMap { file.types.entries[$0] }
      return search(closure.statements, type)
    }
  }

  /// Whether the code around a closure waits until the closure ends, as with `withTaskGroup`.
  private static func runsForCaller(_ closure: ClosureExprSyntax) -> Bool {
    guard let call = closure.enclosingCall else { return false }
    return call.calleeName.map(KnownNames.inheritingFunctions.contains) == true
      || call.parent?.is(AwaitExprSyntax.self) == true
  }

  private static func search(
    _ items: CodeBlockItemListSyntax, _ type: TypeTable.Entry?
  ) -> [Finding] {
    for item in items {
      if let unwrapping = item.item.as(GuardStmtSyntax.self),
        let binding = unwrapping.conditions.first(where: { $0.unwrapsSelf })
      {
        let after = items.drop { $0.id != item.id }.dropFirst()
        guard after.contains(where: { containsEndlessLoop(Syntax($0.item), type) }) else {
          return []
        }
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
        if containsEndlessLoop(Syntax(expression.body), type) {
          return [
            finding(
              at: binding,
              "'self' is unwrapped around an endless loop, which keeps it alive until the loop ends",
              advice: "unwrap it inside the loop")
          ]
        }
      }
      if let attempt = item.item.as(DoStmtSyntax.self) {
        let found = search(attempt.body.statements, type)
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  private static func containsEndlessLoop(
    _ node: Syntax, _ type: TypeTable.Entry?
  ) -> Bool {
    if node.runsEndlessLoop || type?.callsEndlessLoop(node) == true { return true }
    // A group waits for its children.
    return node.descendants(FunctionCallExprSyntax.self).contains { call in
      KnownNames.childTasks.contains(call.calleeName ?? "")
        && call.closureArgument.map { Syntax($0.statements).runsEndlessLoop } == true
    }
  }
}

extension Syntax {
  /// Whether the code is or has an endless loop; nested closures do not count.
  var runsEndlessLoop: Bool {
    isEndlessLoop || directDescendants(ForStmtSyntax.self).contains { $0.mayBeEndless }
      || directDescendants(WhileStmtSyntax.self).contains { Syntax($0).isEndlessLoop }
      || directDescendants(RepeatStmtSyntax.self).contains { Syntax($0).isEndlessLoop }
  }
}

extension TypeTable.Entry {
  /// Whether the code awaits a method of the type with an endless loop: `await self.observe()`.
  func callsEndlessLoop(_ node: Syntax) -> Bool {
    let own = node.as(AwaitExprSyntax.self).map { [$0] } ?? []
    return (own + node.directDescendants(AwaitExprSyntax.self)).contains { wait in
      guard let call = wait.expression.withoutEffects.as(FunctionCallExprSyntax.self),
        let name = call.calledExpression.memberOfSelf, call.calleeName == name
      else { return false }
      let methods = everyMember.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
        .filter { $0.name.text == name }
      return methods.count == 1
        && methods[0].body?.statements.contains { Syntax($0.item).isEndlessLoop } == true
    }
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
  /// A loop over the answer to a request ends too. Such an answer comes from a call that has arguments
  /// and can fail, unless the name of the call says that it observes something.
  var mayBeEndless: Bool { waitsForElements && !readsAnswer }

  /// Whether the loop can wait for many elements.
  ///
  /// The children of a task group end, and so do the lines and bytes of a file or a response, and the
  /// purchases of a person. A loop that returns after its first element ends too.
  var waitsForElements: Bool {
    guard isAsync, !iteratesGroup, !body.alwaysLeaves else { return false }
    let names = sequence.withoutEffects.trailingNames
    return names.isDisjoint(with: [
      "lines", "bytes", "resourceBytes", "characters", "currentEntitlements", "unfinished",
    ])
  }

  private static let observing = [
    "observ", "update", "change", "event", "notification", "values", "subscri", "listen", "monitor",
    "watch",
  ]

  private var readsAnswer: Bool {
    guard tryKeyword != nil else { return false }
    let source = sequence.withoutEffects
    let constant = source.as(DeclReferenceExprSyntax.self).flatMap { value(of: $0.baseName.text) }
    guard let call = (constant ?? source).as(FunctionCallExprSyntax.self), !call.arguments.isEmpty
    else { return false }
    let name = call.calleeName?.lowercased() ?? ""
    return !Self.observing.contains(where: name.contains)
  }

  /// The value of a constant that the code before the loop declares.
  private func value(of name: String) -> ExprSyntax? {
    for ancestor in ancestors {
      if ancestor.is(FunctionDeclSyntax.self) { return nil }
      guard let list = ancestor.as(CodeBlockItemListSyntax.self) else { continue }
      for item in list where item.start < start {
        let variable = item.item.as(VariableDeclSyntax.self)
        if variable?.boundNames == [name] {
          return variable?.bindings.first?.initializer?.value.withoutEffects
        }
      }
    }
    return nil
  }

  /// Whether the sequence is a task group: the parameter of its closure, or a parameter with its
  /// type.
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
    let condition: String?
    let body: CodeBlockSyntax
    if let loop = self.as(WhileStmtSyntax.self) {
      guard loop.conditions.count == 1 else { return false }
      condition = loop.conditions.first?.condition.trimmedDescription
      body = loop.body
    } else if let loop = self.as(RepeatStmtSyntax.self) {
      condition = loop.condition.trimmedDescription
      body = loop.body
    } else {
      return false
    }
    return ["true", "!Task.isCancelled"].contains(condition)
      && !body.directDescendants(AwaitExprSyntax.self).isEmpty
      && body.directDescendants(BreakStmtSyntax.self).isEmpty
      // A `return` outside a `guard` means that the loop ends, like a retry loop that returns after
      // a success.
      && body.directDescendants(ReturnStmtSyntax.self).allSatisfy { leaving in
        leaving.ancestors.prefix { $0.id != body.id }.contains { $0.is(GuardStmtSyntax.self) }
      }
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
