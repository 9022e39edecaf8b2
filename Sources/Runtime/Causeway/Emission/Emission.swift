/// The result of a handler: a plain state change, or effects to start.
///
/// Effects run off the main actor, except those of `stay`. They send changes back through ``Send``.
/// Making an emission starts nothing; the runtime starts the effects after the handler has
/// returned.
public struct Emission<State: Sendable, Action: Sendable>: Sendable {
  /// An update of the state that an effect sent.
  @usableFromInline typealias Update = @MainActor (UnsafeMutablePointer<State>) -> Emission

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

extension Emission {
  /// Marks the emission of a handler for changes.
  @inlinable
  var ofChange: Emission {
    #if DEBUG
      Emission(node.map { .change($0) })
    #else
      self
    #endif
  }
}
