import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation

#if DEBUG
  import CausewayWebTesting
#endif

/// The page of a device; with the argument `serve`, the server of all devices.
@main struct Pantry {
  static func main() async throws {
    let signals = ShutdownSignal.received()
    let shutdown = ShutdownSequence()
    let isServer = CommandLine.arguments.contains("serve")
    let server = WebServer(configuration: configuration(port: port(or: isServer ? 8081 : 8080)))
    if isServer {
      try await openBackend(on: server, shutdown)
    } else {
      try await openDevice(on: server, shutdown)
    }
    let address = try await server.start()
    shutdown.add("pages") { await server.stop() }
    print("Listening at \(address.url)")
    for await _ in signals { break }
    for failure in await shutdown.run() { print(failure) }
  }

  private static func openBackend(
    on server: WebServer, _ shutdown: ShutdownSequence
  ) async throws {
    let store = try await SQLiteService(
      path: "\(folder)/server.sqlite", migrations: PantryBackend.migrations)
    shutdown.add("database") { try await store.close() }
    PantryBackend(store: store).serve(on: server)
  }

  private static func openDevice(
    on server: WebServer, _ shutdown: ShutdownSequence
  ) async throws {
    let address = environment["PANTRY_SERVER"] ?? "http://127.0.0.1:8081"
    guard let url = URL(string: address) else { fatalError("\(address) is not an address.") }
    let store = try await SQLiteService(
      path: "\(folder)/device.sqlite", migrations: SyncedPantry.migrations)
    shutdown.add("database") { try await store.close() }
    let pantry = SyncedPantry(store: store, network: HTTPNetworkService(.init(address: url)))
    let work = Task { await pantry.synchronise() }
    shutdown.add("synchronisation") {
      work.cancel()
      await work.value
    }
    try PantryPage.host(pantry, on: server)
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let folder = environment["PANTRY_DATA"] ?? "."

  private static func configuration(port: UInt16) -> WebServerConfiguration {
    var configuration = WebServerConfiguration(port: port)
    #if DEBUG
      configuration.pageCheck = .bindings
    #endif
    return configuration
  }

  /// The port of the variable `PORT`; 0 lets the system choose.
  private static func port(or standard: UInt16) -> UInt16 {
    environment["PORT"].flatMap(UInt16.init) ?? standard
  }
}
