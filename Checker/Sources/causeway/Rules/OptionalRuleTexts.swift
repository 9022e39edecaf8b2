// Generated from the comments of the rules by `make rules`. Do not edit.

let optionalRuleTexts: [String: String] = [
  "effect-concurrent": #"""
  A stored or returned `async` closure type for effects without `@concurrent`, in a module with
  `NonisolatedNonsendingByDefault`.

  With the feature on, an `async` function type runs on the actor of its caller. An effect that
  decodes or reads a file then does so on the main actor, and nothing says so.

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

  Looked at are `@Sendable` types without a result: payloads of enum cases, returned closures, and
  stored properties and type aliases whose name says that it is work (`work`, `operation`, `effect`,
  `job`, `perform`, `run`). Closures with a result are dependencies, which run where the effect that
  calls them runs. Not reported when the type says where it runs: `@MainActor`, `@isolated(any)`,
  `nonisolated(nonsending)`. Off by default: when only nonisolated code calls the closure, its place
  is the same with and without the word, and the type does not tell who calls it.
  """#,
  "unstored-task": #"""
  A `Task` that waits for elements and that nothing can cancel.

  A task whose value is thrown away runs until its work ends. A loop over a stream may never end.

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

  Only tasks with an endless loop in their own body are reported. Off by default: in apps such
  tasks often live as long as the process, on purpose.
  """#,
  "generic-sendable": #"""
  A generic parameter without `Sendable` in an `async` method of a main-actor type.

  A value of the parameter's type cannot be passed on to another actor. The error shows up in the
  body, the cause is in the signature.

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
  those that do not.
  """#,
  "completion-sendable": #"""
  An escaping completion closure that does not say where it is called.

  Callers cannot know on which thread it runs, and the compiler cannot check what it captures.

  Bad:
  ```swift
  func load(completion: @escaping ([Item]) -> Void)
  ```

  Good:
  ```swift
  func load(completion: @escaping @MainActor ([Item]) -> Void)
  ```

  Looked at are parameters named `completion`, `completionHandler`, `callback` and `handler` of
  functions that are not isolated. Off by default: it is advice for a migration.
  """#,
  "reentrancy": #"""
  State of an actor is checked, then the method suspends, then the state is changed as if the check
  still held.

  Other calls run at each `await` of an actor's method.

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

  Off by default: whether a second run is harmful cannot be seen from the syntax.
  """#,
  "hidden-randomness": #"""
  The time of day, a random number or a new identifier inside of an interactor, a reducer or a type
  that takes a clock.

  The same actions then lead to other states in each run, and tests compare what they cannot know.

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

  Default values of parameters and of stored properties are not reported: there a test can give
  another one. Off by default.
  """#,
  "unhandled-action": #"""
  An action that no handler of its interactor takes.

  A `default:` in the handler's `switch` swallows actions that are added later. The page sends
  them, and nothing happens.

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

  Reported for enums named `Action` of types whose protocols end in `Interactor` or `Reducer`, when
  no pattern in the module names the case. Off by default.
  """#,
  "unstarted-effect": #"""
  An effect id that is cancelled but never started.

  Usually the id was renamed in one of two places. The effect that was to be cancelled goes on.

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

  Reported when the id is a literal or a static member, and the module names it nowhere else than
  in `cancel`. Off by default.
  """#,
]
