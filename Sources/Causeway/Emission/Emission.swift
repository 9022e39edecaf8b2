/// What a handler returns: nothing more than the state it changed, or effects to start.
///
/// Effects run off the main actor and send changes back through ``Send``. Making an emission
/// starts nothing; the runtime does that when the handler has returned.
public struct Emission<State: Sendable, Action: Sendable>: Sendable {
  /// What is to be done; `nil` for nothing, so that the usual answer costs nothing.
  @usableFromInline let node: EmissionNode<State, Action>?

  @inlinable
  init(_ node: EmissionNode<State, Action>?) {
    self.node = node
  }

  /// The state was changed, or not, and no effect starts.
  @inlinable
  public static var state: Emission {
    Emission(nil)
  }

  /// Feeds an action back into the interactor in the same turn.
  ///
  /// It is handled after the actions that already wait, before the outermost `send` returns.
  public static func action(_ action: Action) -> Emission {
    Emission(.action(action))
  }

  /// Cancels what runs or waits under an effect id.
  ///
  /// Once this is handled, nothing of that effect changes state any more. An id is local to the
  /// interactor that uses it: a child's `"search"` is not its parent's. An id of a nameless effect,
  /// from ``ViewModel/runningEffects``, stands for all that were started from that place.
  ///
  /// Complexity: O(*k*) in the number of effects under the id; for that of a nameless effect
  /// O(*n*) in all that run.
  ///
  /// - Parameter id: What the effects were named, or the id of a nameless one.
  public static func cancel(_ id: any Hashable & Sendable) -> Emission {
    Emission(.cancel(EffectID(id)))
  }
}

/// The instructions in an emission.
///
/// Each case is one reference, so that an emission is one word wide.
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
  /// A finding to report; with `once`, only the first one of that object.
  indirect case report(once: ObjectIdentifier, @MainActor () -> RuntimeError)
}
