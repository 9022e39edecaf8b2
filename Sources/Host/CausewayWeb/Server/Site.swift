import Synchronization

/// The routes, pages and sessions of a server, without its socket.
final class Site: Sendable {
  let configuration: WebServerConfiguration
  let sessions: Sessions
  let compression = Compression()
  let cookies: BrowserCookies
  let counted = Mutex(ServerCounters())
  /// The bytes of the request bodies in memory.
  let bodies: Mutex<BodyBudget>
  let streams = StreamTable()
  /// The streams of ``WebServer/respond(to:readingBody:)``.
  let passedStreams = OpenStreams()
  /// The actions of each session.
  let actions: RateLimiter
  /// The streams that the pages of each session open.
  let openedStreams: RateLimiter
  let hasCheckedPages = Atomic(false)
  private let router = Mutex(Router())
  /// The files of ``WebServerConfiguration/offline``, for a number of routes.
  private let knownOffline = Mutex<(routes: Int, files: OfflineFiles)?>(nil)
  private let address = Mutex<ServerAddress?>(nil)

  init(configuration: WebServerConfiguration) {
    self.configuration = configuration
    bodies = Mutex(BodyBudget(limit: configuration.limits.bufferedBodyBytes))
    sessions = Sessions(configuration: configuration)
    cookies = BrowserCookies(key: configuration.cookieKey)
    actions = RateLimiter(
      rate: configuration.limits.actionsPerSecond, burst: configuration.limits.actionBurst,
      code: "too-many-actions",
      detail: "The page sent more than \(configuration.limits.actionsPerSecond) actions a second.",
      now: configuration.now)
    openedStreams = RateLimiter(
      rate: 10, burst: 100, code: "too-many-streams", detail: "The pages connected too often.",
      now: configuration.now)
  }

  /// Counts and logs an answered request.
  func record(_ record: AccessRecord) {
    counted.withLock { $0.count(record.status) }
    configuration.logAccess?(record)
  }

  /// The clients of a body: the group of its address, and its session.
  ///
  /// The addresses in ``WebServerConfiguration/uncountedAddresses`` are left out.
  func owners(of request: Request) -> [String] {
    var owners: [String] = []
    if !configuration.uncountedAddresses.contains(request.remoteAddress) {
      owners.append(ClientAddress.group(of: request.remoteAddress))
    }
    if let token = request.headers[Field.session], SessionToken.isWellFormed(token) {
      owners.append(token)
    }
    return owners
  }

  /// The routes at this moment.
  var routes: Router { router.withLock { $0 } }

  /// The files of ``WebServerConfiguration/offline``, made again after routes were added.
  var offlineFiles: OfflineFiles? {
    guard let options = configuration.offline else { return nil }
    let routes = routes
    return knownOffline.withLock { known in
      if let known, known.routes == routes.count { return known.files }
      let files = OfflineFiles(options, routes, heartbeat: configuration.heartbeat)
      known = (routes.count, files)
      return files
    }
  }

  func add(_ route: Route) { router.withLock { $0.add(route) } }

  func bound(to address: ServerAddress) { self.address.withLock { $0 = address } }

  /// The name contains the port, because browsers send a cookie to all ports of a host.
  var cookieName: String {
    let port =
      configuration.cookiePort ?? address.withLock { $0?.port } ?? configuration.port
    let name = "causeway-\(port)"
    return configuration.isBehindTLS ? "__Host-\(name)" : name
  }

