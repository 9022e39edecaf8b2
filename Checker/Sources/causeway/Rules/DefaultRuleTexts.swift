// Generated from the comments of the rules by `make rules`. Do not edit.

let defaultRuleTexts: [String: String] = [
  "isolated-deinit": #"""
  A stored property is `nonisolated(unsafe)` only because `deinit` uses it.

  `nonisolated(unsafe)` turns data-race checking off for every use of the property, in all files.
  With `isolated deinit` (Swift 6.2, SE-0371) the deinitializer runs on the actor of the class, and
  the property can be isolated.

  Bad:
  ```swift
  @MainActor
  final class FeedModel {
    nonisolated(unsafe) private var timer: Timer?
    deinit { timer?.invalidate() }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel {
    private var timer: Timer?
    isolated deinit { timer?.invalidate() }
  }
  ```

  A `Task` is `Sendable`, so a plain `deinit` can cancel it, also if the property is isolated.

  Also reported: a `nonisolated(unsafe)` task in a class without a `deinit`. Nothing cancels the
  task, and the modifier has no other reason. And an `isolated deinit` in a class that inherits from
  `NSObject`, also through `UIView`, `UIViewController` or `NSView`: it traps if another thread
  releases the last reference (swiftlang/swift#85500). Cancel tasks in a plain `deinit` there, and
  put other things to clean up into a class of their own that inherits from no class of
  Objective-C.

  Not reported when another nonisolated member also uses the property, and when the class inherits
  from a class of Objective-C or of another module. There is no automatic fix, because an
  `isolated deinit` can run some time after the last reference was released. It needs macOS 15.4,
  iOS 18.4 or newer, so the rule is silent if the module runs on older systems or does not say on
  which.
  """#,
  "redundant-unchecked-sendable": #"""
  `@unchecked Sendable` on an actor or on a type that a global actor isolates.

  These types are `Sendable` without the annotation, and the compiler checks them. With the
  annotation, the compiler does not check them, even if the isolation is removed later.

  Bad:
  ```swift
  @MainActor
  final class StateBox<State>: @unchecked Sendable {
    var value: State
  }
  ```

  Good:
  ```swift
  @MainActor
  final class StateBox<State> {
    var value: State
  }
  ```

  Not reported when a superclass is not isolated to the same actor. Not reported when a superclass
  states `@unchecked Sendable`, because subclasses must restate it. There is no automatic fix for
  an extension.
  """#,
  "detached-self": #"""
  `Task.detached` whose body only awaits isolated methods of `self`.

  The task leaves the actor and immediately returns to it. No work runs off the actor. The task
  loses its priority and task-local values, and it makes a second hop.

  Bad:
  ```swift
  @MainActor
  final class FeedModel {
    func start() {
      Task.detached { await self.refresh() }
    }
    func refresh() async { … }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel {
    func start() {
      Task { await refresh() }
    }
    func refresh() async { … }
  }
  ```

  Not reported when the body does anything else, or when the method is nonisolated.
  """#,
  "weak-self-loop": #"""
  `[weak self]`, followed by `guard let self` before an endless loop.

  The loop keeps the unwrapped `self` alive. If only `deinit` cancels the task, the object is never
  released. The weak capture has no effect.

  Bad:
  ```swift
  task = Task { [weak self] in
    guard let self else { return }
    for await item in stream { handle(item) }
  }
  ```

  Good:
  ```swift
  task = Task { [weak self] in
    for await item in stream {
      guard let self else { return }
      handle(item)
    }
  }
  ```

  The rule treats these loops as endless: `for await`, except over a task group or the lines and
  bytes of a file, and `while true` and `while !Task.isCancelled` if they suspend. If the stream is a property of `self`, copy it to a constant
  or capture it before the loop.
  """#,
  "stored-task-strong-self": #"""
  A task that `self` stores captures `self` strongly and runs a `for await` loop.

  The object retains the task and the task retains the object. Such tasks are usually cancelled in
  `deinit`, which never runs.

  Bad:
  ```swift
  func start() {
    task = Task {
      for await item in stream { self.handle(item) }
    }
  }
  deinit { task?.cancel() }
  ```

  Good:
  ```swift
  func start() {
    task = Task { [weak self, stream] in
      for await item in stream { self?.handle(item) }
    }
  }
  deinit { task?.cancel() }
  ```

  Not reported when a method cancels the task, other than the method that starts it. The caller of
  that method then decides when the task ends. Not reported for loops over sequences that end. Not
  reported for a type with a static instance of itself, because the instance is never released.
  """#,
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

  Not reported when the continuation is stored or passed on, and for callbacks that check a flag
  that they set, such as `didResume`, or count their calls. Paths without a resume are allowed in callbacks that are
  assigned to a property, in callbacks of functions whose names say that they call the callback
  repeatedly, and in callbacks that check whether they are called for the last time.
  """#,
  "continuation-overwritten": #"""
  A continuation is stored in a property that may still hold an earlier one.

  A second call before the answer overwrites the continuation of the first. Nothing resumes it, so
  the first caller waits forever.

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

  Or resume the earlier continuation first, or keep a list of them. Reported in classes and actors,
  for properties whose type is an optional continuation. Not reported when the function names the
  property before, checks other state of the object first, or calls a method of the class that names
  the property, and for private classes and classes whose objects the module makes for one call.
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

  Reported for a resume of a stored continuation without a lock. Also reported for a handler that
  takes a waiter out of shared storage, under a lock and without a task, if the operation stores the
  waiter and asks neither before nor after whether the task is cancelled. Not reported for a handler
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
  `repeat` loops of async functions, of tasks that code cancels and of SwiftUI's `task`, and for the
  first sleep of a task if the function cancels the earlier task. Not reported when the code checks
  for cancellation after the sleep, when the next call can throw, and for tasks that nothing cancels.
  """#,
  "flag-after-throw": #"""
  A flag that an error leaves set.

  The code sets a flag, calls something that can throw, and resets the flag. After an error it does
  not reset it: a spinner never stops, and a later call that checks the flag never starts.

  Bad:
  ```swift
  func load() async throws {
    isLoading = true
    items = try await service.items()
    isLoading = false
  }
  ```

  Good:
  ```swift
  func load() async throws {
    isLoading = true
    defer { isLoading = false }
    items = try await service.items()
  }
  ```

  Reported for stored properties that become `true` and then `false` in one block, with an uncaught
  `try` between. Not reported when a `defer`, the `catch`, or the code after the `do` names the
  flag, and for properties of structs without an owner, such as parsers.
  """#,
  "semaphore-around-task": #"""
  A semaphore or a group that waits for a task.

  The thread waits and can do nothing else. If it belongs to the pool of Swift's tasks, or is the
  main thread and the task needs the main actor, the task never gets a thread, and both wait forever.

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
  `pthread_rwlock_wrlock`, `os_unfair_lock_lock`, `objc_sync_enter` and `sem_wait`, if a later
  statement of the same block awaits before the lock is released.
  """#,
  "stale-index": #"""
  An index of a stored collection that is used after an `await`.

  At the `await`, other code on the same actor can insert or remove elements. The index then names
  another element, or none, and the program traps.

  Bad:
  ```swift
  guard let index = items.firstIndex(where: { $0.id == id }) else { return }
  let detail = await service.detail(of: id)
  items[index].detail = detail
  ```

  Good:
  ```swift
  let detail = await service.detail(of: id)
  guard let index = items.firstIndex(where: { $0.id == id }) else { return }
  items[index].detail = detail
  ```

  Reported on the main actor and in actors, for an index from `firstIndex`, `lastIndex`, `index`,
  `endIndex` or `count` of a stored property, if a statement of the same block uses it with the
  property after an `await`. Not reported if the code checks the index again, and for properties
  that nothing else in the type changes.
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

  Reported for a stored `AsyncStream` or `AsyncThrowingStream` that loops in two functions of its
  type read. A loop can also be over `events.map { … }`.
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

  Reported for `for await` over anything except a group or a file, and for `while true` and `while
  !Task.isCancelled`. Not reported when the loop takes a result with `next`, or waits for all.
  """#,
  "observable-isolation": #"""
  Async code writes the state of an observable class off the main actor.

  Observable classes are `@Observable`, conform to `ObservableObject` or have `@Published`
  properties. SwiftUI and subscribers read the state on the main actor. In Swift 5 mode, an `async` method of a class without
  isolation runs on another thread, and its writes are data races.

  Bad:
  ```swift
  final class FeedModel: ObservableObject {
    @Published var items: [Item] = []
    func refresh() async { items = await service.items() }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel: ObservableObject {
    @Published var items: [Item] = []
    func refresh() async { items = await service.items() }
  }
  ```

  Reported for classes whose file imports SwiftUI, UIKit or AppKit, and for classes that a file
  with such an import names. The rule looks for changes in `async` functions, tasks and other
  closures that certainly run off the main actor. Not reported in Swift 6 mode, where the compiler
  reports the race. Not reported for properties that have their own isolation or that the UI cannot
  read, and for classes with a lock. There is no automatic fix, because callers can need an `await`
  after the change.
  """#,
  "preconcurrency-conformance": #"""
  `@preconcurrency P` on a type that can have an isolated conformance.

  With `@preconcurrency`, the isolation is checked only when the program runs, and a violation
  traps. The compiler checks an isolated conformance (Swift 6.2, SE-0470).

  Bad:
  ```swift
  @MainActor
  final class Player: @preconcurrency Equatable {
  ```

  Good:
  ```swift
  @MainActor
  final class Player: @MainActor Equatable {
  ```

  Not reported in Swift 5 mode, or if an older compiler has to compile the module. Not reported for
  protocols that refine `Sendable`, such as `URLSessionDelegate` and its children, because their
  conformances cannot be isolated. Not reported for an extension whose members are all
  `nonisolated`, because the compiler itself reports that the attribute has no effect. There is no
  automatic fix, because uses of the conformance off the main actor become errors.
  """#,
  "check-then-act": #"""
  Code on an actor checks a flag, suspends, and then sets the flag without a new check.

  At the `await`, another call can run on the same actor. It also passes the check, so both calls
  do the work that the flag should allow only once. The compiler does not report it: there is no
  data race.

  Bad:
  ```swift
  @MainActor
  func sync() async {
    guard !isSyncing else { return }
    let token = await session.token()
    isSyncing = true
    …
  }
  ```

  Good:
  ```swift
  @MainActor
  func sync() async {
    guard !isSyncing else { return }
    isSyncing = true
    defer { isSyncing = false }
    let token = await session.token()
    …
  }
  ```

  Reported in main-actor types and in actors, for a stored property that a condition requires to be
  `false`, `nil` or a case of an enum, also through a computed property, and that a later statement
  sets to `true`, to a value or to another case. The statement can be in a nested block or in a task
  that the code starts; `for await` suspends too. A flag or a case has to say that something is
  running: `isSyncing`, `hasStarted`, `.loading`. A flag such as `isLoaded` is right to be set after
  the work. Not reported when the code names the property between the `await` and the assignment,
  when the assigned value comes from the awaited result, and when the early return returns the
  value of the property: a cache that loads a value twice is often right.
  """#,
  "yield-spin": #"""
  A loop that only calls `Task.yield()` until a condition changes.

  `yield` returns at once if no other task waits, so the loop uses a whole core. On a thread of the
  cooperative pool it can also keep the awaited work from running.

  Bad:
  ```swift
  while !isReady { await Task.yield() }
  ```

  Good:
  ```swift
  await withCheckedContinuation { waiters.append($0) }
  ```

  Reported for `while` and `repeat` loops without other statements. Not reported for loops with a
  fixed number of turns, for loops that count their turns or look at a clock, and in tests and
  benchmarks.
  """#,
  "unused-ignore": #"""
  An ignore comment whose rule reports nothing at its line.

  The comment no longer explains the code. It would hide a finding that a later change causes at
  the same line.

  Bad:
  ```swift
  // causeway:ignore main-queue-hop the layout has to end first
  show(items)
  ```

  Good:
  ```swift
  show(items)
  ```

  Also reported when no rule has the name in the comment. Not reported for rules that do not run.
  Some findings depend on types in other files of the module, so use `--skip unused-ignore` to
  check single files.
  """#,
]
