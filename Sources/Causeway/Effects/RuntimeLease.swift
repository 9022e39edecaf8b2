/// Closes a runtime when its last view model is released.
///
/// Running effects keep their runtime alive until they have ended after their cancellation. They do
/// not keep the view models alive.
@MainActor
@usableFromInline
final class RuntimeLease {
  let core: RuntimeCore

  @usableFromInline
  init(_ core: RuntimeCore) {
    self.core = core
  }

  /// Reports an action that was sent for a part whose life has ended.
  @usableFromInline
  func reportDropped<Action: Sendable>(_ action: Action, for life: PartLife) {
    core.report(oncePart: life.part) {
      .missingChild(
        action: CaseNames.of(action), row: life.row.map { "\($0)" }, site: "\(life.part)")
    }
  }

  isolated deinit {
    core.close()
  }
}
