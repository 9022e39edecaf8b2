/// A page of an app whose model is being made; a tool can show other models on this page.
package struct OpenedPage: Sendable {
  /// The page whose model the current task is making.
  @TaskLocal package static var current: OpenedPage?

  /// The page file.
  package let template: PageTemplate
  private let session: WebSession
  // A tool must not keep the server or the closures of its pages, because these may keep the tool.
  private let site: @Sendable () -> Site?

  init(_ page: Page, _ session: WebSession, _ site: Site) {
    template = page.template
    self.session = session
    self.site = { [weak site] in site }
  }

  /// Hosts another model of the page's types, with the state that the page shares; `nil` if the
  /// model has other types, or if the page's server has ended.
  ///
  /// - Throws: The error of the app's `sharing:`.
  @MainActor package func host(_ model: AnyObject) throws -> HostedModel? {
    guard let routes = site()?.routes,
      case .page(let page)? = try? routes.route(.get, session.path).route.answer
    else { return nil }
    return try page.host?(model, session)
  }

  /// Adds the style sheets, scripts and pictures of the page's server to another server, once.
  ///
  /// Pictures that a route of the app returns are requested from that route, with the checks of the
  /// app's server. The browser sends its cookies to all ports of a host, so the route gets them. So
  /// the other server shows a picture only to a browser that the app would show it to.
  package func addAssets(to server: WebServer) {
    var known = Set(server.site.routes.patterns)
    guard let routes = site()?.routes else { return }
    for route in routes.assets + routes.computedReads
    where known.insert(route.pattern.text).inserted {
      server.site.add(route.isImmediate ? route : pictures(of: route))
    }
  }

  /// A route that forwards the requests of `<img>` elements, and no others.
  private func pictures(of route: Route) -> Route {
    let answer = Route.Answer.concurrent { [site] request in
      let refusal = Problem.notFound("This port has only the app's pictures.")
      var request = request
      // The other server needs only pictures, so the handlers of other requests must not run.
      guard request.headers["Sec-Fetch-Dest"] == "image", let site = site(),
        case .route(let route) = try site.endpoint(for: &request).endpoint,
        case .concurrent = route.answer,
        case .concurrent(let respond) = site.work(.route(route), request)
      else { throw refusal }
      let response = await respond()
      let isPicture = response.headers["Content-Type"]?.hasPrefix("image/") == true
      guard isPicture || response.status == .notModified else { throw refusal }
      return response
    }
    return Route(
      method: .get, pattern: route.pattern, bodyLimit: 0, access: .anyone, answer: answer)
  }
}
