// Generated from the comments of the rules by `make rules`. Do not edit.

let optionalRuleTexts: [String: String] = [
  "unchecked-sendable": #"""
  Async code of an `@unchecked Sendable` class writes a `var` that nothing protects.

  The annotation promises that several threads can use the class, and the compiler does not check
  this. A lock, an atomic or an actor keeps the promise. Resetting the state at the start of each
  call does not, because two calls can run at the same time.

  Bad:
  ```swift
  final class APIService: @unchecked Sendable {
    var errorMessage: String?
    func load() async { errorMessage = nil … }
  }
  ```

  Good:
  ```swift
  final class APIService: Sendable {
    private let errorMessage = Mutex<String?>(nil)
    func load() async { errorMessage.withLock { $0 = nil } … }
  }
  ```

  Reported when an `async` function or a task of the class, off every actor, writes the property.
  Not reported when the class, its owner or a superclass in the module stores a lock, a queue, a
  semaphore or a condition, or when the class takes the lock of another object. Not reported when
  the class asserts its thread, its queue or its event loop, for storage behind
  `isKnownUniquelyReferenced`, in tests, mocks and benchmarks, and when the property itself is
  isolated, atomic, weak or `nonisolated(unsafe)`. The rule does not check which lock protects
  which property. Off by default: the syntax does not show whether callers use the object one
  after the other.
  """#,
  "call-under-lock": #"""
  A continuation, a task's `cancel` or a callback that is called while a lock is held.

  `yield`, `finish` and `resume` need the status lock of the waiting task. A cancellation holds
  the status lock while it runs `onTermination` and `onCancel`. If these handlers need the lock
  that the caller of `yield` holds, both threads wait for each other forever. `cancel` runs the
  handlers on the thread that calls it, and a callback can need any lock.

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

  Reported in the closures of functions such as `withLock`, and between `lock()` and `unlock()`.
  The call can also be in a function of the module that this code calls. A callback is a stored
  closure, or an `@escaping` parameter, that returns nothing. Not reported when the module does
  not state the type of the called value, except for names that end in "continuation". Not
  reported for closures of async locks, or for code that runs later, such as the body of a
  `Task`. Off by default: the syntax does not show whether a handler or a callback needs the lock.
  """#,
  "effect-concurrent": #"""
  A stored or returned `async` closure of an effect without `@concurrent`, in a module with
  `NonisolatedNonsendingByDefault`.

  With this feature, a closure of an `async` function type runs on the actor of its caller. An
  effect that decodes data or reads a file can then do so on the main actor, and the compiler does
  not report it.

  Bad:
  ```swift
  struct Effect {
    let work: @Sendable () async -> Void
  }
  ```

  Good:
  ```swift
  struct Effect {
    let work: @concurrent @Sendable () async -> Void
  }
  ```

  The rule checks `@Sendable` types without a result: payloads of enum cases, returned closures,
  and stored properties and type aliases with one of these names (`work`, `operation`, `effect`,
  `job`, `perform`, `run`). Closures with a result are dependencies, which run on the executor of
  the effect that calls them. Not reported when the type states its isolation: `@MainActor`,
  `@isolated(any)`, `nonisolated(nonsending)`. Off by default: the attribute changes nothing if
  only nonisolated code calls the closure, and the rule cannot see the callers.
  """#,
  "main-queue-hop": #"""
  `DispatchQueue.main.async` in async code that is on the main actor.

  The closure runs later, after other work that waits for the main actor, and outside the task.
  Cancelling the task does not cancel the closure, and the closure cannot return a result or an
  error to the task. `DispatchQueue.main.sync` deadlocks.

  Bad:
  ```swift
  @MainActor
  func show() async {
    let items = await service.items()
    DispatchQueue.main.async { self.items = items }
  }
  ```

  Good:
  ```swift
  @MainActor
  func show() async {
    let items = await service.items()
    self.items = items
  }
  ```

  Not reported in Swift 5 mode, because there a caller can be on another thread. In synchronous
  code, only `sync` is reported: there, `async` and `asyncAfter` often delay statements on
  purpose, until after the current layout or event. For the same reason, a call is not reported in
  tests, if a comment is directly above it, or if its closure scrolls, moves the focus, presents
  or dismisses. Not reported in a function that reads `Thread.isMainThread`. Not reported for a
  closure that resumes a continuation. There is no automatic fix, because the statements may need
  to run in a later turn of the main queue. If so, use `Task { }`. `Task.sleep` replaces
  `asyncAfter`. Off by default: the syntax does not show whether the code needs the later turn.
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

  Not reported in Swift 5 mode, or if an older compiler has to compile the module. Not reported
  for protocols that refine `Sendable`, such as `URLSessionDelegate` and the protocols that refine
  it, because their conformances cannot be isolated. Not reported for an extension whose members
  are all `nonisolated`, because the compiler itself reports that the attribute has no effect.
  There is no automatic fix, because uses of the conformance off the main actor become errors.
  """#,
  "unstored-task": #"""
  A `Task` that waits for elements and is not stored, so no code can cancel it.

  A task that is not stored runs until its work ends. A loop over a stream may never end.

  Bad:
  ```swift
  init(stream: AsyncStream<Item>) {
    Task { for await item in stream { print(item) } }
  }
  ```

  Good:
  ```swift
  init(stream: AsyncStream<Item>) {
    task = Task { for await item in stream { print(item) } }
  }
  deinit { task.cancel() }
  ```

  The rule reports only tasks with an endless loop in their own body. Off by default: in apps,
  such tasks often run until the process ends, on purpose.
  """#,
  "generic-sendable": #"""
  A generic parameter without `Sendable` in an `async` method of a main-actor type.

  The method cannot pass a value of the parameter's type to another actor. The compiler reports
  the error in the body, but its cause is in the signature.

  Bad:
  ```swift
  @MainActor
  func write<Body: Encodable>(_ body: Body) async
  ```

  Good:
  ```swift
  @MainActor
  func write<Body: Encodable & Sendable>(_ body: Body) async
  ```

  Off by default: many such methods keep their values on the main actor, and the compiler reports
  the other methods.
  """#,
  "completion-sendable": #"""
  An escaping completion closure whose type does not state its isolation.

  Callers do not know the thread on which it runs, and the compiler cannot check its captures.

  Bad:
  ```swift
  func load(completion: @escaping ([Item]) -> Void)
  ```

  Good:
  ```swift
  func load(completion: @escaping @MainActor ([Item]) -> Void)
  ```

  The rule checks parameters named `completion`, `completionHandler`, `callback` and `handler` of
  functions that are not isolated. Off by default: it is advice for a migration.
  """#,
  "reentrancy": #"""
  A method of an actor checks state, suspends, and then changes the state without a new check.

  At each `await` in a method of an actor or of a main-actor class, other calls can run and change
  the state. A `defer` that changes the state runs after the last `await`.

  Bad:
  ```swift
  func image(for url: URL) async -> Image {
    if let image = cache[url] { return image }
    let image = await download(url)
    cache[url] = image
    return image
  }
  ```

  Good:
  ```swift
  func image(for url: URL) async -> Image {
    if let image = cache[url] { return image }
    if let running = downloads[url] { return await running.value }
    …
  }
  ```

  Not reported for state that is set before the `await`, unless it is a task that other calls await.
  Off by default: the syntax does not show whether running the work twice is harmful.
  """#,
  "hidden-randomness": #"""
  The current time, a random number or a new identifier in an interactor, a reducer or a type that
  takes a clock.

  The same actions then lead to different states in each run, and tests cannot predict the values.

  Bad:
  ```swift
  struct FeedInteractor: Interactor {
    func add(_ state: inout State) { state.items.append(Item(id: UUID(), date: Date())) }
  }
  ```

  Good:
  ```swift
  struct FeedInteractor: Interactor {
    let makeID: @Sendable () -> UUID
    let now: @Sendable () -> Date
    func add(_ state: inout State) { state.items.append(Item(id: makeID(), date: now())) }
  }
  ```

  Default values of parameters and of stored properties are not reported, because a test can pass
  other values. Off by default.
  """#,
  "unhandled-action": #"""
  An action that no handler of its interactor handles.

  A `default:` in the handler's `switch` ignores actions that are added later. The view sends such
  an action, and nothing happens.

  Bad:
  ```swift
  enum Action { case refresh, open(Item) }
  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .refresh: …
      default: .none
      }
    }
  }
  ```

  Good: a case for each action and no `default`.

  Reported for a case of an enum named `Action` when no pattern in the module names the case. The
  enum must be in a type that states a protocol whose name ends in `Interactor` or `Reducer`. Off
  by default.
  """#,
  "unstarted-effect": #"""
  An effect id that is cancelled but never started.

  Usually the id was renamed in only one of two places. The effect that should be cancelled then
  continues.

  Bad:
  ```swift
  case .search: return .perform(.latest, id: "search") { … }
  case .clear: return .cancel("serach")
  ```

  Good:
  ```swift
  case .search: return .perform(.latest, id: .search) { … }
  case .clear: return .cancel(.search)
  ```

  Reported when the id is a literal or a static member that the module uses only in `cancel`. Off
  by default.
  """#,
  "unsafe-global": #"""
  A `nonisolated(unsafe)` global or static variable that functions write.

  Any thread can read the variable while a function writes it, and the compiler does not check
  this.

  Bad:
  ```swift
  enum Settings {
    nonisolated(unsafe) static var theme = Theme.light
    static func use(_ new: Theme) { theme = new }
  }
  ```

  Good:
  ```swift
  enum Settings {
    static let theme = Mutex(Theme.light)
    static func use(_ new: Theme) { theme.withLock { $0 = new } }
  }
  ```

  Reported for a variable that a function of the same file changes outside of a lock. Off by
  default: the syntax does not show whether the program writes the variable only at its start.
  """#,
  "system-callback": #"""
  A completion handler of a request to the system, in main-actor code.

  The system calls the handler on its own queue. If the SDK does not declare the parameter as
  `@Sendable`, the closure is on the main actor like the code around it: the compiler accepts it
  in Swift 6 mode, and the program traps when the answer arrives. Newer SDKs declare some of the
  parameters as `@Sendable`, and then the code is safe. The checker does not know the SDK.

  Bad:
  ```swift
  @MainActor
  func ask() {
    UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { isAllowed, _ in
      self.isAllowed = isAllowed
    }
  }
  ```

  Good:
  ```swift
  @MainActor
  func ask() async throws {
    isAllowed = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
  }
  ```

  Or write `@Sendable` before the parameters of the closure and start a `Task { @MainActor in }`
  in it. The rule knows requests for notifications, photos, contacts, calendars, health data,
  recording and speech, web authentication sessions, apps and files that `NSWorkspace` opens, and
  listeners of Firebase's remote configuration. Not reported in Swift 5 mode. Not reported for
  closures that are already `@Sendable`.
  """#,
  "folder-layers": #"""
  Folders of a module that use each other.

  If the folders form layers, a person can read them from the bottom up, test each of them alone,
  and make each of them a module. A cycle joins its folders: a person who reads one of them has to
  read all. The compiler ignores folders.

  Bad:
  ```swift
  // Storage/Database.swift
  struct Database { var cache: ImageCache }
  // Images/ImageCache.swift
  struct ImageCache { var rows: RowStore }
  // Storage/RowStore.swift
  struct RowStore {}
  ```

  Good: the declaration moves to a folder below both.
  ```swift
  // Rows/RowStore.swift
  struct RowStore {}
  ```

  A folder uses another folder if its code names a type, a global function or a global variable of
  that folder, or a member that an extension in that folder adds to a type of a third folder. The
  folders are those directly in the folder of the module, with the folders inside of them. In each
  cycle, the rule reports the edge with the fewest uses: all uses of one folder by another. Not
  reported for names that several folders declare, and for private declarations. Off by default;
  `layered: [Sources]` in `.causeway.yml` turns it on for the modules in some folders.
  """#,
]
