/// Receives the events of a runtime between its steps, for a tool that shows them.
@usableFromInline
package struct RuntimeWatch: Sendable {
  /// Receives the id and the number of each effect whose work begins.
  ///
  /// An effect that waits for its policy, its delay or a thread has not begun. Called off the main
  /// actor, in the effect's task.
  let effectRan: @Sendable (EffectID, Int) -> Void
  /// Receives each error that the runtime reports, before the app's own `onError`, and the number of
  /// the effect that has thrown it.
  let reported: @MainActor @Sendable (RuntimeError, Int?) -> Void
  /// Answers in place of the effects, which then do no work; `nil` if effects run.
  let rehearsal: EffectRehearsal?

  package init(
    effectRan: @escaping @Sendable (EffectID, Int) -> Void,
    reported: @escaping @MainActor @Sendable (RuntimeError, Int?) -> Void,
    rehearsal: EffectRehearsal? = nil
  ) {
    self.effectRan = effectRan
    self.reported = reported
    self.rehearsal = rehearsal
  }
}
