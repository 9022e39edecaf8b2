package import Causeway

extension HostedModel {
  /// Hosts a view model; its state is encoded off the main actor.
  package init<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ model: ViewModel<ViewState, Action>
  ) {
    self.init(
      prepare: { body throws(Problem) in
        let action = try HostedModel.decode(Action.self, from: body)
        return { _ = model.send(action) }
      },
      snapshot: { try JSONValue(encoding: model.viewState) },
      observe: { publish in
        // Going through the main actor once gives the stream; its elements are taken off it.
        let states = await MainActor.run { model.states }
        for await state in states { publish(try JSONValue(encoding: state)) }
      })
  }
}
