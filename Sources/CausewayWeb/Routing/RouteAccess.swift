/// The clients that may send a body to a route.
///
/// The server checks it when the header fields have arrived. A client that is refused cannot make
/// the server read its body into memory.
public struct RouteAccess: Sendable {
  private enum Rule {
    case anyone, sessions
    case check(@Sendable (Request) throws(Problem) -> Void)
  }

  private let rule: Rule

  /// Any client.
  ///
  /// The route itself checks the caller, after the body was read.
  public static let anyone = RouteAccess(rule: .anyone)

  /// Only the script of a page whose session is alive, such as an upload with `data-upload`.
  ///
  /// Other clients get a 401, or a 410 if the session has ended.
  public static let sessions = RouteAccess(rule: .sessions)

  /// The clients that a function accepts, such as those with a token of an account.
  ///
  /// - Parameter check: Throws the answer to a client that it refuses. It receives the request
  ///   without the body. It runs on the polling thread, so it must be fast.
  public static func check(
    _ check: @escaping @Sendable (Request) throws(Problem) -> Void
  ) -> RouteAccess {
    RouteAccess(rule: .check(check))
  }

  func check(_ request: Request, on site: Site) throws(Problem) {
    switch rule {
    case .anyone: return
    case .sessions: _ = try site.session(of: request)
    case .check(let check): try check(request)
    }
  }
}
