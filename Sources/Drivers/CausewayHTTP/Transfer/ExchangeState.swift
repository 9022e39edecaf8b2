import CausewayNetwork

/// The state of a running request, as a value.
///
/// Its functions take events and return commands, which ``Exchange`` performs.
struct ExchangeState {
  /// The destination of the body.
  enum Sink {
    /// Into memory, up to a limit in bytes.
    case memory(limit: Int)
    /// Into a file, up to a limit in bytes.
    case file(limit: Int)
    /// To a consumer.
    ///
    /// The limit is the number of bytes that can wait for the consumer.
    case stream(limit: Int)
  }

  enum Command: Equatable {
    case proceed
    case write
    /// The consumer is slow.
    ///
    /// The transport must deliver the same bytes again later.
    case pause
    case cancel
  }

  /// The largest part of an error's body that is kept, in bytes.
  ///
  /// It is long enough for the excerpt in the error.
  static let errorBodyLimit = 65_536

  let sink: Sink
  let isHead: Bool
  private(set) var response: NetworkResponse?
  /// The time of the last event.
  ///
  /// Timeouts are counted from this time.
  private(set) var lastActivity: Duration = .zero
  private(set) var receivedCount = 0
  private(set) var expectedCount: Int?
  /// The number of bytes that earlier responses have delivered.
  private(set) var offset = 0
  private(set) var outcome: Result<Void, NetworkError>?
  private(set) var isCancelled = false
  /// Whether reading is paused until the consumer takes the waiting bytes.
  private(set) var isPaused = false

  init(sink: Sink, isHead: Bool) {
    self.sink = sink
    self.isHead = isHead
  }

  /// Whether the status is a success, so the body is the requested one.
  var isSuccess: Bool { response.map { (200...299).contains($0.status) } ?? false }

  mutating func noteActivity(at time: Duration) {
    lastActivity = time
  }

  /// Receives the status and the header fields.
  ///
  /// - Parameters:
  ///   - head: The response without its body.
  ///   - length: The announced length of the body.
  ///   - offset: The position of the body in the content.
  mutating func receive(
    _ head: NetworkResponse, expecting length: Int?, from offset: Int = 0
  ) -> Command {
    guard outcome == nil else { return .cancel }
    response = head
    expectedCount = length
    self.offset = offset
    if let length, !isHead, isSuccess, let limit, length > limit - offset {
      return fail(tooLarge(limit))
    }
    if case .memory = sink, let length, let limit {
      response?.body.reserveCapacity(min(length, limit, 1 << 20))
    }
    return .proceed
  }

  /// Receives a part of the body.
  ///
  /// - Parameters:
  ///   - bytes: The part.
  ///   - canPause: Whether the transport can pause the connection for a slow consumer.
  mutating func receive(_ bytes: some Collection<UInt8>, canPause: Bool) -> Command {
    guard outcome == nil, let waiting = response?.body.count else { return .cancel }
    // The first part is accepted even if it exceeds the limit. Otherwise the consumer would wait
    // forever.
    if canPause, isSuccess, case .stream(let limit) = sink, waiting > 0,
      waiting + bytes.count > limit
    {
      isPaused = true
      return .pause
    }
    receivedCount += bytes.count
    if !isSuccess {
      response?.body.append(contentsOf: bytes)
      guard receivedCount > Self.errorBodyLimit else { return .proceed }
      // The excerpt needs no more bytes, so the response counts as complete.
      response?.body.removeLast(receivedCount - Self.errorBodyLimit)
      outcome = .success(())
      return cancelled()
    }
    switch sink {
    case .file(let limit):
      return receivedCount > limit - offset ? fail(tooLarge(limit)) : .write
    case .memory(let limit):
      if receivedCount > limit { return fail(tooLarge(limit)) }
    case .stream(let limit):
      // The consumer first reads the waiting bytes, and then gets this failure. The stream then
      // resumes after these bytes.
      if !canPause, waiting + bytes.count > limit {
        return fail(
          NetworkError(
            .connectionLost, message: "more than \(limit) bytes of the stream were waiting"))
      }
    }
    response?.body.append(contentsOf: bytes)
    return .proceed
  }

  /// Returns the bytes that have arrived, and removes them.
  mutating func takeBytes() -> [UInt8] {
    guard let bytes = response?.body, !bytes.isEmpty else { return [] }
    response?.body = []
    isPaused = false
    return bytes
  }

  /// Ends the exchange, with success or with the failure that the system reports.
  mutating func complete(_ failure: NetworkError?) {
    guard outcome == nil else { return }
    if let failure {
      outcome = .failure(failure)
    } else if response == nil {
      outcome = .failure(
        NetworkError(.connectionLost, message: "the server closed the connection without an answer")
      )
    } else if let expectedCount, !isHead, receivedCount < expectedCount, !isEncoded {
      outcome = .failure(
        NetworkError(
          .connectionLost,
          message: "the server promised \(expectedCount) bytes and sent \(receivedCount)"))
    } else {
      outcome = .success(())
    }
  }

  /// Ends the exchange before it is complete.
  ///
  /// If it has already ended, the first outcome is kept.
  mutating func fail(_ error: NetworkError) -> Command {
    if outcome == nil { outcome = .failure(error) }
    return cancelled()
  }

  private mutating func cancelled() -> Command {
    if isCancelled { return .proceed }
    isCancelled = true
    return .cancel
  }

  /// Whether the body is packed.
  ///
  /// The announced length then counts packed bytes, but the received bytes are unpacked.
  private var isEncoded: Bool {
    response?.headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false
  }

  private var limit: Int? {
    switch sink {
    case .memory(let limit), .file(let limit): limit
    case .stream: nil
    }
  }

  private func tooLarge(_ limit: Int) -> NetworkError {
    NetworkError(.tooLarge, message: "the body is larger than \(limit) bytes")
  }
}
