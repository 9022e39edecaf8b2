import CMicroHTTPD

/// An object of the HTTP library: a connection or the daemon.
///
/// Pointers are not `Sendable`, because nothing is known about what they point to. These may cross
/// threads: the library is reentrant, and each owner of a handle forgets it, under its lock, when
/// the library says that the object is gone. The address is kept as a number for that reason.
struct LibraryHandle: Sendable, Hashable {
  private let address: UInt

  init(_ pointer: OpaquePointer) {
    address = UInt(bitPattern: pointer)
  }

  /// Nil only for the null address, which no handle is made from.
  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// The numeric address of a connection's other side, or an empty text if it is not known.
  var clientAddress: String {
    guard let pointer else { return "" }
    return causeway_client_address(pointer).flatMap { SocketName($0) }?.host ?? ""
  }
}
