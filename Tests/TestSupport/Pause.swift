/// Lets others go on, for loops that wait for something which nobody tells of.
///
/// Such a loop ends when its test is cancelled, because its time is up. One around `Task.yield()`
/// alone would go on for ever, and take the time of all tests that are still to come.
///
/// - Throws: `CancellationError` when the task is cancelled.
public func pause() async throws {
  try Task.checkCancellation()
  await Task.yield()
}
