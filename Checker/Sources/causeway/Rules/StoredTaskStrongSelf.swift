import SwiftSyntax

/// A task that `self` stores captures `self` strongly and runs an endless loop.
///
/// The object retains the task and the task retains the object. Code usually cancels such tasks in
/// `deinit`, which never runs here.
///
/// Bad:
/// ```swift
/// func start() {
///   task = Task {
///     for await item in stream { self.handle(item) }
///   }
/// }
/// deinit { task?.cancel() }
/// ```
///
/// Good:
/// ```swift
/// func start() {
///   task = Task { [weak self, stream] in
///     for await item in stream { self?.handle(item) }
///   }
/// }
/// deinit { task?.cancel() }
/// ```
///
/// The loop can be in a method of the type that the task awaits. Also reported for a task that a
/// local constant or the state of a lock holds. Not reported when a method other than the starting
/// method cancels the task. The caller of this method then decides when the task ends. Not reported
/// for loops over sequences that end. Not reported for a type with a static instance of itself,
/// because the instance is never released.
enum StoredTaskStrongSelf: Rule {
  static let id = "stored-task-strong-self"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.assignments.compactMap { assignment in
      guard let name = file.enclosingType(of: assignment.right),
        let type = file.types.entries[name], type.isReferenceType,
        let call = task(in: assignment.right, file), let closure = call.closureArgument,
        let property = property(of: assignment.left, in: type),
        !hasSharedInstance(type, named: name),
        closure.signature?.capture?.items.contains(where: { $0.capturesSelf }) != true,
        retainsSelf(closure, type), !isCancelledElsewhere(property, than: call, in: type)
      else { return nil }
      return finding(
        at: call.calledExpression,
        "'\(name)' stores this task in '\(property)', and the task retains 'self' while it waits in "
          + "an endless loop", advice: "capture 'self' weakly and unwrap it inside the loop")
    }
  }

  /// The call that starts the task of an expression: `Task { … }`, or a local constant for it.
  private static func task(in value: ExprSyntax, _ file: CheckedFile) -> FunctionCallExprSyntax? {
    let value = value.withoutEffects
    let isName = value.is(DeclReferenceExprSyntax.self)
    let call = (isName ? file.value(of: value) : value)?.as(FunctionCallExprSyntax.self)
    guard let call, ["Task", "Task.detached"].contains(call.calleePath) else { return nil }
    return call
  }

  /// The stored property that an assignment changes, also in the state of a lock:
  /// `state.withLock { $0.task = task }`.
  private static func property(of target: ExprSyntax, in type: TypeTable.Entry) -> String? {
    if let property = target.storedProperty, type.hasStored(property) { return property }
    guard let member = target.as(MemberAccessExprSyntax.self), let state = member.base?.path,
      let closure = target.ancestors.first(where: { $0.is(ClosureExprSyntax.self) })?
        .as(ClosureExprSyntax.self),
      (closure.parameterNames.first ?? "$0") == state,
      let call = closure.enclosingCall, locks.contains(call.calleeName ?? ""),
      let owner = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.memberOfSelf,
      type.hasStored(owner)
    else { return nil }
    return member.declName.baseName.text
  }

  private static let locks: Set<String> = [
    "withLock", "withLockUnchecked", "withLockedValue", "withValue", "withCriticalRegion",
  ]

  /// Whether an endless loop of the closure, or of a method that it awaits, uses `self`.
  private static func retainsSelf(_ closure: ClosureExprSyntax, _ type: TypeTable.Entry) -> Bool {
    if let loop = closure.directDescendants(ForStmtSyntax.self).first(where: \.mayBeEndless),
      usesSelf(closure, loop.body, of: type)
    {
      return true
    }
    if let loop = closure.directDescendants(WhileStmtSyntax.self)
      .first(where: { Syntax($0).isEndlessLoop }), usesSelf(closure, loop.body, of: type)
    {
      return true
    }
    return type.callsEndlessLoop(Syntax(closure.statements))
  }

  /// Whether the closure uses `self`, or a member without `self.`, as closures of `Task` may write
  /// it.
  private static func usesSelf(
    _ closure: ClosureExprSyntax, _ body: CodeBlockSyntax, of type: TypeTable.Entry
  ) -> Bool {
    if body.mentions("self") { return true }
    let members = Set(
      type.everyMember.flatMap { member -> [String] in
        if let function = member.decl.as(FunctionDeclSyntax.self),
          !function.modifiers.isStatic
        {
          return [function.name.text]
        }
        if let variable = member.decl.as(VariableDeclSyntax.self),
          !variable.modifiers.isStatic
        {
          return variable.boundNames
        }
        return []
      })
    let locals = Set(
      closure.descendants(IdentifierPatternSyntax.self).map { $0.identifier.text }
        + (closure.signature?.capture?.items.map { $0.name.text } ?? []))
    return body.descendants(DeclReferenceExprSyntax.self).contains { reference in
      let isMemberOfOther =
        reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id == reference.id
      return !isMemberOfOther && members.contains(reference.baseName.text)
        && !locals.contains(reference.baseName.text)
    }
  }

  /// Whether a static property of the type holds an instance of it.
  private static func hasSharedInstance(_ type: TypeTable.Entry, named name: String) -> Bool {
    let names = ["Self", ".init", name, String(name.split(separator: ".").last ?? "")]
    return type.everyMember.contains { member in
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored,
        variable.modifiers.isStatic,
        let value = variable.bindings.first?.initializer?.value.as(FunctionCallExprSyntax.self)
      else { return false }
      return names.contains(value.calleePath ?? "")
    }
  }

  private static func isCancelledElsewhere(
    _ property: String, than call: FunctionCallExprSyntax, in type: TypeTable.Entry
  ) -> Bool {
    type.everyMember.contains { member in
      guard let function = member.decl.as(FunctionDeclSyntax.self),
        !(function.start..<function.end).contains(call.start) || function.root.id != call.root.id
      else { return false }
      return function.descendants(MemberAccessExprSyntax.self).contains { access in
        access.declName.baseName.text == "cancel" && access.base?.mentions(property) == true
      }
    }
  }
}

extension ClosureCaptureSyntax {
  /// Whether the capture is `weak self` or `unowned self`.
  fileprivate var capturesSelf: Bool {
    specifier != nil && (name.text == "self" || initializer?.value.path == "self")
  }
}

extension ExprSyntax {
  /// The property that an assignment to `task`, `self.task` or `tasks[id]` changes.
  fileprivate var storedProperty: String? {
    if let element = self.as(SubscriptCallExprSyntax.self) {
      return element.calledExpression.storedProperty
    }
    guard var path else { return nil }
    for prefix in ["self."] where path.hasPrefix(prefix) { path.removeFirst(prefix.count) }
    return path.contains(".") ? nil : path
  }
}

extension TypeTable.Entry {
  /// Whether the type has a stored property with this name.
  func hasStored(_ name: String) -> Bool {
    storedVariables.contains { $0.boundNames.contains(name) }
  }
}
