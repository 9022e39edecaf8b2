import CausewayBasics
public import CausewayNetwork

/// The event stream of one request: performs the steps of ``EventReconnection``.
///
/// It has one consumer, and reads only when the consumer requests an event. Therefore only a few
/// bytes wait for a slow consumer.
actor EventSubscription {
  private let service: HTTPNetworkService
  private let request: NetworkRequest
  private var reconnection: EventReconnection
  private var step = EventReconnection.Step.connect
  private var parser: EventStreamParser
  private var exchange: Exchange?
  /// Events that were read and not yet returned, in reverse order.
  private var waiting: [NetworkEvent] = []
  /// The token of the last connection.
  private var token: AuthToken?
  private var isAsked = false
  private let connection: NetworkConnection.Observer
  private let contact = ServerContact.current
  /// The last reported state of the connection.
  private var reported: NetworkConnection?

  init(
    _ service: HTTPNetworkService, _ request: NetworkRequest, reconnects: Bool,
    connection: @escaping NetworkConnection.Observer
  ) {
    self.service = service
    self.request = request
    self.connection = connection
    let policy = service.configuration.events
    reconnection = EventReconnection(policy.reconnecting, isAllowed: reconnects)
    parser = EventStreamParser(eventLimit: policy.eventLimit)
  }

  deinit {
    // The consumer has released the stream.
    if let reported, reported != .closed { connection(.closed) }
  }

  /// Returns the next event; `nil` at the end and when the task is cancelled.
  func next() async throws -> NetworkEvent? {
    guard !isAsked else {
      throw NetworkError(.invalidRequest, message: "an event stream has one consumer at a time")
    }
    isAsked = true
    defer { isAsked = false }
    do {
      while waiting.isEmpty {
        guard try await advance() else { return nil }
      }
      return waiting.popLast()
    } catch {
      exchange = nil
      step = .finish
      report(.closed)
      if Task.isCancelled { return nil }
      throw error
    }
  }

  /// Performs one step.
  ///
  /// Returns false if the stream has ended.
  private func advance() async throws -> Bool {
    switch step {
    case .connect:
      report(.connecting)
      step = try await connect()
      if step == .read { report(.open) }
    case .read:
      step = try await read()
    case .refresh:
      step = try await refresh()
    case .wait(let delay):
      exchange = nil
      report(.waiting(delay))
      try await service.transport.surroundings.sleep(delay)
      step = .connect
    case .finish:
      exchange = nil
      report(.closed)
      return false
    case .fail(let error):
      throw service.located(error, request)
    }
    return true
  }

  private func report(_ state: NetworkConnection) {
    guard state != reported else { return }
    reported = state
    connection(state)
  }

  private func connect() async throws -> EventReconnection.Step {
    do {
      // Other requests may have replaced the token many times since the last connection.
      let token = try await service.token(for: request)
      if let last = self.token, token?.account != last.account {
        throw service.located(
          NetworkError(
            .notSignedIn, message: "the account of the stream is no longer signed in"), request)
      }
      self.token = token
    } catch let error as NetworkError {
      return gotNoToken(error)
    }
    let policy = service.configuration.events
    var request = request
    request.headers["accept"] = "text/event-stream"
    request.headers["cache-control"] = "no-store"
    if !parser.lastEventID.isEmpty { request.headers["last-event-id"] = parser.lastEventID }
    parser = EventStreamParser(lastEventID: parser.lastEventID, eventLimit: policy.eventLimit)
    var wire = try service.wireRequest(for: request, token: token)
    wire.acceptsCompression = false
    let exchange = Exchange(
      sink: .stream(limit: policy.waitingLimit),
      redirects: RedirectRule(limit: service.configuration.redirectLimit),
      now: service.transport.surroundings.now)
    self.exchange = exchange
    // The signals end with the head of the response, because the stream itself may never end.
    let signals = RequestSignals(service, request)
    service.transport.start(
      wire, exchange: exchange, timeout: min(policy.connecting, policy.silence), end: nil)
    do {
      var response = try await exchange.head()
      if response.status / 100 != 2 { response = try await exchange.wholeResponse() }
      signals?.end(with: response)
      exchange.setSilenceLimit(policy.silence(after: response))
      let failure = service.failure(of: response, to: request, token: token)
      service.contacts.noteAnswer(failure, of: contact, at: service.transport.surroundings.now())
      return reconnection.opened(
        response, failure: failure, sentToken: token != nil,
        random: service.transport.surroundings.random())
    } catch {
      signals?.end(with: error)
      guard let error = error as? NetworkError else { throw error }
      return closed(error)
    }
  }

  /// The connection has failed.
  private func closed(_ error: NetworkError) -> EventReconnection.Step {
    service.contacts.noteFailure(error, of: contact)
    return reconnection.closed(error, random: service.transport.surroundings.random())
  }

  private func gotNoToken(_ error: NetworkError) -> EventReconnection.Step {
    service.contacts.noteFailure(error, of: contact)
    return reconnection.gotNoToken(error, random: service.transport.surroundings.random())
  }

  private func refresh() async throws -> EventReconnection.Step {
    do {
      token = try await service.newToken(instead: token, for: request)
      return .connect
    } catch let error as NetworkError {
      return gotNoToken(error)
    }
  }

  private func read() async throws -> EventReconnection.Step {
    do {
      guard let bytes = try await exchange?.nextBytes() else {
        return reconnection.closed(nil, random: service.transport.surroundings.random())
      }
      let events = parser.parse(bytes)
      if let time = parser.reconnectionTime { reconnection.setReconnectionTime(time) }
      if !events.isEmpty { reconnection.received() }
      waiting = events.reversed()
      if let failure = parser.failure {
        exchange = nil
        return .fail(NetworkError(.eventStream, message: failure.description))
      }
      return .read
    } catch let error as NetworkError {
      return closed(error)
    }
  }
}

extension HTTPNetworkService {
  /// Returns the events of a server-sent event stream, and reports the state of its connection.
  ///
  /// A response with status 204 ends the stream.
  ///
  /// - Parameters:
  ///   - request: The request to send. The service sets its `accept` field.
  ///   - reconnects: Whether the stream connects again after a lost connection. It then waits, and
  ///     resumes after the last event with `Last-Event-ID`. Otherwise it throws.
  ///   - connection: Receives each state, in order, on any thread. It must not block.
  /// - Returns: A stream that throws `NetworkError` when the server refuses the request
  ///   permanently.
  public func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    let subscription = EventSubscription(
      self, request, reconnects: reconnects, connection: connection)
    return NetworkEventStream { try await subscription.next() }
  }
}
