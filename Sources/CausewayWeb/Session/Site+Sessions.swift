import Foundation

/// The requests of a page's script.
extension Site {
  /// Header fields of the page script.
  enum Field {
    static let session = "Causeway-Session"
    static let sequence = "Causeway-Sequence"
    static let watch = "Causeway-Watch"
  }

  /// Reads an action off the main actor, and applies it in one job there.
  func action(_ request: Request) throws(Problem) -> Work {
    let session = try session(of: request)
    if let wait = session.countAction(now: .now) {
      let seconds = Int((wait / .seconds(1)).rounded(.up))
      throw Problem(
        .tooManyRequests, code: "too-many-actions",
        detail: "More than \(configuration.limits.actionsPerSecond) actions a second.",
        headers: ["Retry-After": String(max(1, seconds))])
    }
    try request.checkJSONContentType()
    guard let number = request.headers[Field.sequence].flatMap(UInt64.init) else {
      throw .badRequest("The field \(Field.sequence) must be the action's number: 1, 2, 3, …")
    }
    let prepared: Result<HostedModel.Delivery, Problem>
    do throws(Problem) {
      prepared = .success(try session.model.prepare(request.body))
    } catch {
      prepared = .failure(error)
    }
    let watched = request.headers[Field.watch]
    return .main { session.apply(number, prepared, watched: watched) }
  }

  func stream(_ request: Request) throws(Problem) -> Response {
    let session = try session(of: request, bindsBrowser: true)
    var headers: HTTPHeaders = [:]
    if request.cookie(cookieName) == nil {
      let browser = SessionToken.make()
      guard session.belongs(to: browser) else { throw Sessions.unknown }
      headers.add("Set-Cookie", cookie(browser))
    }
    let lastEventID = request.headers["Last-Event-ID"].flatMap(UInt64.init)
    return .eventStream(session.attach(lastEventID: lastEventID), headers: headers)
  }

  /// Makes a session and its model, and answers with the page, or with the session alone when the
  /// script of a page asks whose session is gone.
  func open(_ page: Page, _ request: Request) throws(Problem) -> Work {
    try RequestGuard.checkPage(request)
    // Asking what a page would be must not start anything.
    if request.method == .head { return .respond(.html("")) }
    try sessions.checkRoom()
    return .main { [self] in
      do {
        return try start(page, request)
      } catch {
        return response(for: error)
      }
    }
  }

  @MainActor private func start(_ page: Page, _ request: Request) throws -> Response {
    let model = try page.makeModel(WebSession(request))
    let state = try model.snapshot()
    var browser = request.cookie(cookieName).flatMap { SessionToken.isWellFormed($0) ? $0 : nil }
    var headers: HTTPHeaders = ["Vary": "Accept"]
    // After a link on another site the browser holds its cookie back; setting a new one would
    // cut off the tabs that are open already. The stream binds the session instead.
    if browser == nil && request.headers["Sec-Fetch-Site"] != "cross-site" {
      let made = SessionToken.make()
      browser = made
      headers.add("Set-Cookie", cookie(made))
    }
    let session = PageSession(
      model: model, initial: state, browser: browser, limits: configuration.limits,
      reportError: configuration.reportError)
    try sessions.add(session)
    if request.headers["Accept"] == "application/json" {
      let document: JSONValue = [
        "session": .string(session.token), "version": 1, "state": state,
      ]
      return Response(
        .ok, type: "application/json", bytes: document.serialized(), headers: headers)
    }
    return Response(
      .ok, type: "text/html; charset=utf-8",
      bytes: page.template.render(
        token: session.token, version: 1, heartbeat: configuration.heartbeat, state: state),
      headers: headers)
  }

  private func session(
    of request: Request, bindsBrowser: Bool = false
  ) throws(Problem) -> PageSession {
    guard let token = request.headers[Field.session] else {
      throw Problem(
        .unauthorized, code: "no-session",
        detail: "The field \(Field.session) must name the page's session.",
        headers: ["WWW-Authenticate": "Causeway"])
    }
    guard let session = sessions.session(token) else { throw Sessions.unknown }
    let browser = request.cookie(cookieName)
    if browser == nil && bindsBrowser && !session.isBound { return session }
    guard session.belongs(to: browser) else { throw Sessions.unknown }
    return session
  }

  private func cookie(_ value: String) -> String {
    "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict"
  }
}
