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
