public import Causeway

extension WebServer {
  /// Hosts a page at a path such as `/` or `/boards/:id`.
  ///
  /// Each browser tab gets a session with a view model of its own, which is released some time
  /// after the tab is gone. View states are sent as JSON without null members; arrays are sent
  /// whole when one of their elements changes. Actions are read as Swift's synthesized `Codable`
  /// writes enums: `{"refresh":{}}`, `{"join":{"_0":"ID"}}`, `{"create":{"title":"Tea"}}`.
  ///
  /// - Parameters:
  ///   - pattern: The path, with `:name` components.
  ///   - template: The page file.
  ///   - makeModel: Makes the view model of a new session, on the main actor. What it throws is
  ///     the response when it is a `Problem`, and a 500 otherwise.
  public func page<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ pattern: String, _ template: PageTemplate,
    makeModel:
      @escaping @MainActor @Sendable (WebSession) throws -> ViewModel<ViewState, Action>
  ) {
    page(pattern, template, makeHosted: { HostedModel(try makeModel($0)) })
  }

  /// Hosts a page whose sessions are made by a closure, without a view model's types.
  package func page(
    _ pattern: String, _ template: PageTemplate,
    makeHosted: @escaping @MainActor @Sendable (WebSession) throws -> HostedModel
  ) {
    add(.get, pattern, nil, .page(Page(template: template, makeModel: makeHosted)))
  }
}
