// Generated from the comments of the rules by `make rules`. Do not edit.

let mainActorRuleTexts: [String: String] = [
  "redundant-main-actor": #"""
  `@MainActor` on a declaration that is on the main actor without the annotation.

  These are on the main actor: the members of a main-actor type, SwiftUI views, and types that
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
  reported for declarations that are also `@preconcurrency`, or that have attributes in `#if`.
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
  "main-actor-callback": #"""
  A closure of main-actor code that a function calls on another thread.

  The parameter is not `@Sendable`, so the closure has the isolation of the code around it: the
  main actor or another global actor. In Swift 6 mode the compiler accepts it and adds a check,
  and the program traps at the first call.

  Bad:
  ```swift
  @MainActor
  func register() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "sync", using: nil) { task in
      self.sync(task)
    }
  }
  ```

  Good:
  ```swift
  @MainActor
  func register() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "sync", using: .main) { task in
      self.sync(task)
    }
  }
  ```

  If the function has no parameter for a queue, write `@Sendable` before the parameters of the
  closure and start a `Task { @MainActor in }` in it. The rule knows the functions of Apple's
  frameworks whose documentation says that they call on another queue: launch handlers of
  `BGTaskScheduler`, handlers of dispatch sources, groups and work items, `sec_protocol` blocks,
  audio taps and property listeners, changes of the photo library, artwork, fonts, display links,
  motion updates and Combine operators after `receive(on:)`. Also reported:
  `MainActor.assumeIsolated` in a notification or observation block with another queue. Not
  reported when the rule cannot find the queue, in Swift 5 mode, and for closures that are already
  `@Sendable`. The rule `system-callback` reports requests of the system whose parameter is
  `@Sendable` in newer SDKs.
  """#,
  "main-actor-blocking": #"""
  Blocking or heavy work in code that is on the main actor.

  The work seems to run in the background, because it is in an `async` function or in a task. But
  with default isolation, or if the caller is on the main actor, it runs on the main thread. The
  app does not react until the work ends.

  Bad:
  ```swift
  @MainActor
  func load() async throws {
    let data = try Data(contentsOf: url)
    thumbnail = CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
  }
  ```

  Good:
  ```swift
  @concurrent
  nonisolated func thumbnail() async throws -> CGImage? {
    let data = try Data(contentsOf: url)
    …
  }
  ```

  Reported in files that import SwiftUI, UIKit or AppKit, and in types that such files name. In
  `async` code on the main actor: sleeping and waiting for a semaphore, a group or a process,
  reading a file, making an image, a statement of SQLite, and decoding in a loop. In synchronous
  code: sleeping and waiting, in Swift 6 mode only, because in Swift 5 mode a caller can be on
  another thread. Reported in the same way in functions that run on the actor of their caller, if
  code on the main actor in the same file calls them. Not reported in tests, in code that is never
  reached, in a function that ends the process, and for a `usleep` of less than 50 milliseconds.
  """#,
]
