import Foundation

/// A local port that the system assigns to no other socket while this object exists.
///
/// No server listens there, so connections are refused until a test starts a server with this
/// number. Use it in tests with an unreachable server. If the port were only free, another test's
/// server could take it.
public final class ReservedPort: Sendable {
  /// The port, chosen by the system.
  public let number: UInt16
  private let descriptor: Int32

  /// Reserves a port.
  public init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    do {
      // Two sockets with this option can share an address if only one of them listens. The system
      // never chooses that address for a third socket.
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      number = try bindToLoopback(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }
}

/// Binds a socket to a local port chosen by the system, and returns the port.
func bindToLoopback(_ descriptor: Int32) throws -> UInt16 {
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &name) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
  return UInt16(bigEndian: name.sin_port)
}
