/// Marks a runtime whose effects do no work.
///
/// The effects are scheduled, cancelled and ended as in any runtime. Delays are over at once.
@MainActor
package final class EffectRehearsal {
  /// The runtime, which its view model keeps alive.
  fileprivate(set) weak var runtime: AnyObject?

  /// The limit of steps in one turn; a turn keeps the main actor busy.
  package static var stepLimit: Int { 10_000 }

  package init() {}
}

extension RuntimeCore {
  /// Tells a rehearsal which runtime it has.
  @usableFromInline
  func attach(_ runtime: AnyObject) {
    watch?.rehearsal?.runtime = runtime
  }

  /// Whether the effects do no work.
  var isRehearsed: Bool { watch?.rehearsal != nil }
}
