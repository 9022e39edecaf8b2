extension ViewModel where ViewState: Sendable {
  /// The view states from now on, for any number of consumers.
  ///
  /// ```swift
  /// let loaded = await model.states.first { $0.items != nil }
  /// ```
  ///
  /// The first element is the present view state, at once. A consumer that is slower than the
  /// changes gets the latest. The sequence ends with the view model.
  ///
  /// Complexity: a publication costs a consumer that has not taken the last one next to nothing.
  public var states: ViewStates<ViewState> {
    ViewStates(source: source)
  }
}
