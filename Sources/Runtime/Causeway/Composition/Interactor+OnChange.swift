extension Interactor {
  /// Runs a handler when a part of the state has changed.
  ///
  /// ```swift
  /// .onChange(of: \.query) { state, query in
  ///   .perform(.debounce(for: .milliseconds(300))) { send in … }
  /// }
  /// ```
  ///
  /// The modifier compares the part after each action and each update of an effect. It sees the
  /// updates of all effects. For an action, it does not see changes by a later modifier or a later
  /// interactor of the same body. Therefore make `onChange` the last modifier. The old value is
  /// stored during the step, so observing an array that is mutated in place causes one copy of the
  /// array.
  ///
  /// - Parameters:
  ///   - value: The part to compare.
  ///   - handler: Called with the new value, after this interactor has handled the action.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: KeyPath<State, Value>,
    _ handler: @escaping @MainActor (inout State, Value) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    onChange(of: value) { state, _, new in handler(&state, new) }
  }

  /// Runs a handler when a part of the state has changed, with the old and the new value.
  ///
  /// ```swift
  /// .onChange(of: \.selection) { state, old, new in … }
  /// ```
  ///
  /// The handler is called under the same conditions as in the variant with only the new value.
  ///
  /// - Parameters:
  ///   - value: The part to compare.
  ///   - handler: Called with the old and the new value, after this interactor has handled the
  ///     action.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: KeyPath<State, Value>,
    _ handler:
      @escaping @MainActor (inout State, _ old: Value, _ new: Value) -> Emission<
        State, Action
      >
  ) -> ResolvedInteractor<State, Action> {
    onChange(StoredValue(value), handler)
  }

  /// Runs a handler when a value that is computed from the state has changed.
  ///
  /// ```swift
  /// .onChange(of: { $0.items.count }) { state, old, new in … }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value. Called twice for each step.
  ///   - handler: Called with the old and the new value, after this interactor has handled the
  ///     action.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: @escaping @MainActor (State) -> Value,
    _ handler:
      @escaping @MainActor (inout State, _ old: Value, _ new: Value) -> Emission<
        State, Action
      >
  ) -> ResolvedInteractor<State, Action> {
    onChange(ComputedValue(value), handler)
  }

  /// Runs a handler when one of two values that are computed from the state has changed.
  ///
  /// ```swift
  /// .onChange(of: { ($0.query, $0.page) }) { state, old, new in … }
  /// ```
  ///
  /// - Parameters:
  ///   - values: Computes the values. Called twice for each step.
  ///   - handler: Called with the old and the new values, after this interactor has handled the
  ///     action.
  @inlinable
  public func onChange<First: Equatable, Second: Equatable>(
    of values: @escaping @MainActor (State) -> (First, Second),
    _ handler:
      @escaping @MainActor (
        inout State, _ old: (First, Second), _ new: (First, Second)
      ) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    onChange(ComputedPair(values), handler)
  }

  @inlinable
  func onChange<Compared: ComparedValue<State>>(
    _ compared: Compared,
    _ handler:
      @escaping @MainActor (inout State, Compared.Value, Compared.Value) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    return ResolvedInteractor(
      initial: base.initial,
      updater: { state, update in
        let before = compared.value(in: state)
        let emission = base.apply(update, to: state)
        let after = compared.value(in: state)
        return Compared.areEqual(before, after)
          ? emission : .both(emission, handler(&state.pointee, before, after).ofChange)
      },
      exchange: base.exchange,
      handle: { state, action, values in
        let before = compared.value(in: state)
        let emission = base.handle(state, action, values)
        let after = compared.value(in: state)
        return Compared.areEqual(before, after)
          ? emission : .both(emission, handler(&state.pointee, before, after).ofChange)
      })
  }
}
