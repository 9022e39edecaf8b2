/// The reason why a server could not start.
public enum WebServerError: Error, Sendable, Equatable {
  /// Another program listens on that port already.
  case portInUse(host: String, port: UInt16)
  /// This program does not have the rights that the port needs.
  case portNotPermitted(port: UInt16)
  /// The host is not a numeric address of this machine.
  case badHost(String)
  /// This server is running already.
  case alreadyRunning
  /// ``WebServerConfiguration/cookieKey`` has fewer than 16 bytes, so it could be guessed.
  case shortCookieKey(bytes: Int)
  /// The system reported another error, with this text.
  case system(String)
}

extension WebServerError: CustomStringConvertible {
  /// A sentence that names the fix.
  public var description: String {
    switch self {
    case .portInUse(let host, let port):
      "Port \(port) on \(host) is in use. Stop the program that listens there, or choose another port."
    case .portNotPermitted(let port):
      "Port \(port) needs special rights. Choose a port from 1024 on."
    case .badHost(let host):
      "\"\(host)\" is not an address of this machine. Use a numeric address such as 127.0.0.1."
    case .alreadyRunning: "The server is running already. Stop it before starting it again."
    case .shortCookieKey(let bytes):
      "The cookieKey has \(bytes) bytes. Use at least \(BrowserCookies.shortestKey) random bytes, or nil."
    case .system(let reason): "The server could not start: \(reason)."
    }
  }
}

/// The limit of open files is too low for the configured connections of a server.
///
/// The server starts with fewer connections. ``WebServerConfiguration/reportError`` receives this
/// error.
public struct TooFewOpenFiles: Error, Equatable, CustomStringConvertible {
  /// The number of connections that the server accepts.
  public let connections: Int
  /// The configured number of connections.
  public let wanted: Int
  /// The number of connections that the other servers of the process may accept.
  public let others: Int
  /// The number of files that the process may open.
  public let limit: Int
  /// The limit of open files that is sufficient.
  public let needed: Int

  package init(connections: Int, wanted: Int, others: Int, limit: Int, needed: Int) {
    self.connections = connections
    self.wanted = wanted
    self.others = others
    self.limit = limit
    self.needed = needed
  }

  /// The numbers, and the fix.
  public var description: String { description(lowering: "limits.connections") }

  /// The numbers, and the fix with the name of the setting that determines the connections.
  ///
  /// - Parameter setting: The setting, for example an option of a command line.
  public func description(lowering setting: String) -> String {
    let rest = others == 0 ? "" : " beside the \(others) of the other servers"
    return """
      This process may open \(limit) files, which are too few for \(wanted) connections\(rest). The \
      server accepts \(connections). Raise the limit to \(needed) with `ulimit -n` or systemd's \
      LimitNOFILE, or lower \(setting).
      """
  }
}
