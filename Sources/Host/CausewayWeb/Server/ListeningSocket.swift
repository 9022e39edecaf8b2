import CMicroHTTPD
import Foundation

/// A bound socket that listens.
///
/// The code that makes a socket also closes it. The library could make a socket itself, but it
/// would not report why it failed or which port it got.
struct ListeningSocket {
  let address: ServerAddress
  let descriptor: Int32

  init(host: String, port: UInt16) throws(WebServerError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = CLibrary.streamSocket
    var found: UnsafeMutablePointer<addrinfo>?
    let numeric = host == "localhost" ? "127.0.0.1" : host
    guard getaddrinfo(numeric, String(port), &hints, &found) == 0, let found else {
      throw .badHost(host)
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(found.pointee.ai_family, CLibrary.streamSocket, 0)
    guard descriptor >= 0 else { throw Self.error(errno, host, port) }
    var isOwned = false
    defer { if !isOwned { close(descriptor) } }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // Without this option, the connections of a server that has just stopped block the port for a
    // minute.
    var yes: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      listen(descriptor, 511) == 0
    else { throw Self.error(errno, host, port) }
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let name = withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &length) == 0 ? SocketName(address) : nil
      }
    }
    guard let name else { throw Self.error(errno, host, port) }
    address = ServerAddress(host: name.host, port: name.port)
    self.descriptor = descriptor
    isOwned = true
  }

  private static func error(_ code: Int32, _ host: String, _ port: UInt16) -> WebServerError {
    switch code {
    case EADDRINUSE: .portInUse(host: host, port: port)
    case EACCES, EPERM: .portNotPermitted(port: port)
    case EADDRNOTAVAIL, EAFNOSUPPORT: .badHost(host)
    default: .system(String(cString: strerror(code)))
    }
  }
}

/// The numeric name of one end of a connection.
struct SocketName {
  let host: String
  let port: UInt16

  init?(_ address: UnsafePointer<sockaddr>) {
    let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
    let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var host = [CChar](repeating: 0, count: 64)
    var service = [CChar](repeating: 0, count: 8)
    guard
      getnameinfo(
        address, socklen_t(length), &host, socklen_t(host.count), &service,
        socklen_t(service.count), NI_NUMERICHOST | NI_NUMERICSERV) == 0
    else { return nil }
    self.host = Self.text(host)
    guard let port = UInt16(Self.text(service)) else { return nil }
    self.port = port
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The address of a running server.
public struct ServerAddress: Sendable, Hashable {
  /// The numeric address that the server is bound to.
  public let host: String
  /// The port that the server is bound to, never 0.
  public let port: UInt16

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The address for a browser, such as `http://127.0.0.1:8080`.
  public var url: String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
