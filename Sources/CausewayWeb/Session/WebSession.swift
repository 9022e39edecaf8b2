/// The session of one browser tab, as its view model is made.
public struct WebSession: Sendable {
  /// The path that the page was asked for, still percent-encoded.
  public let path: String
  /// The decoded values of the page pattern's `:name` components.
  public let parameters: [String: String]
  /// Names the browser: the same text for all its tabs, and for more than a year of visits.
  ///
  /// It is a hash of the browser's secret, so it may be stored and logged. It ends when the cookies
  /// are deleted; a second port, a private window and another browser have identities of their own.
  public let browser: String
  private let request: Request

  init(_ request: Request, browser: String) {
    self.browser = browser
    path = request.path
    parameters = request.parameters
    self.request = request
  }

  /// The first decoded value of a query item of the page's address.
  ///
  /// Complexity: O(n) in the number of items.
  public func query(_ name: String) -> String? { request.query(name) }

  /// The value of a cookie that came with the request for the page.
  ///
  /// Complexity: O(n) in the length of the cookie header.
  public func cookie(_ name: String) -> String? { request.cookie(name) }
}
