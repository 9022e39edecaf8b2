/// Runs the effects of a runtime in place of the concurrent executor, for deterministic tests.
@MainActor
package protocol EffectHost: AnyObject {
  /// Returns the executor for an effect's task, its child tasks and the default actors it calls.
  ///
  /// - Parameters:
  ///   - effect: The id of the effect; for the timer of a throttling window, the id of its effects.
  ///   - number: The number of the effect in its runtime, from 1 on; `nil` for a timer.
  func executor(for effect: EffectID, number: Int?) -> any TaskExecutor
}
