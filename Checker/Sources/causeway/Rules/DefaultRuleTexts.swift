// Generated from the comments of the rules by `make rules`. Do not edit.

let defaultRuleTexts: [String: String] = [
  "redundant-main-actor": #"""
  `@MainActor` on a declaration that is on the main actor without the annotation.

  The members of a main-actor type are on the main actor. So are SwiftUI views, and types that
  inherit the isolation from a class or a protocol. A second annotation has no effect. It hides
  the annotations that matter, and it remains when the type's isolation changes.

  Bad:
  ```swift
  @MainActor
  final class FeedModel {
    @MainActor func refresh() async { … }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel {
    func refresh() async { … }
  }
  ```

  Not reported for members that may implement a requirement with another isolation. Without the
  annotation, they get the isolation of the requirement. Examples are requirements of a
  `nonisolated` protocol, or of a protocol of another module. Not reported for stored properties
  of structs: without the annotation, SE-0434 allows code off the main actor to use them. Not
  reported for declarations that are also `@preconcurrency`, and for declarations with attributes
  in `#if`.
  """#,
  "main-actor-run": #"""
  `await MainActor.run { … }` in code that is already on the main actor.

  The call has no effect there. It looks like a hop that the code needs.

  Bad:
  ```swift
  @MainActor
  final class FeedModel {
    func refresh() async {
      let items = await service.items()
      await MainActor.run { self.items = items }
    }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel {
    func refresh() async {
      let items = await service.items()
      self.items = items
    }
  }
  ```

  The fix replaces the call with the statements of its closure. There is no fix if the value of
  the call is used, or if the closure has a `return`, a `defer`, a declaration or a signature.
  `MainActor.run` can suspend, even on the main actor. After the fix, the statements can run
  before other work that waits for the main actor.
  """#,
  "main-actor-task": #"""
  `Task { @MainActor in … }` where the task is on the main actor without the annotation.

  A `Task` that main-actor code creates runs on the main actor. The annotation suggests that the
  code around the task is not on the main actor.

  Bad:
  ```swift
  @MainActor
  final class FeedModel {
    func start() {
      Task { @MainActor in await refresh() }
    }
  }
  ```

  Good:
  ```swift
  @MainActor
  final class FeedModel {
    func start() {
      Task { await refresh() }
    }
  }
  ```

  Not reported inside `@Sendable` closures, detached tasks and escaping closures of unknown
  functions. There, the annotation isolates the task.
  """#,
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

  Not reported when another nonisolated member also uses the property. There is no automatic fix,
  because an `isolated deinit` can run some time after the last reference was released. It needs
  macOS 15.4, iOS 18.4 or newer, so the rule is silent if the module runs on older systems or does
  not say on which.
  """#,
  "unchecked-sendable": #"""
  `@unchecked Sendable` on a class with an unprotected `var`.

  The annotation promises that several threads can use the class, and the compiler does not check
  this. A lock, an atomic or an actor keeps the promise. Resetting the state at the start of each
  call does not, because two calls can run at the same time.

  Bad:
  ```swift
  final class APIService: @unchecked Sendable {
    var errorMessage: String?
  }
  ```

  Good:
  ```swift
  final class APIService: Sendable {
    private let errorMessage = Mutex<String?>(nil)
  }
  ```

  Not reported when the class, or a superclass in the module, stores a lock, a queue, a semaphore
  or a condition, or calls `objc_sync_enter`. Not reported when the property itself is isolated,
  atomic, weak or `nonisolated(unsafe)`. The rule does not check which lock protects which property.
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

  The rule treats these loops as endless: `for await`, and `while true` and `while
  !Task.isCancelled` if they suspend. If the stream is a property of `self`, copy it to a constant
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

  Not reported when the closure itself yields the elements, or a task that ends on its own: it has
  no `while`, `repeat` or `for await` loop, and no loop over `0...` or `sequence(…)`. Not reported
  when the closure stores the continuation, or passes it to a function and sets no handler. The
  rule does not check streams from `makeStream`.
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

  Not reported when the continuation is stored or passed on. Paths without a resume are allowed in
  two kinds of callbacks: callbacks that are assigned to a property, and callbacks of functions
  whose names say that they call the callback repeatedly.
  """#,
  "call-under-lock": #"""
  A continuation, a task's `cancel` or a callback that is called while a lock is held.

  `yield`, `finish` and `resume` need the status lock of the waiting task. A cancellation holds
  this lock while it runs `onTermination` and `onCancel`. If these handlers need the lock that the
  caller holds, both threads wait for each other forever. `cancel` runs the handlers on the thread
  that calls it, and a callback can need any lock.

  Bad:
  ```swift
  func send(_ value: Int) {
    state.withLock { state in
      for continuation in state.continuations.values { continuation.yield(value) }
    }
  }
  ```

  Good:
  ```swift
  func send(_ value: Int) {
    let continuations = state.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield(value) }
  }
  ```

  Reported in the closures of functions such as `withLock`, and between `lock()` and `unlock()`,
  also when a function of the module makes the call. A callback is a stored closure, or an
  `@escaping` parameter, that returns nothing. Not reported when the module does not state the type
  of the called value, except for names that end in "continuation". Not reported for closures of
  async locks, and for code that runs later, such as the body of a `Task`.
  """#,
  "observable-isolation": #"""
  An `ObservableObject` or `@Observable` class with mutable state that the UI uses, without
  isolation.

  SwiftUI reads the state on the main actor. Without isolation, an `async` method can write it on
  another thread. In Swift 5 mode this is a data race. In Swift 6 mode the compiler reports an
  error, but not at the class.

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
  with such an import names. Not reported when each mutable property has its own isolation or is
  private and no other property uses it, or when the class is `Sendable` in another way. There is
  no automatic fix, because callers can need an `await` after the change.
  """#,
  "main-queue-hop": #"""
  `DispatchQueue.main.async` in code that is on the main actor.

  The closure runs later, after other work that waits for the main actor, and outside the task.
  Cancelling the task does not cancel the closure, and the closure cannot return a result or an
  error to the task. `DispatchQueue.main.sync` deadlocks.

  Bad:
  ```swift
  @MainActor
  func show(_ items: [Item]) {
    DispatchQueue.main.async { self.items = items }
  }
  ```

  Good:
  ```swift
  @MainActor
  func show(_ items: [Item]) {
    self.items = items
  }
  ```

  Not reported in Swift 5 mode, because there a caller can be on another thread. In views, view
  controllers and other UI types, `async` and `asyncAfter` are reported only in `async` code.
  Synchronous code of these types often delays its statements until after the current layout or
  event on purpose. There is no automatic fix, because the statements may need to run in a later
  turn. If so, use `Task { }`. `Task.sleep` replaces `asyncAfter`.
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

  Not reported in Swift 5 mode, or if an older compiler has to compile the module. Not reported for protocols that refine `Sendable`, because their
  conformances cannot be isolated. Not reported for an extension whose members are all
  `nonisolated`, because the compiler itself reports that the attribute has no effect. There is no
  automatic fix, because uses of the conformance off the main actor become errors.
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
