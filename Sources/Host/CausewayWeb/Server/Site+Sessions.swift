import Foundation

/// The requests of a page's script.
extension Site {
  /// The bytes of a body that count as one more action.
  private static let countedBody = 16 << 10

  /// Header fields of the page script.
  enum Field {
    static let session = "Causeway-Session"
    static let sequence = "Causeway-Sequence"
    static let watch = "Causeway-Watch"
    static let lane = "Causeway-Lane"
    /// Present if the page no longer has the actions with the missing numbers.
    static let gap = "Causeway-Gap"
  }

  /// Decides by the header fields whether a page may send this action.
  ///
  /// The server does not store the body of any other client.
  func admitAction(_ request: Request) throws(Problem) -> AdmittedAction {
    let session = try session(of: request)
    session.noteAction()
    try actions.count(session.token)
    try request.checkJSONContentType()
    guard let number = request.headers[Field.sequence].flatMap(UInt64.init) else {
      throw .badRequest("The field \(Field.sequence) must be the action's number: 1, 2, 3, …")
    }
    let lane = request.headers[Field.lane] ?? ""
    guard lane.utf8.count <= 32 else {
      throw .badRequest("The field \(Field.lane) must not be longer than 32 bytes.")
    }
    return AdmittedAction(
      session: session, number: ActionNumber(number, lane: lane),
      allowsGap: request.headers[Field.gap] != nil)
  }

  /// Decodes an action off the main actor, and applies it in one job on the main actor.
  ///
  /// The polling thread, which serves all clients, decodes only small bodies.
  func perform(_ action: AdmittedAction, _ request: Request) throws(Problem) -> Work {
    let (session, body) = (action.session, request.body)
    // Decoding takes time that grows with the body.
    let burst = configuration.limits.actionBurst
    let parts = min(body.count / Self.countedBody, burst - 1)  // A burst has room for them.
    if parts > 0 { try actions.count(session.token, events: parts) }
    let watched = request.headers[Field.watch].flatMap {
      $0.utf8.count <= PageScript.watchedPathLength ? $0 : nil
    }
    let limit = configuration.limits.actionTextBytes
    let prepare = { @Sendable () -> Result<HostedModel.Delivery, Problem> in
      Result { () throws(Problem) in
        try ActionTexts.check(body, limit: limit)
        return try session.model.prepare(body)
      }
    }
    if body.count > Self.smallBody {
      return .concurrent {
        await session.apply(
          action.number, prepare(), allowsGap: action.allowsGap, watched: watched)
      }
    }
    let prepared = prepare()
    return .main {
      await session.apply(
        action.number, prepared, allowsGap: action.allowsGap, watched: watched)
    }
  }

  /// The largest body that takes about a millisecond at most.
  private static let smallBody = 4 << 10

  /// Finds the sessions of a stream: one for a page, several for a browser's shared worker.
  ///
  /// The polling thread writes the whole state of a page at the beginning of its stream, so there
  /// is a limit for the streams that a session opens.
  func streamed(by request: Request) throws(Problem) -> StreamedSessions {
    let streamed = try findStreamed(by: request)
    try openedStreams.count(request.cookie(cookieName) ?? "")
    return streamed
  }

  private func findStreamed(by request: Request) throws(Problem) -> StreamedSessions {
    let tokens =
      try request.headers[Field.session].map { field throws(Problem) in
        try Self.list(field)
      } ?? []
    guard tokens.count > 1 else {
      return StreamedSessions(
        present: [(try session(of: request), request.headers["Last-Event-ID"])])
    }
    // The dictionary drops repeated tokens; a session has one stream.
    let ids =
      try request.headers["Last-Event-ID"].map { field throws(Problem) in
        try Self.list(field)
      } ?? []
    let wanted = Dictionary(
      zip(tokens, ids.map(Optional.some) + tokens.map { _ in nil }), uniquingKeysWith: { $1 })
    let cookie = request.cookie(cookieName)
    var streamed = StreamedSessions()
    for (token, id) in wanted {
      if let session = sessions.session(token), session.belongs(to: cookie) {
        streamed.present.append((session, id))
      } else if SessionToken.isWellFormed(token) {
        streamed.gone.append(token)
      }
    }
    guard !streamed.present.isEmpty else { throw Sessions.unknown }
    return streamed
  }

