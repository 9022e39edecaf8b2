import Causeway
import CausewayData
import CausewayInspector
import CausewaySQLite
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborBackend
import HarborDomain
import HarborFeatures
import HarborMail

#if DEBUG
  import CausewayWebTesting
#endif

/// All parts of Harbor that one process runs: the backend, a device, and pages.
struct HarborServer: Sendable {
  private let shutdown: ShutdownSequence
  /// The address of the page.
  let url: String
  /// The address of the inspector, if there is one.
  let inspector: String?

  /// Opens the databases and starts the servers.
  ///
  /// - Throws: ``StartError``. In this case, everything is closed again.
  ///   ``StartError/cancelled`` if the task was cancelled and nothing failed.
  init(
    options: Options, directory: DataDirectory, log: ServerLog = ServerLog(level: .off)
  ) async throws(StartError) {
    // A process on PostgreSQL stores nothing in the directory, except for an inspector. So several
    // processes can run on a machine.
    if options.databaseServer == nil || options.isInspected {
      try directory.prepare()
      try directory.lock()
    }
    let shutdown = ShutdownSequence()
    let place =
      options.role == .device ? directory.database : BackendStore(options, directory).name
    do {
      let inspector = options.isInspected ? try Inspector(ringFile: directory.ring) : nil
      inspector?.followData()
      switch options.role {
      case .backend:
        url = try await Self.openBackend(options, directory, shutdown, log).address.absoluteString
      case .device:
        url = try await Self.openDevice(options, directory, shutdown, inspector, log)
      case .everything:
        let (backend, address) = try await Self.openBackend(options, directory, shutdown, log)
        url = try await Self.openHost(
          options, directory, backend, address, shutdown, inspector, log)
      }
      self.inspector = try await inspector?.start()
      shutdown.add("inspector") { await inspector?.stop() }
      self.shutdown = shutdown
    } catch {
      let cause: StartError =
        switch error {
        case let error as StartError: error
        case is CancellationError: .cancelled
        case is PersistenceError: .database(path: place, reason: "\(error)")
        default: .server(reason: "\(error)")
        }
      let failures = await shutdown.run()
      if failures.isEmpty { throw cause }
      throw .notClosed(
        start: cause == .cancelled ? nil : cause.description,
        failures: failures.map(\.description))
    }
  }

  /// Ends every stream, waits for pending writes, and closes the databases.
  ///
  /// - Throws: The first error of a part that did not close properly. No saved data is lost then.
  func stop() async throws {
    for failure in await shutdown.run() { throw failure.error }
  }

  private static func openBackend(
    _ options: Options, _ directory: DataDirectory, _ shutdown: ShutdownSequence, _ log: ServerLog
  ) async throws -> (backend: Backend, address: URL) {
    let store = try await BackendStore(options, directory).open { log.error($0) }
    shutdown.add("backend's database") { try await store.close() }
    // Without a command, the app is on the main port.
    let port: UInt16 =
      switch options.role {
      case .everything: options.serverPort ?? (options.port.map { _ in 0 } ?? 8081)
      case .backend, .device: options.port ?? 8081
      }
    var configuration = Self.configuration(options, port, log)
    if options.role == .everything { configuration.host = "127.0.0.1" }
    log.follow(&configuration)
    let backend = Backend(
      store: store, configuration: configuration, quotas: options.quotas,
      signUp: options.allowedSignUp, note: { log.write("\($0)", $0.level) })
    let address = try await backend.start()
    shutdown.add("backend") { await backend.stop(deadline: .seconds(5)) }
    let removing = Task {
      while (try? await Task.sleep(for: .seconds(3_600))) != nil {
        do { try await backend.removeExpiredNotices() } catch { log.error(error) }
      }
    }
    shutdown.add("old mails") { removing.cancel() }
    let indexing = Task {
      do { try await backend.makeSearchIndexes() } catch is CancellationError {
      } catch { log.error(error) }
    }
    shutdown.add("search indexes") {
      indexing.cancel()
      await indexing.value
    }
    let counting = Task { await Traffic.follow(backend.server, as: "backend", log) }
    shutdown.add("traffic of the backend") { counting.cancel() }
    guard let url = URL(string: address) else {
      throw StartError.server(reason: "\(address) is not an address.")
    }
    return (backend, url)
  }

  /// The settings of a server; with a public name, for a server behind a reverse proxy.
  private static func configuration(
    _ options: Options, _ port: UInt16, _ log: ServerLog
  ) -> WebServerConfiguration {
    var configuration = WebServerConfiguration(host: options.listen, port: port)
    log.follow(&configuration, namesRequests: false)
    if let name = options.publicName { configuration.publish(as: name, through: options.proxies) }
    return configuration
  }