  /// Checks a request before its body is read, and finds its endpoint.
  func endpoint(
    for request: inout Request
  ) throws(Problem) -> (endpoint: Endpoint, bodyLimit: Int) {
    let guardian = RequestGuard(
      configuration: configuration, boundHost: address.withLock { $0?.host })
    try guardian.check(request)
    request.remoteAddress = guardian.client(of: request)
    request.receiver = self
    let limits = configuration.limits
    request.route = request.path
    switch request.path {
    case PageScript.path:
      try allow(.get, request)
      return (.script(.page), 0)
    case PageScript.workerPath:
      try allow(.get, request)
      return (.script(.worker), 0)
    case OfflineFiles.workerPath:
      try allow(.get, request)
      return (.offline, 0)
    case OfflineFiles.shellPath where configuration.offline != nil,
      OfflineFiles.manifestPath where configuration.offline != nil:
      try allow(.get, request)
      return (.offline, 0)
    case "/_causeway/action":
      try allow(.post, request)
      return (.action(try admitAction(request)), limits.bodyBytes)
    case "/_causeway/stream":
      guard request.method == .get else {
        throw Router.methodNotAllowed(request.method, request.path, allowed: [.get])
      }
      return (.stream(try streamed(by: request)), 0)
    default:
      request.route = nil
      let router = router.withLock { $0 }
      let found = try router.route(request.method, request.path)
      request.route = found.route.pattern.text
      request.parameters = found.parameters
      try found.route.access.check(request) { request throws(Problem) in
        _ = try session(of: request)
      }
      return (.route(found.route), found.route.bodyLimit ?? limits.bodyBytes)
    }
  }

  /// The work for a complete request.
  func work(_ endpoint: Endpoint, _ request: Request) -> Work {
    let work = ownWork(endpoint, request)
    guard let around = configuration.aroundRequest else { return work }
    switch work {
    case .respond: return work
    case .main(let run): return .concurrent { await around(request) { await run() } }
    case .concurrent(let run): return .concurrent { await around(request) { await run() } }
    }
  }

  private func ownWork(_ endpoint: Endpoint, _ request: Request) -> Work {
    do throws(Problem) {
      switch endpoint {
      case .script(.page):
        return .respond(
          offlineFiles?.script(for: request) ?? PageScript.page.response(for: request))
      case .script(.worker): return .respond(PageScript.worker.response(for: request))
      case .offline:
        return .respond(
          offlineFiles?.response(for: request) ?? OfflineFiles.removal(for: request))
      case .action(let action): return try perform(action, request)
      case .stream(let streamed): return .respond(stream(streamed))
      case .route(let route):
        switch route.answer {
        case .immediate(let respond): return .respond(respond(request))
        case .concurrent(let respond):
          return .concurrent { [self] in await run(respond, request) }
        case .page(let page): return try open(page, request)
        }
      }
    } catch {
      return .respond(error.response(to: request))
    }
  }

  /// The response for an error of a route or a page.
  func response(for error: any Error, to request: Request) -> Response {
    if let problem = error as? Problem { return problem.response(to: request) }
    if error is CancellationError { return Self.stopping.response(to: request) }
    configuration.reportError(error)
    return Problem(
      .internalServerError, code: "internal",
      detail: "The server could not answer this request because of an error of its own."
    ).response(to: request)
  }

  static let stopping = Problem(
    .serviceUnavailable, code: "stopping", detail: "The server is stopping; try again later.",
    headers: ["Connection": "close", "Retry-After": "1"])

  private func allow(_ method: HTTPMethod, _ request: Request) throws(Problem) {
    if request.method == method || (method == .get && request.method == .head) { return }
    throw Router.methodNotAllowed(request.method, request.path, allowed: [method])
  }

  private func run(_ respond: WebServer.Responder, _ request: Request) async -> Response {
    do {
      return try await respond(request)
    } catch {
      return response(for: error, to: request)
    }
  }
}

/// The remaining work for a complete request.
enum Work: Sendable {
  case respond(Response)
  /// One job on the main actor, which the polling thread starts directly.
  case main(@MainActor @Sendable () async -> Response)
  case concurrent(@concurrent @Sendable () async -> Response)
}

/// The destination of a request, which its header fields decide.
enum Endpoint: Sendable {
  case script(PageScript)
  /// A file of ``WebServerConfiguration/offline``.
  case offline
  case action(AdmittedAction)
  case stream(StreamedSessions)
  case route(Route)

  /// Whether the response is ready without work on another thread.
  var answersAtOnce: Bool {
    switch self {
    case .script, .offline, .stream: true
    case .action: false
    case .route(let route): route.isImmediate
    }
  }
}
