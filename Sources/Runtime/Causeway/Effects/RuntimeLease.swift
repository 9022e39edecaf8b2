/// Closes a runtime when its last view model is released.
///
/// Running effects keep their runtime alive until they have ended after their cancellation. They do
/// not keep the view models alive.
@MainActor
@usableFromInline
final class RuntimeLease {
  @usableFromInline let core: RuntimeCore

  @usableFromInline
  init(_ core: RuntimeCore) {
    self.core = core
  }

  /// Whether an action is dropped, because the life of its part has ended; the first one is reported.
  @usableFromInline
  func isDropped<Action: Sendable>(_ action: Action, for life: PartLife) -> Bool {
    core.drops(action, for: life)
  }

  /// Sends an action of a part during a turn.
  ///
  /// A queued action is dropped if the life of the part has ended by the time the action is
  /// handled.
  @usableFromInline
  func sendInTurn<Action: Sendable>(
    _ action: Action, for life: PartLife, _ send: () -> ActionTask
  ) -> ActionTask {
    core.queue({ [core] in !core.drops(action, for: life) }, send)
  }

  isolated deinit {
    core.close()
  }
}
