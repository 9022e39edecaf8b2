import CausewayData

/// The state of a running request, as a value.
///
/// Its functions take events and return commands, which ``Exchange`` performs.
struct ExchangeState {
  /// Where the body goes.
  enum Sink {
    /// Into memory, up to a number of bytes.
    case memory(limit: Int)
    /// Into a file, up to a number of bytes.
    case file(limit: Int)
    /// To a consumer; up to a number of bytes may wait for it.
    case stream(limit: Int)
  }

  enum Command: Equatable {
    case proceed
    case write
    /// The consumer lags: the bytes were not taken and have to be offered again.
    case pause
    case cancel
  }

  /// An error body is cut off here; enough for its excerpt.
  static let errorBodyLimit = 65_536

  let sink: Sink
  let isHead: Bool
  private(set) var response: NetworkResponse?
  /// Counts arriving bytes, to detect a standstill.
  private(set) var lastActivity: Duration = .zero
  private(set) var receivedCount = 0
  private(set) var expectedCount: Int?
  private(set) var outcome: Result<Void, NetworkError>?
  private(set) var isCancelled = false
  /// Whether nothing is read until the consumer takes what waits.
  private(set) var isPaused = false

  init(sink: Sink, isHead: Bool) {
    self.sink = sink
    self.isHead = isHead
  }

  /// Whether the body of the answer is the one that was asked for.
  var isSuccess: Bool { response.map { (200...299).contains($0.status) } ?? false }

  mutating func noteActivity(at time: Duration) {
    lastActivity = time
  }

  /// The status and the header fields are there.
  mutating func receive(_ head: NetworkResponse, expecting length: Int?) -> Command {
    guard outcome == nil else { return .cancel }
    response = head
    expectedCount = length
    if let length, !isHead, isSuccess, let limit, length > limit {
      return fail(tooLarge(limit))
    }
    if case .memory = sink, let length, let limit {
      response?.body.reserveCapacity(min(length, limit, 1 << 20))
    }
    return .proceed
  }

  /// A part of the body is there.
  ///
  /// - Parameters:
  ///   - bytes: The part.
  ///   - canPause: Whether the connection can wait for a consumer that lags.
  mutating func receive(_ bytes: some Collection<UInt8>, canPause: Bool) -> Command {
    guard outcome == nil, let waiting = response?.body.count else { return .cancel }
    // However small the limit, something has to wait for the consumer to begin with.
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
      // Nobody needs the rest: the answer is complete as it is.
      response?.body.removeLast(receivedCount - Self.errorBodyLimit)
      outcome = .success(())
      return cancelled()
    }
    switch sink {
    case .file(let limit):
      return receivedCount > limit ? fail(tooLarge(limit)) : .write
    case .memory(let limit):
      if receivedCount > limit { return fail(tooLarge(limit)) }
    case .stream(let limit):
      // What has waited is read before the failure; then the stream resumes after it.
      if !canPause, waiting + bytes.count > limit {
        return fail(
          NetworkError(
            .connectionLost, message: "more than \(limit) bytes of the stream were waiting"))
      }
    }
    response?.body.append(contentsOf: bytes)
    return .proceed
  }

  /// The consumer of a stream takes away what has arrived.
  mutating func takeBytes() -> [UInt8] {
    guard let bytes = response?.body, !bytes.isEmpty else { return [] }
    response?.body = []
    isPaused = false
    return bytes
  }

  /// Everything is there, or the system reports a failure.
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

  /// Ends it before it is complete; the first end counts.
  mutating func fail(_ error: NetworkError) -> Command {
    if outcome == nil { outcome = .failure(error) }
    return cancelled()
  }

  private mutating func cancelled() -> Command {
    if isCancelled { return .proceed }
    isCancelled = true
    return .cancel
  }

  /// With an encoding the length counts what was sent, not what arrives here.
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
