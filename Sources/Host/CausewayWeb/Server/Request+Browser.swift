extension Request {
  /// The identity of the browser, as ``WebSession/browser``; nil if it has not opened a page yet.
  ///
  /// It identifies the browser that calls a route. The value comes from a cookie that the server
  /// has signed. Reading it takes about a millisecond, so do not read it on the main actor.
  ///
  /// - Throws: An error if the system cannot make hashes.
  public var browser: String? {
    get throws {
      guard let site, let cookie = cookie(site.cookieName),
        !site.sessions.renewals.wasReplaced(cookie), try site.cookies.isOwn(cookie)
      else { return nil }
      return try BrowserCookies.identity(of: cookie)
    }
  }

  /// The session of the page whose script sends the request, such as an upload; nil without one.
  ///
  /// The request of an image or of a link has no session. Use ``account`` there.
  public var session: WebSession? { (try? site?.session(of: self))?.opening }

  /// The account of the browser, by ``WebServerConfiguration/account``; nil without one.
  ///
  /// - Throws: The error of that closure, or an error if the system cannot make hashes.
  public var account: String? {
    get async throws {
      guard let site, let browser = try browser else { return nil }
      return try await site.configuration.account(browser)
    }
  }

  /// The site that has received the request.
  private var site: Site? { receiver as? Site }
}
