/// The instructions in an emission.
///
/// Each case is one reference, which keeps an emission one word wide.
@usableFromInline
enum EmissionNode<State: Sendable, Action: Sendable>: Sendable {
  case effect(EffectRequest<State, Action>)
  indirect case action(Action)
  case group(GroupRequest<State, Action>)
  indirect case cancel(EffectID)
  case merge([EmissionNode])
  case sequence([EmissionNode])
  /// An emission of a child.
  case child(ChildEmission<State, Action>)
  /// An emission of the second of two interactors in one body.
  indirect case scoped(CompositionSite, EmissionNode)
  /// An emission of a handler for changes, which any action can cause. Only made in debug builds.
  indirect case change(EmissionNode)
  /// A finding to report. Only the first finding about the object `once` is reported.
  indirect case report(once: ObjectIdentifier, @MainActor () -> RuntimeError)
}
