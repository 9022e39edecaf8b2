// Generated from the comments of the rules by `make rules`. Do not edit.

let waitingRuleTexts: [String: String] = [
  "stream-termination": #"""
  An `AsyncStream` for callbacks or a task, whose `onTermination` is missing or empty.

  When the consumer stops, the source is not notified. The listener stays registered, the task
  continues to run, and both retain the objects that they captured.

  Bad:
  ```swift
  AsyncStream { continuation in
    let token = center.observe { continuation.yield($0) }
  }
  ```

  Good:
  ```swift
  AsyncStream { continuation in
    let token = center.observe { continuation.yield($0) }
    continuation.onTermination = { _ in token.cancel() }
  }
  ```

  Also reported: a handler that removes the listener in a new task, if another task registers it.
  The tasks can run in either order, and a listener that is removed first stays registered. In the
  handler, wait for the first task, or register and remove the listener without a task.

  Not reported when the closure itself yields the elements, or a task that ends on its own: it has
  no `while`, `repeat` or `for await` loop, and no loop over `0...` or `sequence(…)`. Not reported
  when the closure stores the continuation, or a closure with it in a property, or passes it to a function and sets no handler. Not
  reported when the function that makes and consumes the stream stops the source, in a `defer` or
  after the loop, and when the source stops because `yield` returns `.terminated` or because of its
  own cancellation check. The rule does not check streams from `makeStream`.
  """#,
  "continuation-paths": #"""
  A continuation that some path resumes twice, or not at all.

  A second resume traps. Without a resume, the caller waits forever and never releases its
  objects.

  Bad:
  ```swift
  await withCheckedThrowingContinuation { continuation in
    load { data, error in
      if let error { continuation.resume(throwing: error) }
      continuation.resume(returning: data)
    }
  }
  ```

  Good:
  ```swift
  await withCheckedThrowingContinuation { continuation in
    load { data, error in
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume(returning: data)
      }
    }
  }
  ```

  Also reported for a timeout or a cancellation handler that resumes beside a callback, and for a
  `stateUpdateHandler` that resumes for `ready` and for later states. Not reported when the
  continuation is stored or passed on, and for callbacks that check a flag
  that they set, such as `didResume`, or count their calls. Paths without a resume are allowed in callbacks that are
  assigned to a property, in callbacks of functions whose names say that they call the callback
  repeatedly, and in callbacks that check whether they are called for the last time. Not reported in
  tests, where a callback often only says that it must not be called.
  """#,
  "continuation-kept": #"""
  A stored continuation that stays in its property after a resume.

  The next code that resumes the property resumes the same continuation again, and the program
  traps.

  Bad:
  ```swift
  func close() {
    continuation?.resume(throwing: Closed())
  }
  func didFail(_ error: any Error) {  // also called after close()
    continuation?.resume(throwing: error)
    continuation = nil
  }
  ```

  Good:
  ```swift
  func close() {
    continuation?.resume(throwing: Closed())
    continuation = nil
  }
  ```

  The property can also be a dictionary of continuations. Reported in classes and actors, for a method that does not change the property, if another method
  resumes it too and both can run: one of them closes, cancels or ends something, or is a callback
  that is called before the last one, such as `didReceive` or `didUpdateLocations`. Also reported
  for code that stores a continuation and then resumes it itself. Not reported for two callbacks of
  which only one is called, such as `didFinish` and `didFail`, for methods that check other state of
  the object, and for methods that call one that changes the property.
  """#,
  "cancellation-handler": #"""
  A cancellation handler that competes with the code that it should cancel.

  The handler runs on any thread: at once if the task is already cancelled, and otherwise at any
  time. If it resumes a continuation in a property that nothing protects, a callback can resume the
  same continuation before either sets the property to nil, and the program traps. If it runs before
  the operation stores its continuation, it finds nothing to cancel, and the caller waits forever.

  Bad:
  ```swift
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation = $0 }
  } onCancel: {
    self.continuation?.resume(throwing: CancellationError())
    self.continuation = nil
  }
  ```

  Good:
  ```swift
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      let isCancelled = state.withLock { state in
        if !state.isCancelled { state.continuation = continuation }
        return state.isCancelled
      }
      if isCancelled { continuation.resume(throwing: CancellationError()) }
    }
  } onCancel: {
    state.withLock { state in
      state.isCancelled = true
      return state.continuation.take()
    }?.resume(throwing: CancellationError())
  }
  ```

  Reported for a resume of a stored continuation without a lock, also in a method of the class. Also reported for a handler that
  takes a waiter out of shared storage, under a lock and without a task, if the operation stores the
  waiter and asks neither before nor after whether the task is cancelled. Not reported if a method of
  the state stores the waiter, because the method can know of the cancellation, and for a handler
  that starts a task on the actor of the operation: the task runs after the operation has stored its
  continuation.
  """#,
  "cancellation-swallowed": #"""
  `try? await Task.sleep` in a loop or a debounce, which continues after a cancellation.

  In a cancelled task, the sleep returns at once, and `try?` discards the error. A loop then runs
  without a pause until something else ends it, and a debounced action runs at once instead of never.

  Bad:
  ```swift
  task?.cancel()
  task = Task {
    try? await Task.sleep(for: .milliseconds(300))
    await search(text)
  }
  ```

  Good:
  ```swift
  task?.cancel()
  task = Task {
    do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
    await search(text)
  }
  ```

  In a loop, write `while !Task.isCancelled`, or let the error end the loop. Reported in `while` and
  `repeat` loops of SwiftUI's `task`, of tasks that code cancels and starts again, in loops without
  another condition also of tasks that code only cancels and of async functions, and for the
  first sleep of a task if the function cancels the earlier task, itself, in a method or in an observer
  of the property. A `do` whose `catch` only continues is like `try?`. Not reported when the code checks
  for cancellation after the sleep, when the loop counts its turns, when the next call can throw, for
  tasks that nothing cancels, and in command-line tools, which end instead: files that call `exit` or
  import `ArgumentParser`, and folders with `CLI` in their name.
  """#,
  "lock-over-await": #"""
  A lock of the C library is held over an `await`.

  After the `await`, the function can continue on another thread, which must not unlock the lock.
  Until then, other tasks that want the lock block their threads. The compiler reports `NSLock` in
  async code, but not the functions of the C library.

  Bad:
  ```swift
  pthread_mutex_lock(&mutex)
  items = await service.items()
  pthread_mutex_unlock(&mutex)
  ```

  Good:
  ```swift
  let new = await service.items()
  pthread_mutex_lock(&mutex)
  items = new
  pthread_mutex_unlock(&mutex)
  ```

  Or use an actor. Reported for `pthread_mutex_lock`, `pthread_rwlock_rdlock`,
  `pthread_rwlock_wrlock`, `os_unfair_lock_lock`, their `trylock`, `objc_sync_enter` and `sem_wait`, if
  a later statement of the same block awaits before the lock is released.
  """#,
  "shared-stream": #"""
  Two loops read one `AsyncStream`.

  A stream of the standard library gives each element to one loop only. If two loops read it, each
  gets some of the elements.

  Bad:
  ```swift
  let (events, continuation) = AsyncStream.makeStream(of: Event.self)
  func showEvents() async { for await event in events { show(event) } }
  func logEvents() async { for await event in events { log(event) } }
  ```

  Good:
  ```swift
  func events() -> AsyncStream<Event> { … }  // a new stream for each reader
  ```

  Reported for a stored `AsyncStream` or `AsyncThrowingStream` that loops in two functions or two tasks
  of its type read, and for a local one that loops in two tasks read, or one in tasks that a loop
  starts. A loop can also be over `events.map { … }`.
  """#,
  "undrained-group": #"""
  A task group that gets children in an endless loop and never takes their results.

  A group keeps each finished child until its result is taken. In an endless loop, memory grows with
  each element.

  Bad:
  ```swift
  await withTaskGroup(of: Void.self) { group in
    for await request in requests { group.addTask { await answer(request) } }
  }
  ```

  Good:
  ```swift
  await withDiscardingTaskGroup { group in
    for await request in requests { group.addTask { await answer(request) } }
  }
  ```

  Reported for `for await` over anything except a group or a file, for `while let` with an `await`, and
  for loops whose condition is `true` or `!Task.isCancelled`. Not reported when the loop takes a result with `next`, or waits for all.
  """#,
]
