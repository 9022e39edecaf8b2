import SwiftSyntax

/// A task that `self` stores captures `self` strongly and runs a `for await` loop.
///
/// The object retains the task and the task retains the object. Such tasks are usually cancelled in
/// `deinit`, which never runs.
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
/// Not reported when a method cancels the task, other than the method that starts it. The caller of
/// that method then decides when the task ends. Not reported for loops over sequences that end. Not
/// reported for a type with a static instance of itself, because the instance is never released.
enum StoredTaskStrongSelf: Rule {
  static let id = "stored-task-strong-self"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.assignments.compactMap { assignment in
      guard let call = assignment.right.withoutEffects.as(FunctionCallExprSyntax.self),
        ["Task", "Task.detached"].contains(call.calleePath), let closure = call.closureArgument,
        let property = assignment.left.storedProperty, let name = file.enclosingType(of: call),
        let type = file.types.entries[name], type.isReferenceType, type.hasStored(property),
        !hasSharedInstance(type, named: name),
        closure.signature?.capture?.items.contains(where: { $0.capturesSelf }) != true,
        let loop = closure.directDescendants(ForStmtSyntax.self).first(where: \.mayBeEndless),
        usesSelf(closure, loop, of: type), !isCancelledElsewhere(property, than: call, in: type)
      else { return nil }
      return finding(
        at: call.calledExpression,
        "'\(name)' stores this task in '\(property)', and the task retains 'self' while it waits in "
          + "'for await'", advice: "capture 'self' weakly and unwrap it inside the loop")
    }
  }

  /// Whether the closure uses `self`, or a member without `self.`, as closures of `Task` may write
  /// it.
  private static func usesSelf(
    _ closure: ClosureExprSyntax, _ loop: ForStmtSyntax, of type: TypeTable.Entry
  ) -> Bool {
    if loop.body.mentions("self") { return true }
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
    return loop.body.descendants(DeclReferenceExprSyntax.self).contains { reference in
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
  /// Whether the type stores a property with a name.
  func hasStored(_ name: String) -> Bool {
    storedVariables.contains { $0.boundNames.contains(name) }
  }
}
