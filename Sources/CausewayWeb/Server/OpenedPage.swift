/// A page of an app for which a model is being made, as a tool needs it to show other models there.
package struct OpenedPage: Sendable {
  /// The page whose model the current task is making.
  @TaskLocal package static var current: OpenedPage?

  /// The page file.
  package let template: PageTemplate
  private let session: WebSession
  // A tool must keep neither the server nor the closures of its pages, which may keep the tool.
  private let site: @Sendable () -> Site?

  init(_ page: Page, _ session: WebSession, _ site: Site) {
    template = page.template
    self.session = session
    self.site = { [weak site] in site }
  }

  /// Hosts another model of the page's types, with what the page shares; `nil` for another model, and
  /// after the end of the page's server.
  ///
  /// - Throws: The error of the app's `sharing:`.
  @MainActor package func host(_ model: AnyObject) throws -> HostedModel? {
    guard let routes = site()?.routes,
      case .page(let page)? = try? routes.route(.get, session.path).route.answer
    else { return nil }
    return try page.host?(model, session)
  }

  /// Adds the style sheets, scripts and pictures of the page's server to another server, once.
  package func addAssets(to server: WebServer) {
    let known = Set(server.site.routes.assets.map(\.pattern.text))
    for route in site()?.routes.assets ?? [] where !known.contains(route.pattern.text) {
      server.site.add(route)
    }
  }
}
