extension WebServer {
  /// Gives the browser of a request a new identity, and returns it.
  ///
  /// Call it when a person signs in or out, and remove the app's data of the old identity. Then a
  /// cookie that another person has read or set earlier grants no access. The sessions of the old
  /// identity end, and their pages start new sessions with the new identity. For ten seconds, a
  /// page that is requested with the old cookie waits for the new one. After that, the server
  /// replaces the old cookie. The call takes about a millisecond, off the main actor.
  ///
  /// With ``WebServerConfiguration/offline``, the response also has the field `Clear-Site-Data`, so
  /// the browser removes everything that it stores for the origin, including the app's data.
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
    // No page script runs at a route that signs a person out, so the browser removes what is kept.
    if site.configuration.offline != nil { response.headers["Clear-Site-Data"] = "\"storage\"" }
    // A cookie that the server has not signed has no identity, so it is not stored.
    if let old, try site.cookies.isOwn(old) {
      site.sessions.renewals.replace(old)
      site.sessions.endAll(ofReplaced: old)
    }
    return identity
  }

  /// Gives the browser of a page a new identity, for an action of the page.
  ///
  /// It is for an effect that signs a person in. All sessions of the browser end. The page of the
  /// session gets the new cookie when its script asks for a new session, and the other pages get it
  /// from the browser. The server gives the cookie only to a script that knows the secret name of
  /// the session. So a person who has planted or read the old cookie gains nothing.
  ///
  /// The page must ask within a minute. If the server is restarted in between, the browser keeps
  /// its old identity, and the person signs in again.
  ///
  /// - Parameters:
  ///   - session: The session of the page.
  ///   - store: Stores what belongs to the new identity, which it receives. Called once, off the
  ///     main actor. If it throws, nothing changes.
  /// - Throws: The error of `store`, or a ``Problem`` if another page of the browser has begun to
  ///   change the identity.
  @concurrent public func renewBrowser(
    of session: WebSession, storing store: @Sendable (_ browser: String) async throws -> Void
  ) async throws {
    let (old, cookie) = (session.browserCookie, try site.cookies.make())
    try site.sessions.renewals.begin(old)
    do {
      try await store(try BrowserCookies.identity(of: cookie))
    } catch {
      site.sessions.renewals.cancel(old)
      throw error
    }
    site.sessions.renewals.finish(old, by: cookie, for: session.token)
    site.sessions.endAll(ofReplaced: old)
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

  /// Ends the sessions of a browser that show an account.
  ///
  /// Pages that the browser has opened after the sign-out are not affected.
  ///
  /// Complexity: O(n) in the number of sessions.
  public func endSessions(ofBrowser browser: String, account: String) {
    site.sessions.endAll(isInterrupting: false) {
      $0.opening.browser == browser && $0.opening.account == account
    }
  }

  /// Ends all sessions; their pages start new sessions.
  ///
  /// Complexity: O(n) in the number of sessions.
  public func endSessions() { site.sessions.endAll(isInterrupting: false) }

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
