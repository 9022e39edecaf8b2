extension WebServer {
  /// Answers `GET` with 200 while a check succeeds, and with 503 and the reason otherwise.
  ///
  /// Service managers, containers and load balancers request the route without an account. Only one
  /// check runs at a time: clients that ask while a check runs get its result.
  ///
  ///     server.health { _ = try await store.read { try $0.row("SELECT 1 FROM note", as: Int.self) } }
  ///
  /// - Parameters:
  ///   - path: The path of the route.
  ///   - limit: The time after which a running check is cancelled and counts as failed.
  ///   - check: Uses what the app needs, such as its database. A ``Problem`` that it throws is the
  ///     answer. ``WebServerConfiguration/reportError`` receives all other errors, which clients do not see.
  public func health(
    _ path: String = "/health", within limit: Duration = .seconds(2),
    check: @escaping @concurrent @Sendable () async throws -> Void
  ) {
    let health = HealthCheck(limit: limit, check: check, report: site.configuration.reportError)
    get(path) { _ in
      if let problem = await health.problem() { throw problem }
      return try .json(["status": "ok"])
    }
  }
}

/// Runs one check at a time.
private actor HealthCheck {
  private let limit: Duration
  private let check: @concurrent @Sendable () async throws -> Void
  private let report: @Sendable (any Error) -> Void
  /// The result of the running check.
  ///
  /// The result is available after the limit, even if the check ignores its cancellation.
  private var running: Task<Problem?, Never>?

  init(
    limit: Duration, check: @escaping @concurrent @Sendable () async throws -> Void,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    (self.limit, self.check, self.report) = (limit, check, report)
  }

  func problem() async -> Problem? { await (running ?? begin()).value }

  private func begin() -> Task<Problem?, Never> {
    let (results, result) = AsyncStream<Problem?>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let work = Task { [check, report] in
      do {
        try await check()
        result.yield(nil)
      } catch {
        if !(error is Problem || Task.isCancelled) { report(error) }
        result.yield(error as? Problem ?? Self.unhealthy("The server cannot use what it needs."))
      }
      running = nil
    }
    let deadline = Task { [limit] in
      try await Task.sleep(for: limit)
      work.cancel()
      result.yield(Self.unhealthy("The check of the server has not ended within \(limit)."))
    }
    let outcome = Task { () -> Problem? in
      defer { deadline.cancel() }
      for await problem in results { return problem }
      return nil
    }
    running = outcome
    return outcome
  }

  private static func unhealthy(_ detail: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "unhealthy", detail: detail, headers: ["Retry-After": "1"])
  }
}
