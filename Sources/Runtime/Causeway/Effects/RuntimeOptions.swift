/// The options of a runtime, such as its clock and the receiver of its errors.
///
/// It is an object because most view models have the standard options and share them.
@MainActor
@usableFromInline
final class RuntimeOptions {
  let clock: any Clock<Duration>
  /// Runs the effects in tests; `nil` otherwise.
  let host: (any EffectHost)?
  /// The limit of queued steps in one turn.
  let stepLimit: Int
  let observesSteps: Bool
  let observeEffect: (@MainActor (EffectEvent) -> Void)?
  /// Receives the events between the steps.
  let watch: RuntimeWatch?
  let onError: @MainActor (RuntimeError) -> Void

  @usableFromInline static let standard = RuntimeOptions(
    clock: ContinuousClock(), stepLimit: defaultStepLimit, observesSteps: false, observeEffect: nil,
    watch: nil, onError: nil)

  init(
    clock: any Clock<Duration>,
    host: (any EffectHost)? = nil,
    stepLimit: Int,
    observesSteps: Bool,
    observeEffect: (@MainActor (EffectEvent) -> Void)?,
    watch: RuntimeWatch?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.clock = clock
    self.host = host
    self.stepLimit =
      watch?.rehearsal == nil ? stepLimit : min(stepLimit, EffectRehearsal.stepLimit)
    self.observesSteps = observesSteps
    self.observeEffect = observeEffect
    self.watch = watch
    // `??` would allocate a closure around the default.
    if let onError { self.onError = onError } else { self.onError = RuntimeError.print }
  }

  /// Whether a clock is the default of a view model.
  ///
  /// A cast, or a comparison with the type in the existential, would cost much more.
  @inlinable
  static func isStandard<C: Clock>(_ clock: C) -> Bool { C.self == ContinuousClock.self }

  @usableFromInline
  convenience init(
    _ clock: any Clock<Duration>, _ stepLimit: Int, _ onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.init(
      clock: clock, stepLimit: stepLimit, observesSteps: false, observeEffect: nil, watch: nil,
      onError: onError)
  }
}

/// The default limit of the actions that one turn may feed back or queue.
@usableFromInline package var defaultStepLimit: Int { 1_000_000 }
