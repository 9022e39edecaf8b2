import SwiftSyntax

/// The calls that hold a lock.
enum Lock {
  /// Functions that hold a lock while they run their closure.
  private static let functions: Set<String> = [
    "withLock", "withLockUnchecked", "withLockVoid", "withLockIfAvailable",
    "withLockIfAvailableUnchecked", "withLockedValue", "withCriticalRegion", "withReaderLock",
    "withReaderLockVoid", "withWriterLock", "withWriterLockVoid",
  ]
  private static let cLocks: Set<String> = ["os_unfair_lock_lock", "pthread_mutex_lock"]
  private static let cUnlocks: Set<String> = ["os_unfair_lock_unlock", "pthread_mutex_unlock"]

  /// Whether a call holds a lock while its closure runs.
  ///
  /// An async closure runs under another kind of lock: it suspends its callers and blocks no thread.
  static func isLocking(_ call: FunctionCallExprSyntax) -> Bool {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.base != nil,
      functions.contains(member.declName.baseName.text)
    else { return false }
    for ancestor in call.ancestors {
      if ancestor.is(AwaitExprSyntax.self) { return false }
      if !ancestor.is(TryExprSyntax.self) { break }
    }
    return call.closureArgument?.directDescendants(AwaitExprSyntax.self).isEmpty == true
  }

  /// The name of the lock that a statement such as `lock.lock()` locks.
  static func locked(by item: CodeBlockItemSyntax) -> String? {
    name(in: item, method: "lock", functions: cLocks)
  }

  /// The name of the lock that a statement such as `lock.unlock()` unlocks.
  static func unlocked(by item: CodeBlockItemSyntax) -> String? {
    name(in: item, method: "unlock", functions: cUnlocks)
  }

  private static func name(
    in item: CodeBlockItemSyntax, method: String, functions: Set<String>
  ) -> String? {
    guard let call = item.item.as(FunctionCallExprSyntax.self) else { return nil }
    if let path = call.calleePath, functions.contains(path) {
      return call.arguments.first?.expression.trimmedDescription
    }
    guard call.arguments.isEmpty, call.trailingClosure == nil else { return nil }
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
      return member.declName.baseName.text == method ? base.trimmedDescription : nil
    }
    return call.calleePath == method ? "self" : nil
  }
}