  @MainActor private static func openDevice(
    _ options: Options, _ directory: DataDirectory, _ shutdown: ShutdownSequence,
    _ inspector: Inspector?, _ log: ServerLog
  ) async throws -> String {
    guard let address = options.server else {
      throw StartError.server(reason: "There is no address of a backend.")
    }
    let device = try await Device.open(
      .init(directory: directory, server: address, report: { log.error($0) }), shutdown)
    let states = device.connection.stream()
    let following = Task {
      var isLost = false
      for await state in states where state.phase != .syncing {
        if state.phase == .offline, !isLost { log.info("The backend is lost.") }
        if state.phase == .upToDate, isLost { log.info("The backend is back.") }
        isLost = state.phase == .offline
      }
    }
    shutdown.add("log") { following.cancel() }
    let names = device.names
    return try await openPages(
      of: device, options, directory, shutdown, inspector, log,
      adding: { $0.health { _ = try await names.remembered(in: "") } })
  }

  @MainActor private static func openHost(
    _ options: Options, _ directory: DataDirectory, _ backend: Backend, _ address: URL,
    _ shutdown: ShutdownSequence, _ inspector: Inspector?, _ log: ServerLog
  ) async throws -> String {
    let isEmpty = options.isEmpty
    let host = try await PageHost.open(
      backend, at: linkAddress(options) ?? address, hasLocalAccount: options.publicName == nil
    ) {
      isEmpty ? nil : SampleBoard(now: Date(), calendar: .current)
    }
    shutdown.add("host") { await host.stop() }
    if var server = options.mailServer, let sender = options.mailSender {
      server.password = ProcessInfo.processInfo.environment["HARBOR_SMTP_PASSWORD"]
      let service = MailService(server: server, sender: sender)
      let queue = MailQueue(
        report: { log.error($1) },
        send: { message throws(MailError) in try await service.send(message) })
      let sending = Task { await queue.run() }
      shutdown.add("mail") { await queue.stop(sending) }
      host.mail = backend.makeMail(at: host.address) {
        try queue.add(MailMessage(to: MailAddress($0), subject: $1, text: $2))
      }
      let notices = backend.makeNotices(at: host.address) {
        BoardWording(timeZone: $4).mail($0, $1, before: $2, at: $3)
      } isTemporary: {
        ($0 as? MailError)?.isTemporary == true
      } send: { mail in
        try await service.send(
          MailMessage(
            to: MailAddress(mail.address), subject: mail.subject, text: mail.text,
            unsubscribe: mail.unsubscribe, id: mail.id))
      }
      host.notices = notices
      let telling = Task { await notices.run() }
      shutdown.add("mails about activities") {
        telling.cancel()
        await telling.value
      }
    }
    return try await openPages(
      of: host, options, directory, shutdown, inspector, log,
      key: options.databaseServer == nil ? nil : host.browsers.cookieKey(),
      account: { try await host.account(of: $0) }
    ) {
      backend.serveLinks(on: $0)
      backend.serveCalendars(on: $0, at: linkAddress(options))
      backend.serveHealth(on: $0)
      backend.serveResets(on: $0)
      host.mail?.serve(on: $0)
      host.notices?.serve(on: $0)
    }
  }

  /// The address of the pages, with which short links begin; `nil` if the system chooses the port.
  ///
  /// The address stays the same after a restart. It is not the backend's, because a proxy makes
  /// only the pages public.
  static func linkAddress(_ options: Options) -> URL? {
    if let name = options.publicName { return URL(string: "https://\(name)") }
    let (port, host) = (pagePort(options), options.listen)
    let name = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
    return port == 0 ? nil : NetworkName.url(host: name, port: port)
  }

  private static func pagePort(_ options: Options) -> UInt16 { options.port ?? 8080 }

  @MainActor private static func openPages(
    of source: any PageSource, _ options: Options, _ directory: DataDirectory,
    _ shutdown: ShutdownSequence, _ inspector: Inspector?, _ log: ServerLog, key: [UInt8]? = nil,
    account: @escaping @Sendable (String) async throws -> String? = { _ in nil },
    adding addRoutes: (WebServer) -> Void = { _ in }
  ) async throws -> String {
    var configuration = configuration(options, pagePort(options), log)
    configuration.cookieKey = try key ?? directory.cookieKey()
    configuration.account = account
    configuration.offline = HarborPages.offline
    configuration.limits.allow(sessions: options.sessions, perAddress: options.sessionsPerAddress)
    if options.sessions != nil {
      configuration.reportError = { [report = configuration.reportError] error in
        guard let error = error as? TooFewOpenFiles else { return report(error) }
        log.error(StartError.server(reason: error.description(lowering: "--sessions")))
      }
    }
    if let inspector {
      configuration.logAccess = {
        log.note($0)
        inspector.note(.network, $0.place, details: "status \($0.status.code)")
      }
    }
    #if DEBUG
      configuration.pageCheck = .bindings
    #endif
    let server = WebServer(configuration: configuration)
    try HarborPages(source, inspector, report: { log.error($0) }).serve(on: server)
    addRoutes(server)
    let url = try await server.start().url
    shutdown.add("pages") { await server.stop(deadline: .seconds(5)) }
    let counting = Task { await Traffic.follow(server, as: "pages", log) }
    shutdown.add("traffic of the pages") { counting.cancel() }
    // The pages use the source, so the shutdown sequence retains it.
    shutdown.add("source of the pages") { _ = source }
    return url
  }
}
