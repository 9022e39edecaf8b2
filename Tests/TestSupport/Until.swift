/// Lets other tasks run until a condition holds, or the test is over its time limit.
///
/// Only for conditions that cannot be awaited, such as the release of an object. A loop that ignores
/// cancellation would continue beside all later tests.
public nonisolated(nonsending) func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
