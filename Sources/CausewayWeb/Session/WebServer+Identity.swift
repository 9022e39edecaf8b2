extension WebServer {
  /// Gives the browser of a request a new identity, and returns it.
  ///
  /// Call it when a person signs in or out, and remove the app's data of the old identity. Then a
  /// cookie that another person has read or set earlier grants no access. The sessions of the old
  /// identity end, and their pages start new sessions with the new identity. For ten seconds, a
  /// page that is requested with the old cookie waits for the new one. After that, the server
  /// replaces the old cookie. The call takes about a millisecond, off the main actor.
  ///
  /// The server stores at most 10,000 replaced cookies, in memory. After a restart it accepts the
  /// old cookie again, because the cookie is signed. So the app must remove the data to which the
  /// old identity gives access.
  ///
  /// - Parameters:
  ///   - request: The request of a route.
  ///   - response: The route's response, which gets the new cookie.
  /// - Throws: An error if the system cannot make hashes.
  @discardableResult
  public func renewBrowser(of request: Request, in response: inout Response) throws -> String {
    let cookie = try site.cookies.make()
    let identity = try BrowserCookies.identity(of: cookie)
    let old = request.cookie(site.cookieName)
    response.headers.add("Set-Cookie", site.cookie(cookie))
    // A cookie that the server has not signed has no identity, so it is not stored.
    if let old, try site.cookies.isOwn(old) { site.sessions.replace(old) }
    return identity
  }

  /// Ends the sessions of a browser.
  ///
  /// Their pages start new sessions. So first remove the data that grants access, such as the
  /// account of the browser. An ended session still answers the actions that it has applied, after
  /// their effects have ended. So an effect can end the session of its own page.
  ///
  /// Complexity: O(n) in the number of sessions.
  ///
  /// - Parameters:
  ///   - browser: The identity of the browser.
  ///   - session: A session that stays, such as the session of the request.
  /// - Returns: The number of sessions that have ended.
  @discardableResult
  public func endSessions(ofBrowser browser: String, except session: WebSession? = nil) -> Int {
    site.sessions.endAll(isInterrupting: false) {
      $0.opening.browser == browser && $0.token != session?.token
    }
  }

  /// Ends the sessions whose ``WebSession/account`` is the given account, in all browsers.
  ///
  /// Their pages start new sessions at once, as for ``endSessions(ofBrowser:except:)``.
  ///
  /// Complexity: O(n) in the number of sessions.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - session: A session that stays, such as the session of the request.
  /// - Returns: The number of sessions that have ended.
  @discardableResult
  public func endSessions(ofAccount account: String, except session: WebSession? = nil) -> Int {
    site.sessions.endAll(isInterrupting: false) {
      $0.opening.account == account && $0.token != session?.token
    }
  }
}
