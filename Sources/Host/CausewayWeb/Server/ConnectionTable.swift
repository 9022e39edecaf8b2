import CMicroHTTPD
import Foundation

/// The open connections, and how long the server has waited for a request on each.
///
/// The library limits only the time between two bytes, so a client that sends a byte now and then
/// could hold a connection forever. The deadlines here limit a whole request.
struct ConnectionTable {
  private struct Entry {
    let socket: Int32
    let group: String
    /// Nil while a request is answered.
    var waitingSince: ContinuousClock.Instant?
    var deadline: ContinuousClock.Instant?
    /// Whether the socket was shut down and the library is about to close the connection.
    var isShutDown = false
    /// The reason to refuse the requests of a connection that was opened beyond a limit.
    var refusal: Problem?
  }

  /// The time that a connection must have waited before a new connection may replace it.
  private static let shortestWait = Duration.seconds(1)

  private let limits: WebServerLimits
  private let uncounted: Set<String>
  private var entries: [LibraryHandle: Entry] = [:]
  private var open = 0
  /// The number of open connections by group of addresses; limits count a group as one client.
  private var openByGroup: [String: Int] = [:]

  init(configuration: WebServerConfiguration) {
    limits = configuration.limits
    uncounted = configuration.uncountedAddresses
  }

  /// Adds a new connection.
  ///
  /// If there are too many, it shuts down the connection that has waited longest for a request. If
  /// that is not enough, it refuses the requests of the new connection. Other connections are not
  /// affected, and the decision does not change when connections are closed later.
  ///
  /// Complexity: O(n) in the number of connections when there are too many, O(1) otherwise.
  ///
  /// - Parameter address: The client's numeric address.
  mutating func add(
    _ connection: LibraryHandle, socket: Int32, address: String, now: ContinuousClock.Instant
  ) {
    let group = ClientAddress.group(of: address)
    entries[connection] = Entry(
      socket: socket, group: group, waitingSince: now, deadline: now + limits.requestTimeout)
    open += 1
    openByGroup[group, default: 0] += 1
    if open > limits.connections { makeRoom(now: now) }
    let refusal = refusal(of: address)
    entries[connection]?.refusal = refusal
  }

  private mutating func makeRoom(now: ContinuousClock.Instant) {
    let longest = entries.filter { !$0.value.isShutDown && $0.value.waitingSince != nil }
      .min { ($0.value.waitingSince ?? now) < ($1.value.waitingSince ?? now) }
    guard let (handle, entry) = longest, let since = entry.waitingSince,
      since + Self.shortestWait <= now
    else { return }
    shutDown(handle)
  }

  /// The number of connections.
  var count: Int { entries.count }

  /// Removes a connection that the library is about to close.
  mutating func remove(_ connection: LibraryHandle) {
    guard let entry = entries.removeValue(forKey: connection) else { return }
    if !entry.isShutDown { release(entry) }
  }

  /// The reason to refuse a request on this connection, or nil.
  func refusal(of connection: LibraryHandle) -> Problem? { entries[connection]?.refusal }

  private func refusal(of address: String) -> Problem? {
    if open > limits.connections {
      return Self.tooMany(
        .serviceUnavailable,
        "More than \(limits.connections) connections are open; try again later.")
    }
    guard !uncounted.contains(address),
      openByGroup[ClientAddress.group(of: address), default: 0] > limits.connectionsPerAddress
    else { return nil }
    return Self.tooMany(
      .tooManyRequests,
      "More than \(limits.connectionsPerAddress) connections are open from \(address); "
        + "close some of them.")
  }

  /// Sets the deadline for a request's or a response's body; a longer body gets more time.
  mutating func expectBody(
    of length: Int, on connection: LibraryHandle, now: ContinuousClock.Instant
  ) {
    let seconds = Double(length) / Double(Self.slowestBytesPerSecond)
    entries[connection]?.deadline = now + limits.requestTimeout + .seconds(seconds)
  }

  /// The slowest rate at which a body may arrive.
  private static let slowestBytesPerSecond = 16 << 10

  /// Removes the deadline after a request has arrived completely.
  mutating func stopWaiting(on connection: LibraryHandle) {
    entries[connection]?.waitingSince = nil
    entries[connection]?.deadline = nil
  }

  /// Starts to wait for the next request after an answer was sent.
  mutating func startWaiting(on connection: LibraryHandle, now: ContinuousClock.Instant) {
    entries[connection]?.waitingSince = now
    entries[connection]?.deadline = now + limits.requestTimeout
  }

  /// Shuts down the connections whose request did not arrive in time.
  ///
  /// Complexity: O(n) in the number of connections.
  mutating func shutDownOverdue(now: ContinuousClock.Instant) {
    let overdue = entries.filter { _, entry in
      !entry.isShutDown && entry.deadline.map { $0 <= now } ?? false
    }
    for handle in overdue.keys { shutDown(handle) }
  }

  /// Shuts down the socket.
  ///
  /// The library notices it and closes the connection. The descriptor cannot belong to another
  /// connection until the library reports that it has closed this one.
  private mutating func shutDown(_ handle: LibraryHandle) {
    guard let entry = entries[handle] else { return }
    entries[handle]?.isShutDown = true
    release(entry)
    shutdown(entry.socket, Int32(SHUT_RDWR))
  }

  private mutating func release(_ entry: Entry) {
    open -= 1
    let rest = openByGroup[entry.group, default: 1] - 1
    openByGroup[entry.group] = rest > 0 ? rest : nil
  }

  private static func tooMany(_ status: HTTPStatus, _ detail: String) -> Problem {
    Problem(
      status, code: "too-many-connections", detail: detail,
      headers: ["Connection": "close", "Retry-After": "1"])
  }
}
