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

  isolated deinit {
    core.close()
  }
}
