/// A page of an app for which a model is being made, as a tool needs it to show other models there.
package struct OpenedPage: Sendable {
  /// The page whose model the current task is making.
  @TaskLocal package static var current: OpenedPage?

  let page: Page
  let session: WebSession
  private let assets: @Sendable () -> [Route]

  init(_ page: Page, _ session: WebSession, _ site: Site) {
    self.page = page
    self.session = session
    // A tool must not keep the server.
    assets = { [weak site] in site?.routes.assets ?? [] }
  }

  /// The page file.
  package var template: PageTemplate { page.template }

  /// Hosts another model of the page's types, with what the page shares; `nil` for another model.
  ///
  /// - Throws: The error of the app's `sharing:`.
  @MainActor package func host(_ model: AnyObject) throws -> HostedModel? {
    try page.host?(model, session)
  }

  /// Adds the style sheets, scripts and pictures of the page's server to another server, once.
  package func addAssets(to server: WebServer) {
    let known = Set(server.site.routes.assets.map(\.pattern.text))
    for route in assets() where !known.contains(route.pattern.text) { server.site.add(route) }
  }
}
