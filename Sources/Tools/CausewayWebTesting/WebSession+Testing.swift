public import CausewayWeb

extension WebSession {
  /// Makes the session of a page that a test builds without a server.
  ///
  /// Pages of the same browser share `browser` and `cookie`.
  ///
  /// - Parameters:
  ///   - request: The request for the page.
  ///   - browser: The identity of the browser, as ``WebSession/browser`` returns it.
  ///   - cookie: The text of the browser's cookie.
  public init(testing request: Request, browser: String, cookie: String) {
    self.init(request, browser: browser, cookie: cookie)
  }
}
