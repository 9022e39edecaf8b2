/// The clients that may use a route.
///
/// The server checks the access when the header fields have arrived, before it reads the body.
public struct RouteAccess: Sendable {
  private enum Rule {
    case anyone, sessions
    case check(@Sendable (Request) throws(Problem) -> Void)
  }

  private let rule: Rule

  /// Any client.
  ///
  /// The route itself must check the client, after the server has read the body.
  public static let anyone = RouteAccess(rule: .anyone)

  /// Only the scripts of pages with a live session, for example an upload with `data-upload`.
  ///
  /// Other clients get a 401, or a 410 if the session has ended.
  public static let sessions = RouteAccess(rule: .sessions)

  /// The clients that a function accepts, for example by a token of an account.
  ///
  /// - Parameter check: Receives the request without the body, and throws the answer if it refuses
  ///   the client. It runs on the polling thread, so it must be fast.
  public static func check(
    _ check: @escaping @Sendable (Request) throws(Problem) -> Void
  ) -> RouteAccess {
    RouteAccess(rule: .check(check))
  }

  /// - Parameter session: Throws if the request has no live session.
  func check(
    _ request: Request, session: (Request) throws(Problem) -> Void
  ) throws(Problem) {
    switch rule {
    case .anyone: return
    case .sessions: try session(request)
    case .check(let check): try check(request)
    }
  }
}
