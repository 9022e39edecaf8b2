import CMicroHTTPD

/// An object of the HTTP library: a connection or the daemon.
///
/// Pointers are not `Sendable`, so the address is stored as a number. A handle may cross threads
/// for two reasons. The library is reentrant. The library reports when it frees an object. Each
/// owner then takes its own lock and removes the handle.
struct LibraryHandle: Sendable, Hashable {
  private let address: UInt

  init(_ pointer: OpaquePointer) {
    address = UInt(bitPattern: pointer)
  }

  /// The pointer.
  ///
  /// It is nil only for the null address, and no handle has that address.
  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// The numeric address of the client; empty if it is unknown.
  var clientAddress: String {
    guard let pointer else { return "" }
    let host = causeway_client_address(pointer).flatMap { SocketName($0) }?.host ?? ""
    return ClientAddress.normalized(host) ?? host
  }
}
