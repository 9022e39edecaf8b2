public import Foundation
import Synchronization

extension WebServer {
  /// Answers a request that another server or a test has received.
  ///
  /// The server need not be started: it then has no socket, and another server can serve its routes
  /// and pages. The request passes the same checks as with a socket: host, origin, session, access,
  /// the limits of bodies and sessions. The other server checks the framing of the request, and
  /// limits connections and header fields. Also call ``tendSessions()``, which runs until it is
  /// cancelled.
  ///
  /// Set ``WebServerConfiguration/allowedHosts`` to the public names, and
  /// ``WebServerConfiguration/port`` to the port of the other server, which is a part of the
  /// cookie's name.
  ///
  /// The first call checks the hosted pages, as ``start()`` does.
  ///
  ///     let response = await server.respond(to: Request(.get, "/health"))
  ///
  /// <doc:OtherServers> shows the whole bridge for Hummingbird and for Vapor.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - readBody: Reads the body, which must not be longer than the limit that it receives. It is
  ///     not called if the header fields are refused. A `Problem` that it throws is the answer. Any
  ///     other error is answered like a body beyond the limit.
  /// - Returns: The response with the security fields and, if it is known, `Content-Length`. It is
  ///   compressed if the client accepts that. The response to `HEAD` has no body.
  public func respond(
    to request: Request, readingBody readBody: (_ limit: Int) async throws -> Data = { _ in Data() }
  ) async -> Response {
    site.checkPagesOnce()
    let started = ContinuousClock.now
    var request = request
    var held = (bytes: 0, owners: [String]())
    var response: Response
    do throws(Problem) {
      let (endpoint, limit) = try site.endpoint(for: &request)
      request.body = try await Self.body(within: limit, readBody)
      held = (request.body.count, site.owners(of: request))
      try site.bodies.withLock { bodies throws(Problem) in
        do throws(Problem) {
          try bodies.reserve(held.bytes, beside: 0, for: held.owners)
        } catch {
          held.bytes = 0
          throw error
        }
      }
      response = await site.answer(endpoint, request)
    } catch {
      response = error.response(to: request)
    }
    site.bodies.withLock { $0.release(held.bytes, for: held.owners) }
    response = site.completed(response)
    let record = AccessRecord(
      method: request.method, path: request.path, route: request.route, status: response.status,
      remoteAddress: request.remoteAddress, bodyBytes: request.body.count, duration: .zero)
    let end: @Sendable () -> Void = { [site] in
      var record = record
      record.duration = ContinuousClock.now - started
      site.record(record)
    }
    response.prepareForReading(
      isHead: request.method == .head, heartbeat: site.configuration.heartbeat,
      in: site.passedStreams, onEnd: end)
    return response
  }

  private static func body(
    within limit: Int, _ read: (Int) async throws -> Data
  ) async throws(Problem) -> Data {
    let body: Data
    do {
      body = try await read(limit)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Site.tooLarge(limit: limit)
    }
    guard body.count <= limit else { throw Site.tooLarge(limit: limit) }
    return body
  }
}

extension Site {
  fileprivate func answer(_ endpoint: Endpoint, _ request: Request) async -> Response {
    switch work(endpoint, request) {
    case .respond(let response): return compressedAsset(response, for: request)
    case .main(let run): return await run()
    case .concurrent(let run): return compression.compressed(await run(), for: request)
    }
  }
}

extension Response {
  /// Prepares a response for ``chunks``.
  fileprivate mutating func prepareForReading(
    isHead: Bool, heartbeat: Duration, in streams: OpenStreams,
    onEnd: @escaping @Sendable () -> Void
  ) {
    if let length = contentLength, status != .noContent, status != .notModified {
      headers["Content-Length"] = String(length)
    }
    guard case .stream(let source) = body else {
      if isHead { body = .empty }
      return onEnd()
    }
    let owned = OwnedSource(source, heartbeat: heartbeat, in: streams, onEnd: onEnd)
    // The answer to a HEAD request does not keep the source, so it is closed here.
    body = isHead ? .empty : .stream(owned)
  }
}
