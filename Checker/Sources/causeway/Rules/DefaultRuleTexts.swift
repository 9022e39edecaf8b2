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

  A `Task` is `Sendable`, so a plain `deinit` can cancel it, also if the property is isolated. In an
  `@Observable` class, the property also has to be `@ObservationIgnored`.

  Also reported: a `nonisolated(unsafe)` task in a class without a `deinit`. Nothing cancels the
  task, and the modifier has no other reason. Also reported: an `isolated deinit` in a class that
  inherits from `NSObject`, even through `UIView`, `UIViewController` or `NSView`. It traps if
  another thread releases the last reference (swiftlang/swift#85500). In such a class, cancel
  tasks in a plain `deinit`, and move other things to clean up into a class that inherits from no
  class of Objective-C.

  Not reported when another nonisolated member also uses the property, when an initializer of an
  actor sets it, and when the class inherits from a class of Objective-C or of another module. There
  is no automatic fix, because an `isolated deinit` can run some time after the last reference was
  released. It needs macOS 15.4, iOS 18.4 or newer, so the rule is silent if the module runs on
  older systems or does not say on which.
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

  Not reported when the body does anything else, when the method is nonisolated, and in code that is
  not on the actor itself.
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

  The rule treats these loops as endless: `for await`, and loops that suspend with the condition
  `true` or `!Task.isCancelled`. The loop can also be in a method of the type that the code
  awaits. The rule treats `for await` over a task group, the lines and bytes of a file, and the
  purchases of StoreKit as a loop that ends. `for try await` over a call with arguments also ends,
  like the answer of a server, unless the name of the call says that it observes something. If the
  stream is a property of `self`, copy it to a constant or capture it before the loop.
  """#,
  "stored-task-strong-self": #"""
  A task that `self` stores captures `self` strongly and runs an endless loop.

  The object retains the task and the task retains the object. Code usually cancels such tasks in
  `deinit`, which never runs here.

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

  The loop can be in a method of the type that the task awaits. Also reported for a task that a
  local constant or the state of a lock holds. Not reported when a method other than the starting
  method cancels the task. The caller of this method then decides when the task ends. Not reported
  for loops over sequences that end. Not reported for a type with a static instance of itself,
  because the instance is never released.
  """#,
  "flag-after-throw": #"""
  A flag that stays set after an error.

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

  Reported for stored properties that become `true` and then `false`, or a case such as `.loading`
  and then another case. An uncaught `try`, or a `guard` with `try?` that returns, must be between
  the two assignments. The reset can be in a `do` or in a task after the assignment. Not reported
  when a `defer`, the `catch`, or the code after the `do` names the property or calls a method
  that names it, when the `catch` dismisses the view, when the error is passed on and a `catch` of
  the type resets it, and for properties of structs without an owner, such as parsers.
  """#,
  "stale-index": #"""
  An index of a stored collection that is used after an `await`.

  At the `await`, other code on the same actor can insert or remove elements. The index then
  refers to another element, or to no element; in that case, the program traps.

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

  Reported on the main actor and in actors, for an index from `firstIndex`, `lastIndex` or `index`
  of a stored property, from a loop over its indices, or in a parameter, if a statement after an
  `await` uses the index with the property, also in a nested block or in a task. Not reported if
  the code checks the collection again. Not reported for properties that no code of the type
  changes.
  """#,
  "observable-isolation": #"""
  Async code writes the state of an observable class off the main actor.

  Observable classes are `@Observable`, conform to `ObservableObject` or have `@Published`
  properties. SwiftUI and subscribers read the state on the main actor. In Swift 5 mode, an
  `async` method of a class without isolation runs on another thread, and its writes are data
  races.

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
  read, or for classes with a lock. There is no automatic fix, because callers can need an `await`
  after the change.
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

  Reported in main-actor types and in actors, for a stored property that a condition requires to
  be `false`, `nil` or a case of an enum, if a later statement sets it to `true`, to a value or to
  another case. Also reported for a collection, if the condition requires that it does not contain
  an element and a later statement adds the element. The condition can use a computed property.
  The statement can be in a nested block or in a task that the code starts; `for await` suspends
  too. A flag, a case or a collection has to say that something is running: `isSyncing`,
  `hasStarted`, `.loading`, `loadingIDs`. A flag such as `isLoaded` is not reported, because it is
  set after the work on purpose. Not reported when the code names the property between the `await`
  and the assignment, when the assigned value comes from the awaited result, and when the early
  return returns the value of the property: that is a cache, which may load a value twice.
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

  Reported for `while` and `repeat` loops without other statements, except those that end the
  loop. Not reported for loops with a fixed number of turns, for loops that count their turns or
  look at a clock, and in tests and benchmarks.
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
