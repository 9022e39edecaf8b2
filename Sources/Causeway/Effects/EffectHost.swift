/// Runs the effects of a runtime in place of the concurrent executor, so that a test decides when.
@MainActor
package protocol EffectHost: AnyObject {
  /// The executor that the effect's task prefers, and with it its child tasks and the default
  /// actors that it calls.
  ///
  /// - Parameters:
  ///   - effect: Its id; for the timer of a throttling window that of the effects it holds back.
  ///   - number: Counts the effects of a runtime, from 1 on; `nil` for a timer.
  func executor(for effect: EffectID, number: Int?) -> any TaskExecutor
}

/// The beginning or the end of an effect, or what it did between them.
package struct EffectEvent: Sendable {
  /// What happened.
  package enum Kind: Sendable {
    case began, ended, cancelled
    /// It read the state.
    case readState
  }

  /// What happened.
  package let kind: Kind
  /// Counts the effects of a runtime, from 1 on.
  package let number: Int
  /// The effect's id.
  package let id: EffectID
  /// Where it was asked for.
  package let place: EffectPlace
  /// How many steps came before.
  package let step: Int
}
