import SwiftSyntax

/// A cancellation handler that competes with the code that it should cancel.
///
/// The handler runs on any thread: at once if the task is already cancelled, and otherwise at any
/// time. If it resumes a continuation in a property that nothing protects, a callback can resume
/// the same continuation before the property is set to nil, and the program traps. If the handler
/// runs before the operation stores its continuation, it finds nothing to cancel, and the caller
/// waits forever.
///
/// Bad:
/// ```swift
/// try await withTaskCancellationHandler {
///   try await withCheckedThrowingContinuation { continuation = $0 }
/// } onCancel: {
///   self.continuation?.resume(throwing: CancellationError())
///   self.continuation = nil
/// }
/// ```
///
/// Good:
/// ```swift
/// try await withTaskCancellationHandler {
///   try await withCheckedThrowingContinuation { continuation in
///     let isCancelled = state.withLock { state in
///       if !state.isCancelled { state.continuation = continuation }
///       return state.isCancelled
///     }
///     if isCancelled { continuation.resume(throwing: CancellationError()) }
///   }
/// } onCancel: {
///   state.withLock { state in
///     state.isCancelled = true
///     return state.continuation.take()
///   }?.resume(throwing: CancellationError())
/// }
/// ```
///
/// Reported for a resume of a stored continuation without a lock, also in a method of the class.
/// Also reported for a handler that removes a waiter from shared storage, under a lock and without
/// a task, if the operation stores the waiter and does not check whether the task is cancelled. Not
/// reported if a method of the state stores the waiter, because the method can know that the task
/// is cancelled. Not reported for a handler that starts a task on the actor of the operation: the
/// task runs after the operation has stored its continuation.
enum CancellationHandler: Rule {
  static let id = "cancellation-handler"

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard call.calleeName == "withTaskCancellationHandler", let handler = call.onCancel,
        let operation = call.operation
      else { return nil }
      return unprotectedResume(in: handler, file) ?? lateRegistration(operation, handler)
    }
  }

  private static func unprotectedResume(
    in handler: ClosureExprSyntax, _ file: CheckedFile
  ) -> Finding? {
    guard let name = file.enclosingType(of: handler), let type = file.types.entries[name],
      type.kind == .class, !handler.mentions(anyOf: locks)
    else { return nil }
    if let call = resumingCall(in: handler, type) { return call }
    for call in handler.statements.directDescendants(FunctionCallExprSyntax.self) {
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        member.declName.baseName.text == "resume", let property = member.base?.memberOfSelf,
        type.holdsContinuation(property)
      else { continue }
      return finding(
        at: call.calledExpression,
        "the handler runs on any thread: it and other code can both resume '\(property)', which "
          + "traps",
        advice: "take the continuation out of the property under a lock, then resume it")
    }
    return nil
  }

  /// A call of a method that resumes a stored continuation without a lock: `self?.finish()`.
  private static func resumingCall(
    in handler: ClosureExprSyntax, _ type: TypeTable.Entry
  ) -> Finding? {
    for call in handler.statements.directDescendants(FunctionCallExprSyntax.self) {
      guard let name = call.calledExpression.memberOfSelf, call.calleeName == name else { continue }
      let methods = type.everyMember.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
        .filter { $0.name.text == name }
      guard methods.count == 1, let body = methods[0].body, !body.mentions(anyOf: locks) else {
        continue
      }
      let resumed = body.directDescendants(MemberAccessExprSyntax.self).lazy
        .filter { $0.declName.baseName.text == "resume" }
        .compactMap { $0.base?.memberOfSelf }.first { type.holdsContinuation($0) }
      guard let resumed else { continue }
      return finding(
        at: call.calledExpression,
        "the handler runs on any thread: '\(name)' and other code can both resume '\(resumed)', which "
          + "traps",
        advice: "take the continuation out of the property under a lock, then resume it")
    }
    return nil
  }

  private static let locks: Set<String> = [
    "withLock", "withLockUnchecked", "withLockedValue", "lock", "sync", "withCriticalRegion",
    "exchange", "compareExchange",
  ]

  private static func lateRegistration(
    _ operation: ClosureExprSyntax, _ handler: ClosureExprSyntax
  ) -> Finding? {
    let calls = operation.descendants(FunctionCallExprSyntax.self)
    guard let call = calls.first(where: { KnownNames.continuations.contains($0.calleeName ?? "") }),
      let closure = call.closureArgument,
      closure.stores(closure.parameterNames.first ?? "$0"), handler.mentions(anyOf: locks),
      handler.mentions("resume"), !handler.mentions("Task"),
      closure.mentions(anyOf: locks), !asksForCancellation(operation),
      !handler.statements.descendants(SequenceExprSyntax.self).contains(where: \.isFlagOrState)
    else { return nil }
    return finding(
      at: call.calledExpression,
      "if the task is already cancelled, 'onCancel' has run before this continuation is stored, and "
        + "the caller waits forever",
      advice: "check 'Task.isCancelled' after the continuation is stored, under the same lock")
  }

  private static func asksForCancellation(_ operation: ClosureExprSyntax) -> Bool {
    operation.tokens(viewMode: .sourceAccurate).contains { token in
      token.text.lowercased().contains("cancel")
    }
  }
}

extension SequenceExprSyntax {
  /// Whether the expression assigns anything but nil, such as a state that says "cancelled".
  fileprivate var isFlagOrState: Bool {
    isAssignment && elements.last?.is(NilLiteralExprSyntax.self) != true
  }
}

extension FunctionCallExprSyntax {
  /// The closure for cancellations.
  fileprivate var onCancel: ClosureExprSyntax? {
    additionalTrailingClosures.first { $0.label.text == "onCancel" }?.closure
      ?? arguments.first { $0.label?.text == "onCancel" }?.expression.as(ClosureExprSyntax.self)
  }

  fileprivate var operation: ClosureExprSyntax? {
    arguments.first { $0.label?.text == "operation" }?.expression.as(ClosureExprSyntax.self)
      ?? trailingClosure
  }
}

extension ClosureExprSyntax {
  /// Whether the closure assigns a value, or appends it to a collection, also as a part of another
  /// value.
  fileprivate func stores(_ value: String) -> Bool {
    descendants(SequenceExprSyntax.self).contains { sequence in
      sequence.isAssignment && sequence.elements.last?.mentions(value) == true
    }
      || descendants(FunctionCallExprSyntax.self).contains { call in
        ["append", "insert", "updateValue", "enqueue"].contains(call.calleeName ?? "")
          && call.arguments.mentions(value)
      }
  }
}
