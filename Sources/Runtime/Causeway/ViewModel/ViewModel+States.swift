extension ViewModel where ViewState: Sendable {
  /// The sequence of view states, for any number of consumers.
  ///
  /// ```swift
  /// let loaded = await model.states.first { $0.items != nil }
  /// ```
  ///
  /// The first element is the current view state, without waiting. A consumer that is slower than
  /// the changes gets the latest view state. A view state that equals the last one is left out, if
  /// the type is `Equatable`. The sequence ends with the view model.
  ///
  /// Complexity: a publication costs almost nothing for a consumer that has not taken the last view
  /// state.
  public var states: ViewStates<ViewState> {
    ViewStates(source: source)
  }
}
