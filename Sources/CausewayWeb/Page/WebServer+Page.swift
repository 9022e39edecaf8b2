public import Causeway

extension WebServer {
  /// Hosts a page at a path such as `/` or `/boards/:id`.
  ///
  /// Each browser tab gets a session with a view model of its own, which is released some time
  /// after the tab is gone. View states are sent as JSON without null members. When a row of an array
  /// changes, only the row is sent if each element of the array has a member `id` of its own, a text
  /// or an integer; other arrays are sent whole. Actions are read as Swift's synthesized `Codable`
  /// writes enums: `{"refresh":{}}`, `{"join":{"_0":"ID"}}`, `{"create":{"title":"Tea"}}`.
  ///
  /// - Parameters:
  ///   - pattern: The path, with `:name` components.
  ///   - template: The page file.
  ///   - answering: When an action is answered; see ``ActionAnswer``. Called off the main actor.
  ///   - makeModel: Makes the view model of a new session, on the main actor. What it throws is
  ///     the response when it is a `Problem`, and a 500 otherwise.
  public func page<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ pattern: String, _ template: PageTemplate,
    answering: @escaping @Sendable (Action) -> ActionAnswer = { _ in .atOnce },
    makeModel:
      @escaping @MainActor @Sendable (WebSession) throws -> ViewModel<ViewState, Action>
  ) {
    page(pattern, template, makeHosted: { HostedModel(try makeModel($0), answering: answering) })
  }

  /// Hosts a page whose sessions are made by a closure, without a view model's types.
  package func page(
    _ pattern: String, _ template: PageTemplate,
    makeHosted: @escaping @MainActor @Sendable (WebSession) throws -> HostedModel
  ) {
    add(.get, pattern, nil, .page(Page(template: template, makeModel: makeHosted)))
  }
}

/// When the host answers an action that a page has sent.
///
/// Until the page has the answer, it keeps the action and shows that it is busy.
public enum ActionAnswer: Sendable, Hashable {
  /// When the state has changed; effects may still run, and are lost when the server ends.
  ///
  /// For actions that store nothing, such as a search or opening a form.
  case atOnce
  /// When the effects that the action has started have ended, so that what they store is stored.
  /// The page sends its next action after that.
  ///
  /// ``WebServer/stop(deadline:)`` waits for these effects, and an action whose effects it had to
  /// cancel is not answered as accepted. After ``WebServer/Limits/effectTime`` the answer is 202.
  case afterEffects
}
