import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import Testing

@testable import HarborApp
@testable import HarborBackend

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A backend, a device that is signed in to the account of this machine, and its pages, all in this
/// process.
@MainActor struct LocalHarbor {
  let device: Device
  /// The database of the backend.
  let store: InMemoryPersistenceService
  /// The addresses of the two servers.
  let backend, pages: String

  /// Runs a body and closes everything afterwards.
  ///
  /// - Parameters:
  ///   - now: The clock of the servers' limits.
  ///   - network: Returns the network service for the device; gets the usual one.
  static func with(
    _ limits: WebServerLimits = .init(), quotas: Quotas = Quotas(),
    creationsPerMinute: Int = 1_200,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    network: @escaping @Sendable (any NetworkService) -> any NetworkService = { $0 },
    _ body: @MainActor (LocalHarbor) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let data = DataDirectory(path: directory.path)
    try data.prepare()
    let shutdown = ShutdownSequence()
    do {
      var configuration = WebServerConfiguration(port: 0)
      configuration.limits = limits
      configuration.now = now
      // Many servers of the tests share the limit of open files.
      configuration.limits.connections = min(limits.connections, 1_000)
      // A test can be several clients, by the header field of a proxy.
      configuration.trustedProxies = ["127.0.0.1"]
      let store = try InMemoryPersistenceService(migrations: BackendMigrations.all)
      let backend = Backend(store: store, configuration: configuration, quotas: quotas)
      let address = try await backend.start()
      shutdown.add("backend") { await backend.stop(deadline: .seconds(5)) }
      var environment = Device.Environment(
        directory: data, server: try #require(URL(string: address)),
        localTokens: { try await backend.localTokens(sample: nil) }, report: { _ in })
      environment.creationsPerMinute = creationsPerMinute
      environment.network = { [make = environment.network] in network(make($0)) }
      let device = try await Device.open(environment, shutdown)
      let server = WebServer(configuration: configuration)
      try HarborPages(device).serve(on: server)
      let pages = try await server.start().url
      shutdown.add("pages") { await server.stop(deadline: .seconds(5)) }
      try await body(
        LocalHarbor(device: device, store: store, backend: address, pages: pages))
    } catch {
      await shutdown.run()
      throw error
    }
    #expect(await shutdown.run().isEmpty)
  }
}

/// A request to one of the servers that no page or device would send.
struct PlainRequest: Sendable {
  var method = "GET"
  /// The address with its path, which is sent unchanged.
  var address: String
  var headers: [String: String] = [:]
  var body: Data?

  struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var body: Data
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  func answer() async throws -> Answer {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.timeoutIntervalForRequest = 600
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: try #require(URL(string: address)))
    // Sanitizers and a busy machine delay answers.
    request.timeoutInterval = 600
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await session.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    let fields = answer.allHeaderFields.map { ("\($0)".lowercased(), "\($1)") }
    return Answer(
      status: answer.statusCode, headers: Dictionary(fields) { first, _ in first }, body: body)
  }
}
