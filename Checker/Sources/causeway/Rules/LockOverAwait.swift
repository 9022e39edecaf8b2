import SwiftSyntax

/// A lock of the C library is held over an `await`.
///
/// After the `await`, the function can continue on another thread, which must not unlock the lock.
/// During the `await`, other tasks that wait for the lock block their threads. The compiler reports
/// `NSLock` in async code, but not the functions of the C library.
///
/// Bad:
/// ```swift
/// pthread_mutex_lock(&mutex)
/// items = await service.items()
/// pthread_mutex_unlock(&mutex)
/// ```
///
/// Good:
/// ```swift
/// let new = await service.items()
/// pthread_mutex_lock(&mutex)
/// items = new
/// pthread_mutex_unlock(&mutex)
/// ```
///
/// Or use an actor. Reported for `pthread_mutex_lock`, `pthread_rwlock_rdlock`,
/// `pthread_rwlock_wrlock`, `os_unfair_lock_lock`, their `trylock`, `objc_sync_enter` and
/// `sem_wait`, if a later statement of the same block awaits before the lock is released.
enum LockOverAwait: Rule {
  static let id = "lock-over-await"
  private static let locks = [
    "pthread_mutex_lock": "pthread_mutex_unlock", "pthread_rwlock_rdlock": "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock": "pthread_rwlock_unlock",
    "pthread_mutex_trylock": "pthread_mutex_unlock",
    "os_unfair_lock_lock": "os_unfair_lock_unlock",
    "os_unfair_lock_trylock": "os_unfair_lock_unlock",
    "objc_sync_enter": "objc_sync_exit", "sem_wait": "sem_post",
  ]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard let name = call.calleePath, let unlock = locks[name],
        let item = call.ancestors.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
        !item.item.is(DeferStmtSyntax.self), item.suspends == false,
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
      else { return nil }
      for later in list where later.start > item.start {
        if later.item.is(DeferStmtSyntax.self) { continue }
        if later.suspends {
          return finding(
            at: call.calledExpression,
            "the lock is held over an 'await', after which another thread can unlock it",
            advice: "release the lock before the 'await', or use an actor")
        }
        if later.mentions(unlock) { return nil }
      }
      return nil
    }
  }
}