  func stream(_ streamed: StreamedSessions) -> Response {
    let source: any StreamSource
    if let (session, id) = streamed.present.first, streamed.present.count == 1,
      streamed.gone.isEmpty
    {
      source = session.attach(after: EventPosition(field: id))
    } else {
      source = BrowserStream(streamed)
    }
    var response = Response.eventStream(
      streams.counted(source, for: streamed.present.map(\.session.token)))
    response.headers.add("Set-Cookie", knownCookie)
    return response
  }

  private static func list(_ field: String) throws(Problem) -> [String] {
    var items: [String] = []
    let isTooLong = field.firstPart(separatedBy: ",") { item -> Bool? in
      items.append(item.text)
      return items.count > mostStreamed ? true : nil
    }
    guard isTooLong == nil else {
      throw .badRequest("A stream has at most \(mostStreamed) sessions.")
    }
    return items
  }

  private static let mostStreamed = 256

  /// Makes a session and its model, and answers with the page.
  ///
  /// If a page's script requests a new session because the old one has ended, the answer contains
  /// only the session.
  func open(_ page: Page, _ request: Request) throws(Problem) -> Work {
    try RequestGuard.checkPage(
      request, isFramed: !configuration.contentSecurityPolicy.frameAncestors.isEmpty)
    // A HEAD request must not start a session.
    if request.method == .head { return .respond(.html("")) }
    let sent = request.cookie(cookieName).flatMap { BrowserCookies.isWellFormed($0) ? $0 : nil }
    let known = sent.flatMap { newCookie(of: request, replacing: $0) } ?? sent
    if known == nil, mayHaveIdentity(request) { return .respond(arrival(request)) }
    if let known, sessions.renewals.isReplaced(known) {
      if request.acceptsJSON { throw Sessions.replaced }
      return .respond(Self.reloading(after: 1))
    }
    try sessions.checkRoom(
      browser: known, address: request.remoteAddress,
      isReturning: isReturning(known, request))
    let opening = sessions.beginOpening()
    return .concurrent { [self] in
      defer { sessions.endOpening(opening) }
      do {
        let isOwn =
          try known.map { try cookies.isOwn($0) && !sessions.renewals.wasReplaced($0) } ?? false
        let cookie = try isOwn ? known ?? cookies.make() : cookies.make()
        let session = try WebSession(request, cookie: cookie)
        session.account = try await configuration.account(session.browser)
        return try await start(page, session, request, cookie, opening)
      } catch let problem as Problem
        where problem.code == Sessions.replaced.code && !request.acceptsJSON
      {
        // The sessions of the browser ended while the page was being made.
        return Self.reloading(after: 1)
      } catch {
        return response(for: error, to: request)
      }
    }
  }

  /// The new cookie for a page that has started the replacement of its cookie.
  private func newCookie(of request: Request, replacing old: String) -> String? {
    guard request.acceptsJSON, let token = request.headers[Field.session] else { return nil }
    return sessions.renewals.cookie(for: token, replacing: old)
  }

  /// Whether a page from before the server's restart requests a new session.
  ///
  /// Only this server, or one with the same key, can have made the cookie.
  private func isReturning(_ cookie: String?, _ request: Request) -> Bool {
    guard sessions.isBeginning, request.acceptsJSON, let cookie,
      let token = request.headers[Field.session], SessionToken.isWellFormed(token),
      sessions.session(token) == nil
    else { return false }
    return (try? cookies.isOwn(cookie)) ?? false
  }

