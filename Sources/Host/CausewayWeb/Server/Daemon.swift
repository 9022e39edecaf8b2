import CMicroHTTPD
import Foundation
import Synchronization

/// A running instance of the HTTP library with its polling thread.
final class Daemon: Sendable {
  private struct State {
    var daemon: LibraryHandle?
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var connections: ConnectionTable
    var isStopping = false
    /// Finished when the last exchange ends during a stop.
    var idle: AsyncStream<Never>.Continuation?
  }

  private let site: Site
  private let state: Mutex<State>
  /// The connections that this daemon has reserved in the limit of open files.
  private let reserved: Int
  /// The problem if the configured connections do not fit into the limit of open files.
  let tooFewOpenFiles: TooFewOpenFiles?

  /// Starts serving on a socket.
  ///
  /// The daemon closes the socket when it stops.
  init(site: Site, socket: ListeningSocket) throws(WebServerError) {
    self.site = site
    var configuration = site.configuration
    let room = OpenFileRoom.process.reserve(configuration.limits.connections)
    tooFewOpenFiles = room.problem
    reserved = room.connections
    configuration.limits.connections = room.connections
    let limits = configuration.limits
    state = Mutex(State(connections: ConnectionTable(configuration: configuration)))
    // The memory has twice the header bytes, because fields are stored as text and as a list. The
    // additional 8 KiB are for sending.
    let memory = 2 * limits.headerBytes + (8 << 10)
    let timeout = UInt32(clamping: max(1, limits.transferTimeout.components.seconds))
    // stop() releases this reference. The library makes no callback after that.
    let context = Unmanaged.passRetained(self)
    // The library accepts more connections than the limit. The server can then answer them with the
    // reason for the refusal.
    let daemon = causeway_start_daemon(
      socket.descriptor, memory, UInt32(clamping: limits.connections + 64), timeout,
      context.toOpaque(), accessCallback, completedCallback, connectionCallback, unescapeCallback,
      addressCallback)
    guard let daemon else {
      let reason = String(cString: strerror(errno))
      context.release()
      close(socket.descriptor)
      OpenFileRoom.process.release(reserved)
      throw .system(reason)
    }
    let handle = LibraryHandle(daemon)
    state.withLock { $0.daemon = handle }
  }

  /// Ends streams, lets other responses finish until the deadline, and closes everything.
  ///
  /// - Parameter deadline: The time that responses get to finish.
  func stop(deadline: Duration) async {
    let (idle, continuation) = AsyncStream.makeStream(of: Never.self)
    guard let (daemon, exchanges) = beginStopping(continuation) else { return }
    let socket = MHD_quiesce_daemon(daemon.pointer)
    for exchange in exchanges { exchange.endStream() }
    let timer = Task {
      try? await Task.sleep(for: deadline)
      continuation.finish()
    }
    for await _ in idle {}
    timer.cancel()
    // The API forbids stopping the library while connections are suspended. Work that starts from
    // now on is refused before it suspends a connection.
    for exchange in state.withLock({ Array($0.exchanges.values) }) { exchange.abandon() }
    MHD_stop_daemon(daemon.pointer)
    // The polling thread may have used the socket until now.
    if socket >= 0 { close(socket) }
    OpenFileRoom.process.release(reserved)
    Unmanaged.passUnretained(self).release()
  }

  /// Sends heartbeats on silent streams, and closes connections whose request is overdue.
  ///
  /// Complexity: O(n) in the number of connections.
  func beat() {
    let limit = ContinuousClock.now - site.configuration.heartbeat
    let now = site.configuration.now()
    let exchanges = state.withLock { state in
      state.connections.shutDownOverdue(now: now)
      return Array(state.exchanges.values)
    }
    for exchange in exchanges { exchange.beat(ifQuietSince: limit) }
  }

  private func beginStopping(
    _ continuation: AsyncStream<Never>.Continuation
  ) -> (LibraryHandle, [Exchange])? {
    let stopping: (LibraryHandle, [Exchange])? = state.withLock { state in
      guard let daemon = state.daemon.take() else { return nil }
      state.isStopping = true
      state.idle = continuation
      return (daemon, Array(state.exchanges.values))
    }
    if let (_, exchanges) = stopping, exchanges.isEmpty { continuation.finish() }
    return stopping
  }

  /// Makes an exchange for a request whose header fields have arrived.
  func begin(_ incoming: IncomingRequest) -> (exchange: Exchange, mayReceive: Bool) {
    let exchange = Exchange(incoming, site: site)
    let refusal: Problem? = state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return state.isStopping
        ? Site.stopping : state.connections.refusal(of: incoming.connection)
    }
    let problem = refusal ?? incoming.problem(limits: site.configuration.limits)
    let mayReceive = exchange.begin(refusal: problem)
    let now = site.configuration.now()
    state.withLock {
      $0.connections.expectBody(
        of: incoming.declaredLength, on: incoming.connection, now: now)
    }
    return (exchange, mayReceive)
  }

  /// Notes that a request has arrived completely.
  func received(_ connection: LibraryHandle) {
    state.withLock { $0.connections.stopWaiting(on: connection) }
  }

  /// Starts or continues the work of a request, and limits the time in which its client reads the
  /// response.
  func advance(_ exchange: Exchange, on connection: LibraryHandle) -> MHD_Result {
    let result = exchange.advance()
    guard let length = exchange.sending else { return result }
    let now = site.configuration.now()
    state.withLock { $0.connections.expectBody(of: length, on: connection, now: now) }
    return result
  }

  /// The number of open connections.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Removes an exchange that has ended.
  func end(_ exchange: Exchange, on connection: LibraryHandle) {
    exchange.end()
    let now = site.configuration.now()
    let idle = state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = nil
      state.connections.startWaiting(on: connection, now: now)
      return state.exchanges.isEmpty ? state.idle : nil
    }
    idle?.finish()
  }

  /// Adds a connection that was opened.
  func opened(_ connection: LibraryHandle) {
    let socket = causeway_connection_socket(connection.pointer)
    let address = connection.clientAddress
    let now = site.configuration.now()
    state.withLock {
      $0.connections.add(connection, socket: socket, address: address, now: now)
    }
  }

  /// Removes a connection that is about to be closed.
  func closed(_ connection: LibraryHandle) {
    state.withLock { $0.connections.remove(connection) }
  }
}
