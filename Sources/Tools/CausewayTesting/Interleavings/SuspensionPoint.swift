/// Suspends the caller, and lets other effects run before the caller continues.
///
/// In a test, a call of an idle actor does not suspend, so no other effect can run during the call.
/// A double for a slow operation, such as a request, calls this function in place of the delay:
///
/// ```swift
/// actor Server {
///   func load(_ id: Int) async -> Item {
///     await suspensionPoint()
///     return items[id]
///   }
/// }
/// ```
///
/// Isolation: the caller's. On an actor, other calls can run during the suspension, as during any
/// `await`.
public nonisolated(nonsending) func suspensionPoint() async {
  await MainActor.run {}
}

/// Suspends the caller within an operation of one shared object, and lets other effects run.
///
/// A call is a promise about the code between the previous suspension (or the start of the effect)
/// and the next suspension: this code shares only this object with other effects. With
/// ``ExplorationOptions/Search/everyOrder``, two such steps of different objects are tried in only
/// one order, because both orders have the same result.
///
/// ```swift
/// actor Images {
///   func load(_ id: Int) async -> Image {
///     await suspensionPoint(touching: "images")
///     return images[id]
///   }
/// }
/// ```
///
/// - Parameter object: The name of the object, which is the same in each trial.
/// - Isolation: The caller's. On an actor, other calls can run during the suspension.
public nonisolated(nonsending) func suspensionPoint(touching object: String) async {
  guard let queue = RunningStep.queueOfCurrentTask else { return await suspensionPoint() }
  await withUnsafeContinuation { queue.suspend($0, at: object) }
}
