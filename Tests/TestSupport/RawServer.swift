import Foundation
import Synchronization

/// A server on this machine that sends exactly the bytes of a test, valid or not.
///
/// Each connection has its own thread and serves one request. The server ends when the test
/// releases it.
public final class RawServer: Sendable {
  /// A request received from a client.
  public struct Request: Sendable {
    /// The number of the request, starting at 0.
    public var number: Int
    /// The method.
    public var method: String
    /// The path and the query.
    public var target: String
    /// The header fields, with names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The port, chosen by the system.
  public let port: Int
  /// The requests received from clients.
  public let requests: Log<Request>
  private let sockets: Sockets

  /// The address, for example `http://127.0.0.1:40001`.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// Starts a server.
  ///
  /// - Parameter respond: Called with each request on the thread of its connection. The connection
  ///   is closed when it returns.
  public convenience init(
    _ respond: @escaping @Sendable (Request, RawConnection) -> Void
  ) throws {
    let requests = Log<Request>()
    try self.init(requests: requests) { number, connection in
      guard let request = connection.readRequest(number: number) else { return }
      requests.append(request)
      respond(request, connection)
    }
  }

  /// Starts a server that reads requests only in the closure.
  ///
  /// Use it for clients that keep connections, and for responses that precede the request.
  ///
  /// - Parameter serve: Called with the number of each connection, starting at 0, on the
  ///   connection's thread. The connection is closed when it returns.
  public static func serving(
    _ serve: @escaping @Sendable (Int, RawConnection) -> Void
  ) throws -> RawServer {
    try RawServer(requests: Log(), serve)
  }

  private init(
    requests: Log<Request>, _ serve: @escaping @Sendable (Int, RawConnection) -> Void
  ) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    port = Int(try bindToLoopback(listener))
    guard listen(listener, 64) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL)
    }
    let sockets = Sockets(listener)
    (self.sockets, self.requests) = (sockets, requests)
    Thread {
      let count = Mutex(0)
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          break
        }
        guard sockets.add(descriptor) else { break }
        let connection = RawConnection(descriptor)
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        Thread {
          serve(number, connection)
          sockets.close(descriptor)
        }.start()
      }
      // The socket is closed only here. If another thread closed it, the system could give its
      // number to another server. This thread would then accept that server's connections.
      Foundation.close(listener)
    }.start()
  }

  deinit {
    sockets.closeAll()
  }

  /// The text of a complete response.
  public static func answer(
    _ status: Int = 200, _ headers: [String: String] = [:], _ body: String = ""
  ) -> String {
    let fields = ["Content-Length": "\(body.utf8.count)", "Connection": "close"]
      .merging(headers) { $1 }.sorted { $0.key < $1.key }
    return "HTTP/1.1 \(status) Text\r\n"
      + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n" + body
  }

  /// The open sockets.
  ///
  /// Each is closed once.
  private final class Sockets: Sendable {
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
      var open: Set<Int32> = []
      var isClosed = false
    }

    init(_ listener: Int32) { self.listener = listener }

    func add(_ descriptor: Int32) -> Bool {
      state.withLock { state in
        if state.isClosed {
          Foundation.close(descriptor)
          return false
        }
        state.open.insert(descriptor)
        return true
      }
    }

    func close(_ descriptor: Int32) {
      let isOpen = state.withLock { $0.open.remove(descriptor) != nil }
      if isOpen { Foundation.close(descriptor) }
    }

    func closeAll() {
      state.withLock { state in
        if state.isClosed { return }
        state.isClosed = true
        shutdown(listener, Int32(SHUT_RDWR))
        // The threads of these sockets wake up and close the sockets.
        for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }
  }
}
