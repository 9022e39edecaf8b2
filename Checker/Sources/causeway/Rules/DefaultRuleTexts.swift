// Generated from the comments of the rules by `make rules`. Do not edit.

let defaultRuleTexts: [String: String] = [
  "redundant-main-actor": #"""
  `@MainActor` on a declaration that is on the main actor without it.

  A member of a main-actor type is isolated like its type, and so are members of types that inherit
  the isolation from a class or a protocol, and of SwiftUI views. The second annotation says
  nothing, hides the ones that matter, and stays behind when the type's isolation changes.

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

  Not reported: stored properties of structs, where the annotation takes away the access from
  other isolations that SE-0434 gives; declarations that are `@preconcurrency`, too; declarations in
  `#if` attribute lists.
  """#,
  "main-actor-run": #"""
  `await MainActor.run { … }` in code that is on the main actor already.

  The hop does nothing there but hide which code needs one.

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

  The fix writes the statements in place of the call. It is offered for a statement whose closure
  has no `return`, no `defer`, no declarations and no signature; a value that is used is left to
  you. A call of `MainActor.run` from the main actor is a possible suspension: when other work
  waits for the main actor, the statements can run earlier than they did.
  """#,
  "main-actor-task": #"""
  `Task { @MainActor in … }` where the task is on the main actor anyway.

  A `Task` that main-actor code creates runs on the main actor. The annotation suggests that it
  would not, and makes readers look for the code that leaves it.

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

  Not reported inside of `@Sendable`, detached and escaping closures of unknown functions: there
  the annotation is what brings the task to the main actor.
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

  Not reported when another nonisolated member uses the property too. There is no automatic fix:
  `isolated deinit` can run later than the last release.
  """#,
  "unchecked-sendable": #"""
  `@unchecked Sendable` on a class with a `var` that nothing protects.

  The annotation is a promise that the compiler does not check. A class keeps it with a lock, an
  atomic or an actor; state that is "reset at the start of each call" is a data race, because two
  calls can run at once.

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
  semaphore, or when the property itself is isolated, atomic, weak or `nonisolated(unsafe)`. Which
  lock protects which property is not looked at.
  """#,
  "redundant-unchecked-sendable": #"""
  `@unchecked Sendable` on an actor or on a type that a global actor isolates.

  These are `Sendable` without it, and checked. The annotation turns the checks off for the day
  when the isolation goes away.

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

  Not reported when a superclass is not isolated to the same actor or states
  `@unchecked Sendable` itself, which subclasses must restate. An extension is reported without a
  fix.
  """#,
  "detached-self": #"""
  `Task.detached` whose body only awaits isolated methods of `self`.

  The task leaves the actor and at once comes back to it: nothing runs elsewhere, but priority and
  task-local values are lost, and a second hop is paid.

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

  The unwrapped `self` lives as long as the loop, so the object is never released: the capture list
  promises the opposite of what the code does.

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

  Endless loops are `for await`, and `while` loops over `true` or `!Task.isCancelled` that suspend.
  Take the stream out of `self` before the loop when it comes from there.
  """#,
  "stored-task-strong-self": #"""
  A task that is stored on `self` captures `self` strongly around `for await`.

  The object keeps the task and the task keeps the object. `deinit`, where such tasks are usually
  cancelled, is never reached.

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

  Not reported when another method than the one that starts the task cancels it: then the lifetime
  is the caller's decision. Nor for loops over sequences that end.
  """#,
  "stream-termination": #"""
  An `AsyncStream` that bridges callbacks or a task without `onTermination`, or with an empty one.

  When the consumer stops, the stream cannot tell its source: the listener stays registered, the
  task runs on, and both hold what they captured.

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

  Not reported when the closure yields its elements itself, hands the continuation to a function,
  or stores it in a type that sets `onTermination`. Streams from `makeStream` are not looked at.
  """#,
  "continuation-paths": #"""
  A continuation that some path resumes twice, or not at all.

  A second resume traps. Without a resume the caller waits for good, and holds all that it holds.

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

  Not reported when the continuation is stored or handed on. A callback that is assigned to a
  property, or whose function's name says that it is called repeatedly, may leave paths without a
  resume.
  """#,
  "observable-isolation": #"""
  An `ObservableObject` or `@Observable` class with mutable state that the UI uses, without
  isolation.

  SwiftUI reads the state on the main actor. Without isolation an `async` method writes it from
  wherever it runs: in Swift 5 mode a data race, in Swift 6 an error at a distance.

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

  Reported for classes whose file imports SwiftUI, UIKit or AppKit, and for those that a file with
  such an import names. Not reported when each mutable property is isolated by itself, or when the
  class is `Sendable` by other means. There is no automatic fix: callers can need `await` then.
  """#,
  "main-queue-hop": #"""
  `DispatchQueue.main.async` in code that is on the main actor.

  The closure runs later, after other work that waits for the main actor, and outside of the task:
  it is not cancelled with it, and an error or a result cannot come back. `sync` deadlocks.

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

  There is no automatic fix: code can depend on running a turn later. `Task { }` says that, and
  `Task.sleep` replaces `asyncAfter`.
  """#,
  "preconcurrency-conformance": #"""
  `@preconcurrency P` on a type that an isolated conformance fits.

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

  Not reported for protocols that refine `Sendable`, which cannot be isolated, and not in Swift 5
  mode. There is no automatic fix: uses of the conformance off the main actor become errors.
  """#,
]
