import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// A service for a server on this machine, with delays without jitter.
func makeService(
  _ server: RawServer, transport: TransportKind = .standard,
  clock: some Clock<Duration> = ContinuousClock(),
  session: (any AuthSessionServiceProtocol)? = nil,
  _ change: (inout HTTPNetworkService.Configuration) -> Void = { _ in }
) throws -> HTTPNetworkService {
  try makeService(
    at: server.address, transport: transport, clock: clock, session: session, change)
}

/// A service for an address on this machine, whose delays have no random part.
///
/// The time limits of the real clock are an hour, because the test can be slow on a busy machine.
func makeService(
  at address: String, transport: TransportKind,
  clock: some Clock<Duration> = ContinuousClock(),
  session: (any AuthSessionServiceProtocol)? = nil,
  _ change: (inout HTTPNetworkService.Configuration) -> Void = { _ in }
) throws -> HTTPNetworkService {
  var configuration = HTTPNetworkService.Configuration(
    address: try #require(URL(string: address)))
  configuration.retry = NetworkRetryPolicy(
    attempts: 3, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
  configuration.timeout = .seconds(3_600)
  if clock is ContinuousClock {
    configuration.events.connecting = .seconds(3_600)
    configuration.events.silence = .seconds(3_600)
  }
  change(&configuration)
  return HTTPNetworkService(
    configuration, session: session, surroundings: Surroundings(clock: clock, random: { 0 }),
    transport: transport)
}

extension TransportKind {
  /// For tests in which the client cancels a running request.
  ///
  /// On Linux the system's URL loading sometimes leaves such a connection open. It then uses one
  /// core until the process ends.
  static var cancelling: [Self] { [.standard] }
}

/// The error that a call threw.
func failure(
  of call: () async throws -> some Any
) async -> NetworkError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? NetworkError
  }
}

struct Berth: Codable, Equatable, Sendable {
  var name: String
  var depth: Double
}
