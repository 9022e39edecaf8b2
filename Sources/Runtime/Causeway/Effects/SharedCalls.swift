/// Finds effects without an id that cancel the effects of another action.
///
/// The id of such an effect is the source location of its call. If the call is in a function that
/// the handlers of several actions use, their effects replace each other, which may be unexpected.
///
/// It finds nothing in release builds.
@MainActor
struct SharedCalls {
  #if DEBUG
    /// The cases of the actions whose handlers have requested nameless effects.
    private var actions: [ObjectIdentifier: String] = [:]
    private var reported: Set<EffectPlace> = []

    /// Stores the action whose handler requests an effect.
    mutating func add(_ effect: Effect, _ requester: (() -> String)?) {
      if effect.isNameless { actions[ObjectIdentifier(effect)] = requester?() }
    }
  #endif

  /// Forgets an effect that has ended.
  mutating func remove(_ effect: Effect) {
    #if DEBUG
      actions[ObjectIdentifier(effect)] = nil
    #endif
  }

  /// Returns the finding to report when an effect replaces another one; `nil` if there is none.
  mutating func finding(_ effect: Effect, _ successor: Effect) -> RuntimeError? {
    #if DEBUG
      guard let first = actions[ObjectIdentifier(effect)],
        let second = actions[ObjectIdentifier(successor)],
        first != second, reported.insert(effect.place).inserted
      else { return nil }
      return .sharedCall(effect: effect.id, actions: [first, second])
    #else
      return nil
    #endif
  }
}
