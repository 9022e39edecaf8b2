import Synchronization

/// The check of the hosted pages.
extension Site {
  /// Checks the pages of a server that another server calls, at its first request.
  func checkPagesOnce() {
    if !hasCheckedPages.exchange(true, ordering: .relaxed) { checkPages() }
  }

  /// Reports the problems of all pages without a view state, once for all pages with the same file.
  func checkPages() {
    hasCheckedPages.store(true, ordering: .relaxed)
    let router = routes
    var checked: Set<[ObjectIdentifier]> = []
    for page in router.pages.compactMap(\.check) where checked.insert(page.key).inserted {
      for problem in page.problems(router) { configuration.reportError(problem) }
    }
  }
}

extension WebServer {
  /// The types of a session's page, its current view state, and the routes of the server.
  ///
  /// - Parameter path: The path of the page, with its query.
  package func page(
    at path: String, ofSession token: String
  ) async -> (types: PageTypes, state: JSONValue?, routes: any PostRoutes)? {
    let routes = site.routes
    let plain = String(path.prefix { $0 != "?" })
    guard let session = site.sessions.session(token),
      let route = try? routes.route(.get, plain).route, case .page(let page) = route.answer,
      let types = page.types
    else { return nil }
    let snapshot = await session.model.snapshot()
    let own = try? snapshot()
    return (types, own.map { session.model.shared?.broadcast.completing($0) ?? $0 }, routes)
  }
}
