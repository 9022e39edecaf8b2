/// What answers the requests for a pattern.
struct Route: Sendable {
  enum Answer: Sendable {
    /// Cheap enough for the polling thread.
    case immediate(@Sendable (Request) -> Response)
    case concurrent(@concurrent @Sendable (Request) async throws -> Response)
    case page(Page)
  }

  let method: HTTPMethod
  let pattern: PathPattern
  let bodyLimit: Int?
  let answer: Answer
}

/// A page file and the models of its sessions.
struct Page: Sendable {
  let template: PageTemplate
  let makeModel: @MainActor @Sendable (WebSession) throws -> HostedModel
}
