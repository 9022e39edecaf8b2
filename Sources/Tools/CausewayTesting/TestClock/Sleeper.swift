struct Sleeper {
  let deadline: TestClock.Instant
  let ticket: Int
  /// The sleeping effect; `nil` for another task.
  let effect: SleepingEffect?
  let continuation: CheckedContinuation<Void, any Error>
}

/// An effect of one of the models that share a clock.
///
/// The numbers of effects are unique only within a model.
struct SleepingEffect {
  let queue: ObjectIdentifier
  let number: Int
}
