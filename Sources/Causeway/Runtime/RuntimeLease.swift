/// Closes a runtime when the last view model on it is gone.
///
/// The effects of a runtime keep it alive until they have seen that they were cancelled; they do
/// not keep the view models alive.
@MainActor
@usableFromInline
final class RuntimeLease {
  let runtime: any LeasedRuntime

  @usableFromInline
  init(_ runtime: any LeasedRuntime) {
    self.runtime = runtime
  }

  isolated deinit {
    runtime.close()
  }
}

/// What a view model needs of its runtime, whatever the state and the actions of that are.
@MainActor
@usableFromInline
protocol LeasedRuntime: AnyObject {
  /// The effects that run, sleep or wait.
  var runningEffects: [EffectID] { get }
  /// Cancels everything.
  func close()
}

extension Runtime: LeasedRuntime {
  @usableFromInline
  var runningEffects: [EffectID] {
    effects.map(\.request.id)
  }
}
