import CausewayBasics
package import CausewayNetwork
import Foundation
import Synchronization

/// Carries requests to servers without the system's network, for simulations.
package protocol RequestCarrier: Sendable {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request with all its header fields.
  ///   - receive: Receives the parts of the answer in order; returns false if it needs no more
  ///     parts.
  /// - Returns: A closure that cancels the request.
  func start(
    _ request: NetworkRequest, receive: @escaping @Sendable (AnswerPart) -> Bool
  ) -> @Sendable () -> Void
}

/// A part of an answer, as it arrives.
package enum AnswerPart: Sendable {
  /// The status and the header fields, and the length of the body in bytes, if it is known.
  case head(NetworkResponse, length: Int?)
  case bytes([UInt8])
  /// The end of the answer; the error is `nil` if the answer is complete.
  case end(NetworkError?)
}

/// Sends requests with a carrier, on the threads of its callers.
final class CarrierTransport: Transport {
  private struct State {
    var isClosed = false
    var last = 0
    /// Closures that end the open requests.
    var open: [Int: @Sendable () -> Void] = [:]
  }

  let surroundings: Surroundings
  private let carrier: any RequestCarrier
  private let state = Mutex(State())

  init(_ carrier: any RequestCarrier, surroundings: Surroundings) {
    self.carrier = carrier
    self.surroundings = surroundings
  }

  var count: Int { state.withLock(\.open.count) }

  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      return state.open.sorted { $0.key < $1.key }
    }
    for (_, end) in open { end() }
  }

  func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?) {
    let closed = NetworkError(.closed, message: "the service was closed")
    let id = state.withLock { state -> Int? in
      if state.isClosed { return nil }
      state.last += 1
      state.open[state.last] = { [weak exchange] in exchange?.cancel(closed) }
      return state.last
    }
    guard let id else { return exchange.cancel(closed) }
    let cancel = carrier.start(request.carried) { [weak self, weak exchange] part in
      guard let exchange else { return false }
      switch part {
      case .head(let response, let length):
        return exchange.didReceive(response, expecting: length) == .proceed
      case .bytes(let bytes):
        return bytes.withUnsafeBytes { exchange.didReceive($0) } == .proceed
      case .end(let error):
        self?.remove(id)
        exchange.didComplete(error)
        return false
      }
    }
    exchange.attach(
      cancelTask: { [weak self] in
        self?.remove(id)
        cancel()
      }, watchdog: surroundings.watch(exchange, timeout: timeout, end: end))
    if case .bytes(let bytes, _) = request.body { exchange.didSend(bytes.count, of: bytes.count) }
  }

  private func remove(_ id: Int) {
    state.withLock { _ = $0.open.removeValue(forKey: id) }
  }
}

extension WireRequest {
  /// The request for a carrier, whose path begins after the host.
  fileprivate var carried: NetworkRequest {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    var request = NetworkRequest(
      method, NetworkPath(stringLiteral: parts?.percentEncodedPath ?? "/"),
      query: parts?.queryItems?.map { .init($0.name, $0.value ?? "") } ?? [], headers: headers,
      body: body)
    request.idempotencyKey = headers["idempotency-key"].map(IdempotencyKey.init(rawValue:))
    request.headers["idempotency-key"] = nil
    return request
  }
}
