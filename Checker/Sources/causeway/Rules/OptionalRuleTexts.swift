// Generated from the comments of the rules by `make rules`. Do not edit.

let optionalRuleTexts: [String: String] = [
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
  isolated deinit { task.cancel() }
  ```

  The rule reports only tasks with an endless loop in their own body. Off by default: in apps,
  such tasks often live as long as the process on purpose.
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

  At each `await` in a method of an actor, other calls can run and change the state.

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
]
