import Foundation
import Synchronization

/// A TCP proxy on a free port that delays, limits and breaks the connections of a browser.
final class FaultyProxy: Sendable {
  /// The delay and the faults of the proxy.
  struct Weather: Sendable {
    /// The delay of each piece, in milliseconds.
    var delay: UInt32 = 0
    /// The largest piece, in bytes.
    var piece = 1 << 16
    /// Whether new connections are closed at once.
    var isDown = false
    /// Whether new connections get no answer until they are broken.
    var isSilent = false
    /// The status of the proxy's own page, which it shows in place of the server's.
    var failure: Int?
  }

  private struct State {
    var weather = Weather()
    var sockets: Set<Int32> = []
    var isStopped = false
  }

  let port: UInt16
  private let upstream: UInt16
  private let listener: Int32
  private let state = Mutex(State())

  /// Starts to forward connections to a port of this machine.
  init(to upstream: UInt16) throws {
    self.upstream = upstream
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var name = Self.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: name.sin_port)
    Thread { [self] in accept() }.start()
  }

  var url: String { "http://127.0.0.1:\(port)" }

  func change(_ change: (inout Weather) -> Void) { state.withLock { change(&$0.weather) } }

  /// Closes all open connections, also in the middle of a request.
  func breakConnections() {
    state.withLock { for socket in $0.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    breakConnections()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func accept() {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      let (isStopped, weather) = state.withLock { ($0.isStopped, $0.weather) }
      if isStopped || client < 0 {
        if client >= 0 { close(client) }
        close(listener)
        return
      }
      if weather.isSilent {
        wait(client)
        continue
      }
      if let status = weather.failure {
        fail(client, status)
        continue
      }
      let server = weather.isDown ? -1 : connect()
      guard server >= 0 else {
        close(client)
        continue
      }
      state.withLock { $0.sockets.formUnion([client, server]) }
      // When both directions have ended, both sockets are closed.
      let ends = Ends { [self] in
        state.withLock { $0.sockets.subtract([client, server]) }
        close(client)
        close(server)
      }
      Thread { [self] in forward(from: client, to: server, ends) }.start()
      Thread { [self] in forward(from: server, to: client, ends) }.start()
    }
  }

  /// Reads a request, and answers it as a proxy without a server does.
  private func fail(_ client: Int32, _ status: Int) {
    Thread {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      _ = recv(client, &buffer, buffer.count, 0)
      let page = "<html><body><h1>\(status) The proxy's own page</h1></body></html>"
      let answer = """
        HTTP/1.1 \(status) Failed\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\
        Connection: close\r\n\r\n\(page)
        """
      _ = Array(answer.utf8).withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      shutdown(client, Int32(SHUT_WR))
      while recv(client, &buffer, buffer.count, 0) > 0 {}
      close(client)
    }.start()
  }

  /// Reads what a client sends, and answers nothing.
  private func wait(_ client: Int32) {
    _ = state.withLock { $0.sockets.insert(client) }
    Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while recv(client, &buffer, buffer.count, 0) > 0 {}
      _ = state.withLock { $0.sockets.remove(client) }
      close(client)
    }.start()
  }

  private func connect() -> Int32 {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = Self.loopback(port: upstream)
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isConnected { return server }
    close(server)
    return -1
  }

  private func forward(from source: Int32, to target: Int32, _ ends: Ends) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let weather = state.withLock(\.weather)
      let count = recv(source, &buffer, min(buffer.count, weather.piece), 0)
      guard count > 0 else { break }
      if weather.delay > 0 { usleep(weather.delay * 1000) }
      var sent = 0
      while sent < count {
        let written = buffer[sent..<count].withUnsafeBytes {
          send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { break }
        sent += written
      }
      if sent < count { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
    ends.count()
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return name
  }

  /// Runs a closure after both directions of a connection have ended.
  private final class Ends: Sendable {
    private let left = Mutex(2)
    private let finish: @Sendable () -> Void

    init(_ finish: @escaping @Sendable () -> Void) { self.finish = finish }

    func count() {
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { finish() }
    }
  }
}
