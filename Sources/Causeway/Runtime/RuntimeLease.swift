/// Closes a runtime when the last view model on it is gone.
///
/// The effects of a runtime keep it alive until they have seen that they were cancelled; they do
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
