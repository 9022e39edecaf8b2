/// Lets other tasks run until a condition holds, or the test is over its time limit.
///
/// Only where nothing can be awaited, such as that an object goes away. A loop that does not look
/// at the cancellation would go on beside all later tests.
public nonisolated(nonsending) func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}
