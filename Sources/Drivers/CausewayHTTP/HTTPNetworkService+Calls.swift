import CausewayBasics
import CausewayNetwork
import Foundation

extension HTTPNetworkService {
  /// Sends a request as often as ``CallPlan`` decides.
  func perform(
    _ request: NetworkRequest, deadline: Duration?, _ progress: NetworkProgress.Observer?,
    path: String? = nil, sink: ExchangeState.Sink
  ) async throws -> NetworkResponse {
    try await signaling(request) {
      let download = path.map(Download.init)
      do {
        return try await performUnobserved(
          request, deadline: deadline, progress, download, sink: sink)
      } catch {
        await discard(download)
        throw error
      }
    }
  }

  /// This does not run on the caller's actor, because it deletes a file.
  @concurrent private func discard(_ download: Download?) async {
    download?.discard()
  }

  private func performUnobserved(
    _ request: NetworkRequest, deadline: Duration?, _ progress: NetworkProgress.Observer?,
    _ download: Download?, sink: ExchangeState.Sink
  ) async throws -> NetworkResponse {
    let end = deadline.map { transport.surroundings.now() + $0 }
    var plan = CallPlan(
      retry: configuration.retry, isRepeatable: request.isRepeatable, end: end)
    var token = try await noting { try await self.token(for: request) }
    while true {
      let length = download?.length ?? 0
      let outcome = await attempt(
        request, token: token, download, sink: sink, end: end, progress: progress)
      if case .failure = outcome, Task.isCancelled {
        // An outbox or an engine cancels a request that takes too long.
        contacts.noteFailure(NetworkError(.timedOut, message: "cancelled"), of: .current)
      }
      // The system reports a cancellation with its own error type.
      try Task.checkCancellation()
      let failure: NetworkError
      switch outcome {
      case .success(let response):
        let refusal = self.failure(of: response, to: request, token: token)
        contacts.noteAnswer(refusal, of: .current, at: transport.surroundings.now())
        guard let refusal else { return response }
        failure = refusal
      case .failure(let error):
        contacts.noteFailure(error, of: .current)
        failure = located(error, request)
      }
      if failure.status == 416, download?.restartAfterRefusal() == true { continue }
      // A download over a bad connection continues as long as each request receives a part of it.
      if let download, download.length > length { plan.noteProgress() }
      let step = plan.next(
        after: failure, sentToken: token != nil, at: transport.surroundings.now(),
        random: transport.surroundings.random())
      switch step {
      case .fail(let error):
        throw error
      case .refresh:
        token = try await noting { try await newToken(instead: token, for: request) }
      case .wait(let delay):
        try await transport.surroundings.sleep(delay)
      }
    }
  }

  /// Gets a token; notes if the server that issues tokens cannot be reached.
  private func noting(_ token: () async throws -> AuthToken?) async throws -> AuthToken? {
    do {
      return try await token()
    } catch let error as NetworkError {
      contacts.noteFailure(error, of: .current)
      throw error
    }
  }

  /// This does not run on the caller's actor, because it creates and stores files.
  @concurrent private func attempt(
    _ request: NetworkRequest, token: AuthToken?, _ download: Download?, sink: ExchangeState.Sink,
    end: Duration?, progress: NetworkProgress.Observer?
  ) async -> Result<NetworkResponse, NetworkError> {
    do {
      var request = request
      if let download {
        request.headers = request.headers.merging(try download.prepare(request))
      }
      let exchange = Exchange(
        sink: sink, download: download, isHead: request.method == .head,
        redirects: RedirectRule(limit: configuration.redirectLimit), progress: progress,
        now: transport.surroundings.now)
      transport.start(
        try wireRequest(for: request, token: token), exchange: exchange,
        timeout: request.timeout ?? configuration.timeout, end: end)
      return .success(try await exchange.wholeResponse())
    } catch let error as NetworkError {
      return .failure(error)
    } catch {
      return .failure(NetworkError(.other, message: String(describing: error)))
    }
  }

