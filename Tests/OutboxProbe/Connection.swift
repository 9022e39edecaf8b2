import Foundation

#if canImport(Glibc)
  import Glibc

  private let stream = Int32(SOCK_STREAM.rawValue)
#else
  import Darwin

  private let stream = SOCK_STREAM
#endif

// The members below have the names of these functions, so the code calls these aliases.
private let systemSocket = socket(_:_:_:)
private let systemConnect = connect(_:_:_:)
private let systemListen = listen(_:_:)
private let systemAccept = accept(_:_:_:)

struct ConnectionLost: Error {}

/// A TCP connection on the loopback interface that carries lines.
///
/// It blocks its thread.
final class Connection {
  private let socket: Int32

  init(_ socket: Int32) {
    self.socket = socket
    // A killed peer resets the connection. A hanging peer causes a timeout.
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
  }

  deinit {
    close(socket)
  }

  static func connect(port: UInt16) throws -> Connection {
    let socket = systemSocket(AF_INET, stream, 0)
    let connection = Connection(socket)
    let code = withAddress(port: port) { systemConnect(socket, $0, $1) }
    guard code == 0 else { throw ConnectionLost() }
    return connection
  }

  /// Listens on any free port.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let socket = systemSocket(AF_INET, stream, 0)
    guard withAddress(port: 0, { bind(socket, $0, $1) }) == 0, systemListen(socket, 64) == 0 else {
      throw ConnectionLost()
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard code == 0 else { throw ConnectionLost() }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  static func accept(_ socket: Int32) throws -> Connection {
    let accepted = systemAccept(socket, nil, nil)
    guard accepted >= 0 else { throw ConnectionLost() }
    return Connection(accepted)
  }

  func write(_ value: some Encodable) throws {
    let line = try JSONEncoder().encode(value) + [0x0A]
    var sent = 0
    while sent < line.count {
      // The flag prevents a signal when the peer has closed the connection.
      let count = line[sent...].withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw ConnectionLost() }
      sent += count
    }
  }

  func read<T: Decodable>(_ type: T.Type) throws -> T {
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while line.last != 0x0A {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { throw ConnectionLost() }
      line += buffer[..<count]
    }
    return try JSONDecoder().decode(type, from: line)
  }

  private static func withAddress(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
