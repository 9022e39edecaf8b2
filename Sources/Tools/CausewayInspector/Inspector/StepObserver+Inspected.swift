public import Causeway

extension StepObserver {
  /// Returns an observer that shows a view model in an inspector.
  ///
  /// ```swift
  /// let model = ViewModel(Search(find: find), observer: .inspected(by: inspector))
  /// ```
  ///
  /// Without an inspector the result is `nil`, and nothing is observed or copied.
  ///
  /// The inspector keeps every 16th state, and the changes between. It renders values off the main
  /// actor, and repeats a change when the page shows its step. Handlers must therefore depend only
  /// on the state and the action.
  ///
  /// - Parameters:
  ///   - inspector: The inspector; `nil` for none.
  ///   - name: The name of the model in the inspector. Default: the name of the feature.
  ///   - redaction: The values that are neither shown nor recorded.
  ///   - fork: Makes a second view model that begins with a state from the past, and passes the
  ///     observer to it. The inspector keeps the view model. Without it, the page cannot fork.
  public static func inspected(
    by inspector: Inspector?, as name: String? = nil,
    hiding redaction: Redaction<State, Action> = Redaction(),
    forking fork: (@MainActor (State, StepObserver<State, Action>?) -> AnyObject)? = nil
  ) -> StepObserver? {
    inspector.map {
      let feature = ModelProbe<State, Action>.feature
      return ModelProbe<State, Action>(
        $0.queue, $0.models, name ?? feature, redaction.rules, fork
      ).observer
    }
  }
}
