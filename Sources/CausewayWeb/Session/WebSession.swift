/// The session of one browser tab, for making its view model.
public struct WebSession: Sendable {
  /// The path of the request for the page, still percent-encoded.
  public let path: String
  /// The decoded values of the page pattern's `:name` components.
  public let parameters: [String: String]
  /// An identifier of the browser, the same for all its tabs and for more than a year of visits.
  ///
  /// It is a hash of the browser's secret, so it may be stored and logged. It changes when the user
  /// deletes the cookies. A second port, a private window and another browser have their own
  /// identifiers.
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
