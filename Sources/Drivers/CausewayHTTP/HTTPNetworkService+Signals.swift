import CausewayBasics
import CausewayNetwork
import Foundation

/// The signals of one request, if the data layer has an observer.
struct RequestSignals: Sendable {
  private let number: UInt64
  private let timer: SignalTimer
  private let method: String
  private let address: String

  /// Signals the beginning of a request; `nil` if there is no observer.
  init?(_ service: HTTPNetworkService, _ request: NetworkRequest) {
    guard DataSignals.areObserved else { return nil }
    number = DataSignals.makeRequestNumber()
    timer = SignalTimer()
    method = request.method.rawValue
    address = NetworkError.redacted(
      request.address(below: service.configuration.address.absoluteString))
    DataSignals.send(.request(number: number, method: method, address: address))
  }

  func end(with response: NetworkResponse) { end(.status(response.status)) }

  func end(with error: any Error) {
    switch error {
    case let error as NetworkError: end(.failed("\(error.kind)", status: error.status))
    case is CancellationError: end(.cancelled)
    default: end(.failed("other", status: nil))
    }
  }

  private func end(_ end: DataSignal.RequestEnd) {
    DataSignals.send(
      .response(
        number: number, method: method, address: address, end, took: timer.elapsed))
  }
}

extension HTTPNetworkService {
  /// Sends a request, and signals its beginning and its end.
  func signaling(
    _ request: NetworkRequest, _ send: () async throws -> NetworkResponse
  ) async throws -> NetworkResponse {
    guard let signals = RequestSignals(self, request) else { return try await send() }
    do {
      let response = try await send()
      signals.end(with: response)
      return response
    } catch {
      signals.end(with: error)
      throw error
    }
  }
}
