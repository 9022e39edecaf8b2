import Synchronization

/// The limit of open files, which all servers of a process share.
final class OpenFileRoom: Sendable {
  /// The room of this process.
  static let process = OpenFileRoom { CLibrary.raiseOpenFileLimit(to: $0) }

  /// Files of the program that are not connections of a server.
  private static let otherFiles = 256

  private let raiseLimit: @Sendable (Int) -> Int?
  /// The sum of the connections that the running servers may accept.
  private let reserved = Mutex(0)

  /// - Parameter raiseLimit: Raises the limit of open files to a number as far as the system allows.
  ///   It returns the limit, or nil if the limit is unknown.
  init(raiseLimit: @escaping @Sendable (Int) -> Int?) { self.raiseLimit = raiseLimit }

  /// Reserves connections for a server that starts, and raises the limit for them.
  ///
  /// Release the returned connections when the server has stopped.
  ///
  /// - Returns: The number of connections that the server may accept, and the problem if the
  ///   configured connections do not fit.
  func reserve(_ wanted: Int) -> (connections: Int, problem: TooFewOpenFiles?) {
    // Another server that starts at the same time counts all wanted connections until the limit is
    // known.
    let others = reserved.withLock { reserved in
      defer { reserved += wanted }
      return reserved
    }
    let needed = others + wanted + Self.otherFiles
    guard let limit = raiseLimit(needed) else { return (wanted, nil) }
    // With a very low limit, half of the files are for connections.
    let all = max(limit - Self.otherFiles, limit / 2)
    let free = all - others
    // A server without connections would be useless. So a later server gets half of all, even if
    // the earlier ones have reserved more than the other half.
    let connections = min(wanted, max(free, all / 2))
    release(wanted - connections)
    guard free < wanted else { return (connections, nil) }
    return (
      connections,
      TooFewOpenFiles(
        connections: connections, wanted: wanted, others: others, limit: limit, needed: needed)
    )
  }

  /// Releases the connections of a server that has stopped.
  func release(_ connections: Int) { reserved.withLock { $0 -= connections } }
}
