import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation

#if DEBUG
  import CausewayWebTesting
#endif

/// The pages, and the server of the recordings beside them.
@main struct Program {
  static func main() async throws {
    let signals = ShutdownSignal.received()  // first, so no signal ends the start half-way
    let shutdown = ShutdownSequence()
    let archive = try await ServerArchive(
      network: HTTPNetworkService(.init(address: archiveAddress(shutdown))),
      store: database("recordings", ServerArchive.migrations, shutdown))
    let kept = try await KeptMeetings.open(
      in: database("meetings", KeptMeetings.migrations, shutdown))
    shutdown.add("unsaved meetings") { try await kept.close() }
    var configuration = WebServerConfiguration(port: port("PORT", or: 8080))
    #if DEBUG
      configuration.pageCheck = .bindings
    #endif
    let pages = WebServer(configuration: configuration)
    try MeetingsPage(
      meetings: kept.shared, archive: archive,
      transcriber: ListeningTranscriber(library: SampleSpeech())
    ).host(on: pages)
    let address = try await pages.start()
    shutdown.add("pages") { await pages.stop() }
    print("Meetings at \(address.url)")
    for await _ in signals { break }
    for failure in await shutdown.run() { print(failure) }
  }

  /// The address of the variable, or of a server in this process.
  private static func archiveAddress(_ shutdown: ShutdownSequence) async throws -> URL {
    var address = environment["MEETINGS_ARCHIVE"] ?? ""
    if address.isEmpty {
      let server = WebServer(configuration: .init(port: port("ARCHIVE_PORT", or: 8090)))
      RecordingServer(store: try await database("server", RecordingServer.migrations, shutdown))
        .serve(on: server)
      address = try await server.start().url
      shutdown.add("server") { await server.stop() }
      print("Recordings at \(address)")
    }
    guard let url = URL(string: address) else { fatalError("\(address) is not an address.") }
    return url
  }

  private static func database(
    _ name: String, _ migrations: [Migration], _ shutdown: ShutdownSequence
  ) async throws -> SQLiteService {
    let store = try await SQLiteService(path: "\(folder)/\(name).sqlite", migrations: migrations)
    shutdown.add(name) { try await store.close() }
    return store
  }

  /// The port of a variable; 0 lets the system choose.
  private static func port(_ name: String, or standard: UInt16) -> UInt16 {
    environment[name].flatMap(UInt16.init) ?? standard
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let folder = environment["MEETINGS_DATA"] ?? "."
}
