import Foundation
import Synchronization

/// An HTTP server for pages that show view models, and for plain routes.
///
///     let server = WebServer(configuration: .init(port: 8080))
///     server.get("/hello") { _ in .text("Hello") }
///     let address = try await server.start()
///     print(address.url)
///     for await _ in ShutdownSignal.received() { break }
///     await server.stop()
///
/// Every browser tab has a session with its own view model. The page sends actions by `POST`. The
/// server applies each action once, on the main actor. It sends the view state as an event stream.
/// Routes run off the main actor. The server itself may be used from any isolation.
public final class WebServer: Sendable {
  private enum State {
    case stopped
    case running(Daemon, upkeep: Task<Void, Never>)
    case stopping(Task<Void, Never>)
  }

  let site: Site
  private let state = Mutex(State.stopped)

  /// A server that does not listen yet.
  public init(configuration: WebServerConfiguration = WebServerConfiguration()) {
    site = Site(configuration: configuration)
  }

  /// Starts to listen, and returns the address.
  ///
  /// It checks the hosted pages if there is a ``WebServerConfiguration/pageCheck``.
  ///
  /// Throws a `WebServerError` that names the fix: the port is in use or not permitted, the host is
  /// not an address of this machine, the cookie key is too short, or the server is running already.
  @discardableResult
  public func start() async throws(WebServerError) -> ServerAddress {
    let configuration = site.configuration
    defer { site.checkPages() }
    let (address, problem) = try state.withLock { state throws(WebServerError) in
      guard case .stopped = state else { throw .alreadyRunning }
      if let key = configuration.cookieKey, key.count < BrowserCookies.shortestKey {
        throw .shortCookieKey(bytes: key.count)
      }
      let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
      let address = socket.address
      site.bound(to: address)
      let daemon = try Daemon(site: site, socket: socket)
      state = .running(daemon, upkeep: Self.upkeep(of: daemon, site))
      return (address, daemon.tooFewOpenFiles)
    }
    if let problem { configuration.reportError(problem) }
    return address
  }

  /// Stops the server.
  ///
  /// It refuses new connections and ends streams. Other responses may finish until the deadline.
  /// Then it closes all connections, ends the sessions and releases their view models.
  ///
  /// Calls may overlap: each call returns when the server has stopped. A stopped server can be
  /// started again.
  ///
  /// - Parameter deadline: The time that responses under way get to finish.
  public func stop(deadline: Duration = .seconds(5)) async {
    let stopping: Task<Void, Never>? = state.withLock { state in
      switch state {
      case .stopped: return nil
      case .stopping(let task): return task
      case .running(let daemon, let upkeep):
        let task = Task { [site] in
          upkeep.cancel()
          await daemon.stop(deadline: deadline)
          site.sessions.endAll()
        }
        state = .stopping(task)
        return task
      }
    }
    await stopping?.value
    state.withLock { state in
      if case .stopping(let task) = state, task == stopping { state = .stopped }
    }
  }

  /// A running server that is released stops at once.
  ///
  /// A server that never ran can have sessions too. The sessions and their pages refer to each
  /// other until the sessions end.
  deinit {
    switch state.withLock({ $0 }) {
    case .running(let daemon, let upkeep):
      upkeep.cancel()
      Task { [site] in
        await daemon.stop(deadline: .zero)
        site.sessions.endAll()
      }
    case .stopped, .stopping: site.sessions.endAll()
    }
  }

  /// The number of sessions that are alive.
  package var sessionCount: Int { site.sessions.count }

  /// The number of connections that are open.
  package var connectionCount: Int {
    state.withLock { if case .running(let daemon, _) = $0 { daemon.connectionCount } else { 0 } }
  }

  /// Ends unused sessions and sends heartbeats, without waiting for the regular time.
  ///
  /// A test that has changed the clock calls it.
  package func tend() {
    let daemon: Daemon? = state.withLock {
      if case .running(let daemon, _) = $0 { daemon } else { nil }
    }
    if let daemon { Self.tend(daemon, site) }
  }

  /// Ends unused sessions until the task is cancelled, and then all sessions.
  ///
  /// Call it while another server runs and calls ``respond(to:readingBody:)``. A started server
  /// does the same by itself.
  ///
  /// If the other server handles SIGTERM or SIGINT, this function ends the streams of pages within
  /// a second after the signal, because a server that stops waits for all its responses. The other
  /// server still receives the signals.
  public func tendSessions() async {
    site.passedStreams.begin()
    let before = StopSignals.count()
    while (try? await Task.sleep(for: Self.upkeepInterval(site.configuration))) != nil {
      site.sessions.sweep()
      if StopSignals.count() != before { site.passedStreams.stop() }
    }
    site.passedStreams.stop()
    site.sessions.endAll()
  }

  private static func tend(_ daemon: Daemon, _ site: Site) {
    site.sessions.sweep()
    daemon.beat()
  }

  /// Ends unused sessions, and sends heartbeats.
  private static func upkeep(of daemon: Daemon, _ site: Site) -> Task<Void, Never> {
    let interval = upkeepInterval(site.configuration)
    return Task {
      // Sleeping throws when the server stops.
      while (try? await Task.sleep(for: interval)) != nil {
        tend(daemon, site)
      }
    }
  }

  private static func upkeepInterval(_ configuration: WebServerConfiguration) -> Duration {
    let shortest = min(
      configuration.heartbeat, configuration.limits.streamGrace, configuration.limits.idleTime)
    return min(max(shortest / 4, .milliseconds(10)), .seconds(1))
  }
}

extension WebServer {
  /// The counters of this moment, for a monitor.
  ///
  /// Reads under a lock, from any isolation.
  public var counters: ServerCounters {
    var counters = site.counted.withLock { $0 }
    counters.connections = connectionCount
    counters.sessions = sessionCount
    return counters
  }
}