  /// Makes a model, and reads its first view state.
  @MainActor private func make(
    _ page: Page, _ session: WebSession
  ) async throws -> (HostedModel, HostedModel.Snapshot) {
    let opened = OpenedPage(page, session, self)
    let model = try await OpenedPage.$current.withValue(opened) {
      try await page.makeModel(session)
    }
    return (model, model.snapshot())
  }

  @concurrent private func start(
    _ page: Page, _ webSession: WebSession, _ request: Request, _ browser: String,
    _ opening: Int
  ) async throws -> Response {
    let (model, snapshot) = try await make(page, webSession)
    let state = try snapshot()
    let shared = model.shared?.broadcast
    if let shared { try shared.checkName(in: state) }
    for problem in page.check?.newProblems(in: shared?.completing(state) ?? state) ?? [] {
      configuration.reportError(problem)
    }
    var headers: HTTPHeaders = ["Vary": "Accept"]
    // Setting the cookie with each page renews its lifetime.
    headers.add("Set-Cookie", cookie(browser))
    let build = offlineFiles?.build
    if let build { headers["Causeway-Build"] = build }
    let session = PageSession(
      webSession, model: model, initial: state, browser: browser, address: request.remoteAddress,
      configuration: configuration, deadlines: sessions.deadlines,
      slowAnswers: sessions.slowAnswers)
    try sessions.add(session, from: opening)
    // The page's script requests a session that replaces its previous one, which may still be
    // alive.
    if let token = request.headers[Field.session], let previous = sessions.session(token),
      previous.belongs(to: request.cookie(cookieName))
    {
      sessions.end(previous)
    }
    var (version, text) = ("1", state.serialized(.html))
    if let shared {
      let (whole, sharedVersion) = shared.completing(text)
      (version, text) = ("1 \(EventPosition.shared(sharedVersion))", whole)
    }
    if request.acceptsJSON {
      var document = Array(
        #"{"session":"\#(session.token)","version":"\#(version)","owner":"\#(webSession.owner)","#
          .utf8)
      if let build { document += Array(#""build":"\#(build)","#.utf8) }
      document += Array(#""state":"#.utf8)
      document += text
      document.append(UInt8(ascii: "}"))
      return Response(.ok, type: "application/json", bytes: document, headers: headers)
    }
    return Response(
      .ok, type: "text/html; charset=utf-8",
      bytes: page.template.render(
        token: session.token, version: version, owner: webSession.owner,
        heartbeat: configuration.heartbeat, zone: webSession.zoneName,
        manifest: configuration.offline.map { _ in OfflineFiles.manifestPath }, state: text),
      headers: headers)
  }

  func session(of request: Request) throws(Problem) -> PageSession {
    guard let token = request.headers[Field.session] else {
      throw Problem(
        .unauthorized, code: "no-session",
        detail: "The field \(Field.session) must name the page's session.",
        headers: ["WWW-Authenticate": "Causeway"])
    }
    guard let session = sessions.session(token),
      session.belongs(to: request.cookie(cookieName))
    else { throw Sessions.unknown }
    return session
  }
}

/// The size of the texts in an action.
enum ActionTexts {
  /// Throws if a text of a JSON document is longer than the limit.
  ///
  /// It need not be well-formed. Complexity: O(n), without copies.
  static func check(_ body: Data, limit: Int) throws(Problem) {
    guard body.count > limit else { return }
    var length: Int?
    var isEscaped = false
    for byte in body {
      guard let known = length else {
        if byte == UInt8(ascii: "\"") { length = 0 }
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped {
        length = nil
        continue
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      length = known + 1
      if known >= limit {
        throw Problem(
          .contentTooLarge, code: "bad-action",
          detail: "A text in an action must not be larger than \(limit) bytes.")
      }
    }
  }
}

/// An action whose header fields are valid.
struct AdmittedAction: Sendable {
  let session: PageSession
  let number: ActionNumber
  let allowsGap: Bool
}
