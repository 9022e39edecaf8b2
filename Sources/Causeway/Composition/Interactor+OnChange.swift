extension Interactor {
  /// Reacts when a part of the state has another value than before.
  ///
  /// ```swift
  /// .onChange(of: \.query) { state, query in
  ///   .perform(.debounce(for: .milliseconds(300))) { send in … }
  /// }
  /// ```
  ///
  /// Both the actions and the updates that effects send count, once each. What a
  /// modifier behind it, or a later interactor of the same body, changes for an action comes after
  /// the comparison, while updates of all effects are seen: so put it last. The value from before
  /// is kept during the step: observing an array that is mutated in place makes one copy of it.
  ///
  /// - Parameters:
  ///   - value: The part to compare.
  ///   - handler: Called after this interactor has handled the action, with the new value.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: KeyPath<State, Value>,
    _ handler: @escaping @MainActor (inout State, Value) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    onChange(of: value) { state, _, new in handler(&state, new) }
  }

  /// Reacts when a part of the state has another value than before, with both values.
  ///
  /// ```swift
  /// .onChange(of: \.selection) { state, old, new in … }
  /// ```
  ///
  /// It is called when the variant with the new value alone is.
  ///
  /// - Parameters:
  ///   - value: The part to compare.
  ///   - handler: Called after this interactor has handled the action, with the old and the new
  ///     value.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: KeyPath<State, Value>,
    _ handler:
      @escaping @MainActor (inout State, _ old: Value, _ new: Value) -> Emission<
        State, Action
      >
  ) -> ResolvedInteractor<State, Action> {
    let part = ReadPart(value)
    return onChange({ part.value(in: $0) }, { $0 == $1 }, handler)
  }

  /// Reacts when a value that is computed from the state differs from before.
  ///
  /// ```swift
  /// .onChange(of: { $0.items.count }) { state, old, new in … }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the value. Called twice for each step.
  ///   - handler: Called after this interactor has handled the action, with the old and the new
  ///     value.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: @escaping @MainActor (State) -> Value,
    _ handler:
      @escaping @MainActor (inout State, _ old: Value, _ new: Value) -> Emission<
        State, Action
      >
  ) -> ResolvedInteractor<State, Action> {
    onChange({ value($0.pointee) }, { $0 == $1 }, handler)
  }

  /// Reacts when one of two values that are computed from the state differs from before.
  ///
  /// ```swift
  /// .onChange(of: { ($0.query, $0.page) }) { state, old, new in … }
  /// ```
  ///
  /// - Parameters:
  ///   - values: Computes the values. Called twice for each step.
  ///   - handler: Called after this interactor has handled the action, with the old and the new
  ///     values.
  @inlinable
  public func onChange<First: Equatable, Second: Equatable>(
    of values: @escaping @MainActor (State) -> (First, Second),
    _ handler:
      @escaping @MainActor (
        inout State, _ old: (First, Second), _ new: (First, Second)
      ) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    onChange({ values($0.pointee) }, { $0 == $1 }, handler)
  }

  @inlinable
  func onChange<Value>(
    _ read: @escaping @MainActor (UnsafeMutablePointer<State>) -> Value,
    _ areEqual: @escaping @MainActor (Value, Value) -> Bool,
    _ handler: @escaping @MainActor (inout State, Value, Value) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    return ResolvedInteractor(
      initial: base.initial,
      updater: { state, update in
        let before = read(state)
        let emission = base.apply(update, to: state)
        let after = read(state)
        return areEqual(before, after)
          ? emission : .both(emission, handler(&state.pointee, before, after))
      },
      handle: { state, action in
        let before = read(state)
        let emission = base.handle(state, action)
        let after = read(state)
        return areEqual(before, after)
          ? emission : .both(emission, handler(&state.pointee, before, after))
      })
  }
}

/// A part of a state that is only read, by its offset where it is stored.
@usableFromInline
struct ReadPart<Root, Part> {
  @usableFromInline let keyPath: KeyPath<Root, Part>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: KeyPath<Root, Part>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  @inlinable
  func value(in root: UnsafeMutablePointer<Root>) -> Part {
    guard let offset else { return root.pointee[keyPath: keyPath] }
    return (UnsafeMutableRawPointer(root) + offset).assumingMemoryBound(to: Part.self).pointee
  }
}
