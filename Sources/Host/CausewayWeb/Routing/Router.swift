/// Finds the first route that matches a request.
struct Router: Sendable {
  private var routes: [Route] = []

  mutating func add(_ route: Route) { routes.append(route) }

  /// The route and the pattern's parameters.
  ///
  /// Throws 404, or 405 with the methods that the path supports. Complexity: O(n) in the number of
  /// routes.
  func route(
    _ method: HTTPMethod, _ path: String
  ) throws(Problem) -> (route: Route, parameters: [String: String]) {
    guard let parts = PathPattern.parts(of: path) else {
      throw .badRequest("The path \"\(path)\" is not well-formed.")
    }
    let wanted = method == .head ? .get : method
    var others: Set<HTTPMethod> = []
    for route in routes {
      guard let parameters = route.pattern.match(parts) else { continue }
      if route.method == wanted { return (route, parameters) }
      others.insert(route.method)
    }
    if others.isEmpty { throw .notFound("There is nothing at \(path).") }
    throw Self.methodNotAllowed(method, path, allowed: others)
  }

  /// The routes whose answers are in memory, such as style sheets and pictures.
  var assets: [Route] { routes.filter(\.isImmediate) }

  /// The routes of `GET`, in their order.
  var reads: [Route] { routes.filter { $0.method == .get } }

  /// The number of routes, which can only grow.
  var count: Int { routes.count }

  /// The routes for `GET` that a function answers.
  ///
  /// Patterns that would match paths of every server are left out.
  var computedReads: [Route] {
    reads.filter { route in
      guard case .concurrent = route.answer else { return false }
      return !route.pattern.text.hasPrefix("/:") && route.pattern.text != "/**"
    }
  }

  /// The patterns of all routes.
  var patterns: [String] { routes.map(\.pattern.text) }

  /// The hosted pages.
  var pages: [Page] {
    routes.compactMap { if case .page(let page) = $0.answer { page } else { nil } }
  }

  static func methodNotAllowed(
    _ method: HTTPMethod, _ path: String, allowed: Set<HTTPMethod>
  ) -> Problem {
    let allowed = allowed.contains(.get) ? allowed.union([.head]) : allowed
    let list = allowed.map(\.rawValue).sorted().joined(separator: ", ")
    return Problem(
      .methodNotAllowed, code: "method-not-allowed",
      detail: "\(path) does not answer \(method.rawValue), only \(list).",
      headers: ["Allow": list])
  }
}

extension Router: PostRoutes {
  func problem(ofPostTo path: String) -> Problem? {
    do throws(Problem) {
      _ = try route(.post, path)
      return nil
    } catch {
      return error
    }
  }

  func postPatterns(filledFrom path: String) -> [String: String] {
    let posts = routes.filter { $0.method == .post }.map {
      ($0.pattern.filled(from: path), $0.pattern.text)
    }
    return Dictionary(posts) { first, _ in first }
  }
}

/// A pattern and the handler of its requests.
struct Route: Sendable {
  enum Answer: Sendable {
    /// Runs on the polling thread, so it must be fast.
    case immediate(@Sendable (Request) -> Response)
    case concurrent(@concurrent @Sendable (Request) async throws -> Response)
    case page(Page)
  }

  let method: HTTPMethod
  let pattern: PathPattern
  let bodyLimit: Int?
  let access: RouteAccess
  let answer: Answer

  /// Whether the answer is ready without work on another thread.
  var isImmediate: Bool { if case .immediate = answer { true } else { false } }
}

/// A page file and the models of its sessions.
struct Page: Sendable {
  let template: PageTemplate
  /// Nil if the types of the view state and the actions are not known.
  let types: PageTypes?
  /// The check of the page; nil if the server checks none.
  let check: (any CheckedPage)?
  let makeModel: @MainActor @Sendable (WebSession) async throws -> HostedModel
  /// Hosts another model of the same types; `nil` for a model of other types.
  var host: (@MainActor @Sendable (AnyObject, WebSession) throws -> HostedModel?)?
}