  /// Returns the token for a request; `nil` if the request needs none.
  ///
  /// An expired token is replaced first, which saves a request that the server would refuse.
  func token(for request: NetworkRequest) async throws -> AuthToken? {
    guard request.isAuthorized, let session else { return nil }
    let token: AuthToken?
    do {
      token = try await session.token()
    } catch let error as AuthSessionError {
      throw failure(of: error, request)
    }
    if let owner = token?.account, let account = SessionTicket.runningAccount, owner != account {
      throw located(
        NetworkError(
          .notSignedIn, message: "the account of the request is no longer signed in"), request)
    }
    // Without a refresh token, only the server can tell that the token has expired: the clock of
    // this device may be wrong.
    guard let token, let expiry = token.expiry, expiry <= SystemValues.date, token.refresh != nil
    else { return token }
    do {
      return try await session.token(replacing: token)
    } catch AuthSessionError.refreshFailed {
      return token
    } catch let error as AuthSessionError {
      throw failure(of: error, request)
    }
  }

  /// Returns a new token after the server has refused one.
  func newToken(instead refused: AuthToken?, for request: NetworkRequest) async throws -> AuthToken?
  {
    guard let session, let refused else { return nil }
    do {
      return try await session.token(replacing: refused)
    } catch let error as AuthSessionError {
      throw failure(of: error, request)
    }
  }

  /// Returns the error of a request for which there is no token.
  private func failure(of error: AuthSessionError, _ request: NetworkRequest) -> NetworkError {
    let failure =
      switch error {
      case .signedOut, .ended, .refused:
        NetworkError(.notSignedIn, message: error.description, status: 401)
      case .refreshFailed, .store:
        NetworkError(.tokenUnavailable, message: error.description)
      }
    return located(failure, request)
  }

  /// Returns the error of a response; `nil` for a success.
  func failure(
    of response: NetworkResponse, to request: NetworkRequest, token: AuthToken?
  ) -> NetworkError? {
    guard !(200...299).contains(response.status) else {
      return request.problem(of: response).map { located($0, request) }
    }
    var failure = NetworkError(
      .status, message: "the server answered \(response.status)", status: response.status,
      bodyExcerpt: request.isAnswerSecret
        ? nil : NetworkError.excerpt(of: response.body, hiding: token?.access),
      retryAfter: RetryAfter.duration(of: response.headers, now: SystemValues.date))
    failure.refusesToken = response.refusesToken
    if response.status == 304 { failure.confirmation = response.headers }
    return located(failure, request)
  }

  /// Returns the error with the method and the address of its request.
  func located(_ error: NetworkError, _ request: NetworkRequest) -> NetworkError {
    var error = error
    error.method = request.method
    error.url = NetworkError.redacted(request.address(below: configuration.address.absoluteString))
    return error
  }

  /// Makes the request that is sent to the server.
  ///
  /// - Throws: `NetworkError` of kind `invalidRequest` or `file`.
  func wireRequest(
    for request: NetworkRequest, token: AuthToken?
  ) throws(NetworkError) -> WireRequest {
    let base = configuration.address.absoluteString
    if let problem = request.problem(below: base) { throw problem }
    let address = request.address(below: base)
    guard let url = URL(string: address), url.host != nil,
      ["http", "https"].contains(url.scheme?.lowercased())
    else {
      throw located(
        NetworkError(.invalidRequest, message: "the service's address is not a web address"),
        request)
    }
    // The paths of requests are appended to the address, so they would become a part of its query.
    guard configuration.address.query == nil, configuration.address.fragment == nil else {
      throw located(
        NetworkError(
          .invalidRequest, message: "the service's address has a query or a fragment"), request)
    }
    var headers = configuration.headers.merging(request.headers)
    switch request.body {
    case .none: break
    case .bytes(_, let type): headers["content-type"] = headers["content-type"] ?? type
    case .file(let path, let type):
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw located(
          NetworkError(.file, message: "the file \(path) to send cannot be read"), request)
      }
      headers["content-type"] = headers["content-type"] ?? type
    }
    if let key = request.idempotencyKey { headers["idempotency-key"] = key.rawValue }
    if let token { headers["authorization"] = "Bearer \(token.access)" }
    if let problem = headers.problem {
      throw located(NetworkError(.invalidRequest, message: problem), request)
    }
    var wire = WireRequest(
      method: request.method, url: url, headers: headers, body: request.body,
      isRepeatable: request.isRepeatable)
    if headers["accept-encoding"] == "identity" { wire.acceptsCompression = false }
    return wire
  }
}
