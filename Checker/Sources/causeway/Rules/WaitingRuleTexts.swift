// Generated from the comments of the rules by `make rules`. Do not edit.

let waitingRuleTexts: [String: String] = [
  "stream-termination": #"""
  An `AsyncStream` for callbacks or a task, whose `onTermination` is missing or empty.

  When the consumer stops, nothing tells the source. The listener stays registered, the task
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

  Not reported when the closure itself yields the elements. Not reported when a task yields them
  and ends on its own: it has no `while`, `repeat` or `for await` loop, and no loop over `0...` or
  `sequence(…)`. Not reported when the closure stores the continuation, or a closure that contains
  it, in a property. Not reported when the closure passes the continuation to a function and sets
  no handler. Not reported when the function that makes and consumes the stream stops the source,
  in a `defer` or after the loop. Not reported when the source stops because `yield` returns
  `.terminated` or because it checks for cancellation. The rule does not check streams from
  `makeStream`.
  """#,
  "continuation-paths": #"""
  A continuation that some path resumes twice, or not at all.

  A second resume traps. Without a resume, the caller waits forever, and its objects are never
  released.

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
  continuation is stored or passed on. Not reported for callbacks that count their calls, or that
  set and check a flag such as `didResume`. Paths without a resume are allowed in callbacks that
  are assigned to a property, in callbacks of functions whose names say that they call the
  callback repeatedly, and in callbacks that check whether they are called for the last time. Not
  reported in tests, where a callback often only fails the test because it must not be called.
  """#,
  "continuation-overwritten": #"""
  A continuation is stored in a property that may still hold an earlier one.

  A second call before the answer overwrites the continuation of the first call. No code resumes
  the first continuation then, so the first caller waits forever.

  Bad:
  ```swift
  func locate() async throws -> Location {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.requestLocation()
    }
  }
  ```

  Good:
  ```swift
  func locate() async throws -> Location {
    guard continuation == nil else { throw AlreadyLocating() }
    return try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.requestLocation()
    }
  }
  ```

  Or resume the earlier continuation first, or keep a list of them. Reported in classes and
  actors, for properties whose type is an optional continuation. Not reported when earlier code of
  the function names the property, checks other state of the object, or calls a method of the
  class that names the property. Not reported for private and local classes. Not reported for a
  class if a function of the module keeps an object of the class in a local constant: such an
  object usually serves one call.
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

  The property can also be a dictionary of continuations. Reported in classes and actors, for a
  method that resumes the continuation and leaves it in the property, if another method also
  resumes the property and both methods can run. Both can run if one of them closes, cancels or
  ends something, or is a callback that other callbacks can follow, such as `didReceive` or
  `didUpdateLocations`. Also reported for code that stores a continuation and then resumes it
  itself. Not reported for two callbacks if only one of them is called, such as `didFinish` and
  `didFail`. Not reported for methods that check other state of the object, or that call a method
  that changes the property.
  """#,
  "cancellation-handler": #"""
  A cancellation handler that competes with the code that it should cancel.

  The handler runs on any thread: at once if the task is already cancelled, and otherwise at any
  time. If it resumes a continuation in a property that nothing protects, a callback can resume
  the same continuation before the property is set to nil, and the program traps. If the handler
  runs before the operation stores its continuation, it finds nothing to cancel, and the caller
  waits forever.

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

  Reported for a resume of a stored continuation without a lock, also in a method of the class.
  Also reported for a handler that removes a waiter from shared storage, under a lock and without
  a task, if the operation stores the waiter and does not check whether the task is cancelled. Not
  reported if a method of the state stores the waiter, because the method can know that the task
  is cancelled. Not reported for a handler that starts a task on the actor of the operation: the
  task runs after the operation has stored its continuation.
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

  In a loop, write `while !Task.isCancelled`, or let the error end the loop. Reported in `while`
  and `repeat` loops of SwiftUI's `task` and of tasks that code cancels and starts again. Loops
  without another condition are also reported in tasks that code only cancels and in async
  functions. Also reported for the first sleep of a task, if the function cancels the earlier
  task: itself, in a method or in an observer of the property. A `do` whose `catch` only continues
  is like `try?`. Not reported when the code checks for cancellation after the sleep, when the
  loop counts its turns, when the next call can throw, and for tasks that nothing cancels. Not
  reported in command-line tools, which end instead of cancelling tasks. These are files that call
  `exit` or import `ArgumentParser`, and folders with `CLI` in their name.
  """#,
  "semaphore-around-task": #"""
  A semaphore or a group that waits for a task.

  The thread waits and can do nothing else. The task may need this thread: a thread of the pool of
  Swift's tasks, or the main thread if the task needs the main actor. Then the task never gets a
  thread, and both wait forever.

  Bad:
  ```swift
  func save(_ item: Item) {
    let done = DispatchSemaphore(value: 0)
    Task { await store.save(item); done.signal() }
    done.wait()
  }
  ```

  Good:
  ```swift
  func save(_ item: Item) async {
    await store.save(item)
  }
  ```

  Reported if one function starts a task that signals and waits for the signal. Not reported in the
  top-level code of a program and in tests.
  """#,
  "lock-over-await": #"""
  A lock of the C library is held over an `await`.

  After the `await`, the function can continue on another thread, which must not unlock the lock.
  During the `await`, other tasks that wait for the lock block their threads. The compiler reports
  `NSLock` in async code, but not the functions of the C library.

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
  `pthread_rwlock_wrlock`, `os_unfair_lock_lock`, their `trylock`, `objc_sync_enter` and
  `sem_wait`, if a later statement of the same block awaits before the lock is released.
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

  Reported for a stored `AsyncStream` or `AsyncThrowingStream`, if loops in two functions or two
  tasks of its type read it. Also reported for a local stream, if loops in two tasks read it, or a
  loop in a task that is started several times. A loop over `events.map { … }` also reads
  `events`.
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

  Reported for `for await` over anything except a group or a file, for `while let` with an
  `await`, and for loops whose condition is `true` or `!Task.isCancelled`. Not reported when the
  loop takes a result with `next`, or waits for all children.
  """#,
  "cancellation-shown": #"""
  A `catch` shows any error to people, even the error of a cancellation.

  If the task is cancelled, for example because a view disappears or a newer search starts, the
  call throws `CancellationError`, and people see a failure although nothing has failed.

  Bad:
  ```swift
  do { items = try await service.items() } catch { errorText = error.localizedDescription }
  ```

  Good:
  ```swift
  do {
    items = try await service.items()
  } catch is CancellationError {
  } catch {
    errorText = error.localizedDescription
  }
  ```

  `URLSession` throws `URLError` with the code `cancelled` instead. Reported on the main actor for
  a `catch` of a `do` that awaits, in two cases: the `catch` assigns the error to a stored
  property, or it assigns a text or `true` to a property whose name is about failures. Off by
  default: the syntax does not show which tasks are cancelled.
  """#,
  "older-answer": #"""
  An older answer that replaces a newer one.

  Two calls wait for their answers at the same time, and the answers can come in any order. If the
  answer of the first call arrives last, people see the results of an old request.

  Bad:
  ```swift
  func changed(_ text: String) {
    Task { results = await service.search(text) }
  }
  ```

  Good:
  ```swift
  func changed(_ text: String) {
    task?.cancel()
    task = Task {
      let found = await service.search(text)
      guard !Task.isCancelled else { return }
      results = found
    }
  }
  ```

  Reported on the main actor for a task that is not stored and assigns the result of an awaited
  call to a stored property. An argument of the call must be the property whose change starts the
  task, or a parameter of a function whose name says that it asks for something. Also reported for
  a task that the function cancels and starts again, and for SwiftUI's `task(id:)`, if the awaited
  call does not throw, because a cancellation does not end such a call. Not reported if the code
  after the call checks whether the task is cancelled, or compares the parameter. Off by default:
  the syntax does not show how long a call takes.
  """#,
  "turn-after-cancel": #"""
  A loop that runs one more turn after a cancellation.

  `try? await Task.sleep` returns at once in a cancelled task, and the loop checks for
  cancellation only in its condition. The statements after the sleep run once more: a request is
  sent after `stop()`, or a view that has gone is animated.

  Bad:
  ```swift
  while !Task.isCancelled {
    try? await Task.sleep(for: .seconds(60))
    await refresh()
  }
  ```

  Good:
  ```swift
  while !Task.isCancelled {
    do { try await Task.sleep(for: .seconds(60)) } catch { return }
    await refresh()
  }
  ```

  Reported if statements follow the sleep in its block and do not check for cancellation. Off by
  default: one more turn is often harmless.
  """#,
  "wait-ignores-cancel": #"""
  An async function that waits in a loop and ignores a cancellation.

  In a cancelled task, `Task.sleep` returns at once, and `try?` discards the error. The loop then
  runs without a pause until its condition changes, or until its time is over.

  Bad:
  ```swift
  func waitUntilReady() async {
    while !isReady { try? await Task.sleep(for: .milliseconds(50)) }
  }
  ```

  Good:
  ```swift
  func waitUntilReady() async throws {
    while !isReady { try await Task.sleep(for: .milliseconds(50)) }
  }
  ```

  Reported for `while` and `repeat` loops of async functions, except for those that
  `cancellation-swallowed` reports. Not reported when the code checks for cancellation, when the
  loop counts its turns, and in command-line tools. Off by default: the syntax does not show
  whether anything cancels the function.
  """#,
]
