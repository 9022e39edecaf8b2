/// The result of a handler: a plain state change, or effects to start.
///
/// Effects run off the main actor and send changes back through ``Send``. Making an emission starts
/// nothing; the runtime starts the effects after the handler has returned.
public struct Emission<State: Sendable, Action: Sendable>: Sendable {
  /// The instructions; `nil` if there are none, which costs no allocation.
  @usableFromInline let node: EmissionNode<State, Action>?

  @inlinable
  init(_ node: EmissionNode<State, Action>?) {
    self.node = node
  }

  /// No effect starts.
  ///
  /// The state may have changed.
  @inlinable
  public static var state: Emission {
    Emission(nil)
  }

  /// Feeds an action back into the interactor in the same turn.
  ///
  /// It is handled after the queued actions, before the outermost `send` returns.
  public static func action(_ action: Action) -> Emission {
    Emission(.action(action))
  }

  /// Cancels the running and waiting effects with an id.
  ///
  /// After the cancellation, those effects change no state. An id is local to its interactor: the
  /// id `"search"` of a child differs from the parent's. The id of a nameless effect, from
  /// ``ViewModel/runningEffects``, stands for all effects from that source location.
  ///
  /// Complexity: O(*k*) in the number of effects with the id. For the id of a nameless effect,
  /// O(*n*) in the number of all running effects.
  ///
  /// - Parameter id: The name of the effects, or the id of a nameless effect.
  public static func cancel(_ id: any Hashable & Sendable) -> Emission {
    Emission(.cancel(EffectID(id)))
  }
}

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
