extension ViewModel {
  /// Runs an interactor whose state is also the view state.
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, in this call.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock for the delays of effect policies.
  ///   - stepLimit: The maximum number of actions that one turn may feed back. A longer turn ends
  ///     with ``RuntimeError/endlessActions(action:steps:)``. Default: a million.
  ///   - observer: Receives every step, for logging, recording and inspecting.
  ///   - onError: Receives errors that no effect catches, and misuse that is detected at run time.
  ///     Default: writes them to the standard error stream.
  @inlinable
  public convenience init<I: Interactor>(
    _ interactor: I,
    initialState: I.State? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    stepLimit: Int = 1_000_000,
    observer: StepObserver<I.State, I.Action>? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) where I.State == ViewState, I.Action == Action {
    let resolved = interactor.resolve().providing(clock)
    let box = StateBox(initialState, else: resolved.initial)
    let runtime = Runtime(
      resolved, box: box, clock: clock, stepLimit: stepLimit, observer: observer, onError: onError)
    self.init(
      source: ViewStateSource(box, guardedBy: box, runtime.core),
      lease: RuntimeLease(runtime.core),
      sendAction: { runtime.send($0, $1) })
  }

  /// Runs an interactor and derives the view state from its state.
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, in this call.
  ///   - reducer: Called once at the start and once after each outermost `send`.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock for the delays of effect policies.
  ///   - stepLimit: The maximum number of actions that one turn may feed back. A longer turn ends
  ///     with ``RuntimeError/endlessActions(action:steps:)``. Default: a million.
  ///   - observer: Receives every step, for logging, recording and inspecting.
  ///   - onError: Receives errors that no effect catches, and misuse that is detected at run time.
  ///     Default: writes them to the standard error stream.
  @inlinable
  public convenience init<I: Interactor, R: ViewStateReducer>(
    _ interactor: I,
    reducer: R,
    initialState: I.State? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    stepLimit: Int = 1_000_000,
    observer: StepObserver<I.State, I.Action>? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) where I.Action == Action, R.DomainState == I.State, R.ViewState == ViewState {
    let resolved = interactor.resolve().providing(clock)
    let box = StateBox(initialState, else: resolved.initial)
    let viewBox = StateBox(reducer.reduce(box.value))
    let runtime = Runtime(
      resolved, box: box, clock: clock, stepLimit: stepLimit, observer: observer,
      derive: { viewBox.pointer.pointee = reducer.reduce(box.value) }, onError: onError)
    self.init(
      source: ViewStateSource(viewBox, guardedBy: box, runtime.core),
      lease: RuntimeLease(runtime.core),
      sendAction: { runtime.send($0, $1) })
  }

  /// Runs an interactor and derives the view state from its state with a closure.
  ///
  /// ```swift
  /// let model = ViewModel(Harbour(), reducer: { $0.ferries.count })
  /// ```
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, in this call.
  ///   - reduce: Called once at the start and once after each outermost `send`. It depends only on the
  ///     state, and sends nothing.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock for the delays of effect policies.
  ///   - stepLimit: The maximum number of actions that one turn may feed back. A longer turn ends
  ///     with ``RuntimeError/endlessActions(action:steps:)``. Default: a million.
  ///   - observer: Receives every step, for logging, recording and inspecting.
  ///   - onError: Receives errors that no effect catches, and misuse that is detected at run time.
  ///     Default: writes them to the standard error stream.
  public convenience init<I: Interactor>(
    _ interactor: I,
    reducer reduce: @escaping @MainActor (I.State) -> ViewState,
    initialState: I.State? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    stepLimit: Int = 1_000_000,
    observer: StepObserver<I.State, I.Action>? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) where I.Action == Action {
    self.init(
      interactor, reducer: ClosureReducer(build: reduce), initialState: initialState, clock: clock,
      stepLimit: stepLimit, observer: observer, onError: onError)
  }
}

private struct ClosureReducer<DomainState, ViewState>: ViewStateReducer {
  let build: @MainActor (DomainState) -> ViewState

  func reduce(_ domainState: DomainState) -> ViewState { build(domainState) }
}
