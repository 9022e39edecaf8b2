/// Suspends, so that other effects may run before the caller continues.
///
/// The call of an actor that is free does not suspend in a test, so no other effect can run in
/// between. A double for a slow operation, such as a request, calls this where the time would pass:
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
/// Isolation: the caller's. On an actor, other calls may enter, as during any `await`.
public nonisolated(nonsending) func suspensionPoint() async {
  await MainActor.run {}
}
