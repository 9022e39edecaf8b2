/// Runs the changes of a session one after the other.
///
/// A change ends the pages, often also the page that started the change. So a change runs in a task
/// of its own: if the caller is cancelled, the change continues, and the caller waits.
@MainActor final class ChangeQueue {
  init() {}

  /// The last change, which the next change waits for.
  private var last: Task<Void, Never>?

  /// Starts a change after all earlier ones.
  func add(_ change: @escaping @MainActor () async throws -> Void) -> Task<Void, any Error> {
    let last = last
    let task = Task {
      await last?.value
      try await change()
    }
    self.last = Task { _ = await task.result }
    return task
  }
}
