// Generated from the comments of the rules by `make rules`. Do not edit.

let defaultRuleTexts: [String: String] = [
  "redundant-main-actor": #"""
  `@MainActor` on a declaration that is on the main actor without it.

  A member of a main-actor type is isolated like its type. The same holds for SwiftUI views, and
  for types that inherit the isolation from a class or a protocol. The second annotation has no
  effect. It hides the annotations that matter, and it remains when the type's isolation changes.

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

  Not reported: stored properties of structs, because the annotation removes the access from other
  isolations that SE-0434 allows; declarations that are also `@preconcurrency`; declarations with
  attributes in `#if`.
  """#,
  "main-actor-run": #"""
  `await MainActor.run { … }` in code that is on the main actor already.

  The hop has no effect there. It hides which code needs a hop.

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

  The fix replaces the call with the statements. It is offered for a statement whose closure has
  no `return`, no `defer`, no declarations and no signature. There is no fix for a call whose
  value is used. A call of `MainActor.run` from the main actor can suspend. Without it, the
  statements can run before other work that waits for the main actor.
  """#,
  "main-actor-task": #"""
  `Task { @MainActor in … }` where the task is on the main actor anyway.

  A `Task` that main-actor code creates runs on the main actor. The annotation suggests the
  opposite, and readers look for code that leaves the main actor.

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

  Not reported inside `@Sendable`, detached and escaping closures of unknown functions, because
  the annotation isolates the task there.
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
  because `isolated deinit` can run later than the last release.
  """#,
  "unchecked-sendable": #"""
  `@unchecked Sendable` on a class with a `var` that nothing protects.

  The annotation is a promise that the compiler does not check. A class keeps the promise with a
  lock, an atomic or an actor. State that is "reset at the start of each call" is a data race,
  because two calls can run at once.

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

  Not reported when the class, or a superclass in the module, stores a lock, a queue or a
  semaphore. Not reported when the property itself is isolated, atomic, weak or
  `nonisolated(unsafe)`. The rule does not check which lock protects which property.
  """#,
  "redundant-unchecked-sendable": #"""
  `@unchecked Sendable` on an actor or on a type that a global actor isolates.

  These types are `Sendable` without the annotation, and the compiler checks them. With the
  annotation, the checks stay off when the isolation is removed later.

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
  states `@unchecked Sendable`, because subclasses must restate it. An extension is reported
  without a fix.
  """#,
  "detached-self": #"""
  `Task.detached` whose body only awaits isolated methods of `self`.

  The task leaves the actor and returns to it at once. No work runs off the actor. The task loses
  its priority and task-local values, and it makes a second hop.

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
  `[weak self]`, then `guard let self` in front of a loop that does not end.

  The unwrapped `self` lives as long as the loop, so the object is never released. The capture
  list promises the opposite.

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

  Endless loops are `for await`, and `while` loops over `true` or `!Task.isCancelled` that
  suspend. If the stream is a property of `self`, copy it to a constant or capture it before the
  loop.
  """#,
  "stored-task-strong-self": #"""
  A task that is stored on `self` captures `self` strongly around `for await`.

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

  Not reported when a method other than the starting one cancels the task, because the caller then
  decides its lifetime. Not reported for loops over sequences that end, and not for a type with a
  static instance of itself, which is never released.
  """#,
  "stream-termination": #"""
  An `AsyncStream` that bridges callbacks or a task without `onTermination`, or with an empty one.

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

  Not reported when the closure yields its elements itself, or in a task without a loop, because
  such a source ends by itself. Not reported when the closure passes the continuation to a function
  or stores it in a type that sets `onTermination`. The rule does not check streams from
  `makeStream`.
  """#,
  "continuation-paths": #"""
  A continuation that some path resumes twice, or not at all.

  A second resume traps. Without a resume the caller waits forever, and retains all of its
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
  whose names say that they call repeatedly.
  """#,
  "observable-isolation": #"""
  An `ObservableObject` or `@Observable` class with mutable state that the UI uses, without
  isolation.

  SwiftUI reads the state on the main actor. Without isolation, an `async` method can write it on
  another thread. In Swift 5 mode this is a data race. In Swift 6 mode the compiler reports an
  error in other code.

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
  with such an import names. Not reported when each mutable property has its own isolation, or
  when the class is `Sendable` by other means. There is no automatic fix, because callers can need
  `await` after the change.
  """#,
  "main-queue-hop": #"""
  `DispatchQueue.main.async` in code that is on the main actor.

  The closure runs later, after other work that waits for the main actor, and outside the task.
  Cancelling the task does not cancel the closure, and the closure cannot return a result or an
  error to the task. `sync` deadlocks.

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

  Not reported in Swift 5 mode, because there a caller can be on another thread. There is no
  automatic fix, because code can depend on running in a later turn. `Task { }` states this
  intention, and `Task.sleep` replaces `asyncAfter`.
  """#,
  "preconcurrency-conformance": #"""
  `@preconcurrency P` on a type that can have an isolated conformance.

  `@preconcurrency` checks the isolation when the program runs, and traps. An isolated conformance
  (Swift 6.2, SE-0470) checks it when the program is built.

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

  Not reported in Swift 5 mode, and not for protocols that refine `Sendable`, because their
  conformances cannot be isolated. Not reported for an extension whose members are all
  `nonisolated`, because the compiler reports that the attribute has no effect. There is no automatic fix, because uses of the conformance off
  the main actor become errors.
  """#,
  "unused-ignore": #"""
  An ignore comment whose rule reports nothing at its line.

  The comment no longer explains the code. It hides a finding that later code causes at the same
  line.

  Bad:
  ```swift
  // causeway:ignore main-queue-hop the layout has to end first
  show(items)
  ```

  Good:
  ```swift
  show(items)
  ```

  Also reported for names that no rule has. Not reported for rules that do not run. Some findings
  depend on types in other files of the module, so use `--skip unused-ignore` to check single
  files.
  """#,
]
