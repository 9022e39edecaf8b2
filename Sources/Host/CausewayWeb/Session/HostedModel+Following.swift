package import CausewayBasics

extension HostedModel {
  /// Shows the states of other models, one after the other, and ignores all actions.
  ///
  /// - Parameters:
  ///   - changes: Changes when `model` returns another model.
  ///   - model: Returns the model whose state is shown.
  package init(
    following changes: CurrentValue<Int>, _ model: @escaping @MainActor @Sendable () -> HostedModel
  ) {
    self.init(
      prepare: { _ in { nil } },
      snapshot: { model().snapshot() },
      observe: { publish in
        for await _ in changes.stream() {
          let snapshot = await MainActor.run { model().snapshot() }
          publish(try snapshot())
        }
      })
  }
}
