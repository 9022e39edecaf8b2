public import Causeway

extension WebServer {
  /// Hosts a page at a path such as `/` or `/boards/:id`.
  ///
  /// Each browser tab gets a session with its own view model. The server releases the view model
  /// some time after the tab is closed. It sends view states as JSON without null members. When a
  /// row of an array changes, the server sends only that row if each element has a unique member
  /// `id` that is a text or an integer. It sends other arrays as a whole. It reads actions in the
  /// form in which Swift's synthesized `Codable` writes enums: `{"refresh":{}}`,
  /// `{"join":{"_0":"ID"}}`, `{"create":{"title":"Tea"}}`.
  ///
  /// - Parameters:
  ///   - pattern: The path, with `:name` components.
  ///   - template: The page file.
  ///   - answering: When an action is answered; see ``ActionAnswer``. Called off the main actor. If
  ///     it contains a `switch`, also pass `receiving:`, the type of the actions.
  ///   - sharing: Returns the state that the page shares with other sessions, on the main actor,
  ///     after `makeModel`. An error has the same effect as an error of `makeModel`.
  ///   - makeModel: Makes the view model of a new session, on the main actor. It may first read what
  ///     the page shows. If it throws a `Problem`, that is the response: a page for signed-in people
  ///     can refuse a session without a ``WebSession/account``. Any other error gives a 500.
  public func page<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ pattern: String, _ template: PageTemplate,
    answering: @escaping @Sendable (Action) -> ActionAnswer = { _ in .atOnce },
    sharing: (@MainActor @Sendable (WebSession) throws -> SharedState?)? = nil,
    makeModel:
      @escaping @MainActor @Sendable (WebSession) async throws -> ViewModel<ViewState, Action>
  ) {
    page(
      pattern, template, receiving: Action.self, as: { $0 }, answering: answering,
      sharing: sharing, makeModel: makeModel)
  }

  /// Hosts a page whose actions have a type that the call names.
  ///
  /// The same as the function without `receiving`. The compiler looks for the type in `makeModel`
  /// last. So without the type, it reports "failed to produce diagnostic for expression" if
  /// `answering` contains a `switch` and `makeModel` has several statements.
  ///
  /// - Parameters:
  ///   - pattern: The path, with `:name` components.
  ///   - template: The page file.
  ///   - receiving: The type of the actions.
  ///   - answering: When an action is answered; see ``ActionAnswer``. Called off the main actor.
  ///   - sharing: Returns the state that the page shares, as for the other function.
  ///   - makeModel: Makes the view model of a new session, as for the other function.
  public func page<ViewState: Encodable & Sendable, Action: Decodable & Sendable>(
    _ pattern: String, _ template: PageTemplate, receiving: Action.Type,
    answering: @escaping @Sendable (Action) -> ActionAnswer = { _ in .atOnce },
    sharing: (@MainActor @Sendable (WebSession) throws -> SharedState?)? = nil,
    makeModel:
      @escaping @MainActor @Sendable (WebSession) async throws -> ViewModel<ViewState, Action>
  ) {
    page(pattern, template, answering: answering, sharing: sharing, makeModel: makeModel)
  }

  /// Hosts a page that sends actions of its own type.
  ///
  /// The view model's action type need not be `Decodable`, and a page can send only the actions
  /// that `convert` returns. Use this for a feature with internal actions, such as the result of a
  /// timer.
  ///
  /// - Parameters:
  ///   - pattern: The path, with `:name` components.
  ///   - template: The page file.
  ///   - receiving: The type of the page's actions.
  ///   - convert: Returns the view model's action. Called off the main actor.
  ///   - answering: When an action is answered; see ``ActionAnswer``. Called off the main actor.
  ///   - sharing: Returns the state that the page shares, as for the other function.
  ///   - makeModel: Makes the view model of a new session, as for the other function.
  public func page<
    ViewState: Encodable & Sendable, Action: Sendable, Received: Decodable & Sendable
  >(
    _ pattern: String, _ template: PageTemplate, receiving: Received.Type,
    as convert: @escaping @Sendable (Received) -> Action,
    answering: @escaping @Sendable (Received) -> ActionAnswer = { _ in .atOnce },
    sharing: (@MainActor @Sendable (WebSession) throws -> SharedState?)? = nil,
    makeModel:
      @escaping @MainActor @Sendable (WebSession) async throws -> ViewModel<ViewState, Action>
  ) {
    let types = PageTypes(
      template: template, viewState: ViewState.self, action: Received.self,
      isSharing: sharing != nil)
    let firstStates = FirstStates()
    let host:
      @MainActor @Sendable (ViewModel<ViewState, Action>, WebSession) throws -> HostedModel =
        { model, session in
          var hosted = HostedModel(
            model, firstStates: firstStates, receiving: receiving, answering: answering, as: convert
          )
          hosted.shared = try sharing?(session)
          return hosted
        }
    let check = site.configuration.pageCheck?.make(types)
    var page = Page(template: template, types: types, check: check) { session in
      try host(try await makeModel(session), session)
    }
    page.host = { model, session in
      try (model as? ViewModel<ViewState, Action>).map { try host($0, session) }
    }
    add(.get, pattern, nil, .page(page))
  }

  /// Hosts a page whose closure makes type-erased models; the page is not checked.
  package func page(
    _ pattern: String, _ template: PageTemplate,
    makeHosted: @escaping @MainActor @Sendable (WebSession) async throws -> HostedModel
  ) {
    add(
      .get, pattern, nil,
      .page(Page(template: template, types: nil, check: nil, makeModel: makeHosted)))
  }
}
