extension RuntimeOptions {
  /// The options of a view model; the shared options object if they are standard.
  @inlinable
  static func of<State, Action>(
    _ clock: any Clock<Duration>, _ stepLimit: Int, _ observer: StepObserver<State, Action>?,
    _ onError: (@MainActor (RuntimeError) -> Void)?
  ) -> RuntimeOptions {
    if let observer { return RuntimeOptions(clock, stepLimit, observer, onError) }
    if onError == nil, stepLimit == defaultStepLimit, isStandard(clock) { return standard }
    return RuntimeOptions(clock, stepLimit, onError)
  }

  @usableFromInline
  convenience init<State, Action>(
    _ clock: any Clock<Duration>, _ stepLimit: Int, _ observer: StepObserver<State, Action>,
    _ onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.init(
      clock: clock, stepLimit: stepLimit, observesSteps: true,
      observeEffect: observer.observeEffect, watch: observer.watch, onError: onError)
  }
}
