/// A place in a double where other effects may go on before this one does.
///
/// The call of an actor that is free does not suspend in a test, and so nothing can come between.
/// A double for something that takes time, like a request, calls this where the time would pass:
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
/// Isolation: the caller's; on an actor others may enter meanwhile, as during any `await`.
public nonisolated(nonsending) func suspensionPoint() async {
  await MainActor.run {}
}
