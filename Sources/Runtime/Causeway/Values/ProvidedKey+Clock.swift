extension ProvidedKey<any Clock<Duration>> {
  /// The clock for effects that wait.
  ///
  /// It is the clock of the view model or of the `TestModel`, unless an interactor provides another
  /// one.
  ///
  /// ```swift
  /// InteractWithValues(initialValue: State()) { state, action, values in
  ///   .observe(values[.clock].timer(every: .seconds(1))) { state, _ in state.seconds += 1 }
  /// }
  /// ```
  public static var clock: Self { ProvidedKey("clock", default: ContinuousClock()) }
}
