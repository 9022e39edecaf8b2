/// Lets other tasks run until a condition holds or the test's time limit is over.
///
/// Use it only for conditions that cannot be awaited, such as the release of an object. A loop that
/// ignores cancellation would keep running during all later tests.
public nonisolated(nonsending) func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
