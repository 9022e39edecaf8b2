package import CausewayBasics
public import CausewayNetwork
import Foundation

/// A network service that uses the system's URL loading, or libcurl on Linux.
///
/// ```swift
/// let network = HTTPNetworkService(.init(address: url), session: authSession)
/// let activities = try await network.value(for: Endpoint<[Activity]>(.get, "/activities"))
/// ```
///
/// Requests run concurrently, and every function may be called from any isolation. Running calls
/// and event streams retain the service; ``close()`` ends them.
public final class HTTPNetworkService: NetworkService {
  /// The address of the server, and the limits of every request to it.
  public let configuration: Configuration
  let session: (any AuthSessionServiceProtocol)?
  let transport: any Transport
  let contacts: LostContacts

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - configuration: The address of the server, and the limits.
  ///   - session: Provides the token for `Authorization: Bearer`, and a new token after a 401.
  ///   - clock: The clock for timeouts and delays.
  public convenience init(
    _ configuration: Configuration,
    session: (any AuthSessionServiceProtocol)? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      configuration, session: session, surroundings: Surroundings(clock: clock),
      transport: .standard)
  }

  package init(
    _ configuration: Configuration,
    session: (any AuthSessionServiceProtocol)?,
    surroundings: Surroundings,
    transport: TransportKind = .standard
  ) {
    self.configuration = configuration
    self.session = session
    self.transport = transport.transport(
      connectionsPerHost: configuration.connectionsPerHost, surroundings: surroundings)
    contacts = LostContacts(followsPath: true)
  }

  /// Makes a service whose requests go through a carrier.
  package init(
    _ configuration: Configuration,
    session: (any AuthSessionServiceProtocol)?,
    surroundings: Surroundings,
    carrier: any RequestCarrier
  ) {
    self.configuration = configuration
    self.session = session
    transport = CarrierTransport(carrier, surroundings: surroundings)
    contacts = LostContacts(followsPath: false)
  }

  /// Ends all calls and event streams.
  ///
  /// These calls, and all later calls, fail with an error of kind `closed`.
  ///
  /// This function does not wait. A second call does nothing.
  public func close() {
    transport.close()
  }

  /// The coding of the JSON bodies of typed endpoints.
  public var coding: JSONCoding { configuration.coding }

  /// The number of requests that have not ended.
  package var openCount: Int { transport.count }

  /// Sends a request and returns the complete response.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    let sink = ExchangeState.Sink.memory(limit: request.bodyLimit ?? configuration.bodyLimit)
    return try await perform(request, deadline: configuration.deadline, progress, sink: sink)
  }

  /// Sends a request and stores the body of the response in a file.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  public func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    let sink = ExchangeState.Sink.file(limit: request.bodyLimit ?? configuration.downloadLimit)
    return try await perform(request, deadline: nil, progress, path: path, sink: sink)
  }
}
