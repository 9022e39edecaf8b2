import CMicroHTTPD
import Foundation

// The functions that the library calls on its polling thread. They are free, nonisolated functions.
// A closure in isolated code would trap when the library calls it on that thread.

nonisolated func accessCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let url, let method, let uploadSize, let slot else {
    return .NO
  }
  let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
  // The library makes the first call after the header fields. The server must not read body bytes
  // in this call.
  let note = AddressNote(slot: slot.pointee)
  guard let known = slot.pointee, note == nil else {
    let incoming = IncomingRequest(
      connection, address: url, method: method, version: version, note: note)
    let (exchange, mayReceive) = daemon.begin(incoming)
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return mayReceive ? .YES : daemon.advance(exchange, on: LibraryHandle(connection))
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard uploadSize.pointee > 0 else {
    daemon.received(LibraryHandle(connection))
    return daemon.advance(exchange, on: LibraryHandle(connection))
  }
  let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
  uploadSize.pointee = 0
  return exchange.receive(bytes) ? .YES : .NO
}

nonisolated func completedCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let context, let connection, let slot, let known = slot.pointee else { return }
  slot.pointee = nil
  guard AddressNote(slot: known) == nil else { return }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    .end(exchange, on: LibraryHandle(connection))
}

nonisolated func connectionCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
  let handle = LibraryHandle(connection)
  if event == .CONNECTION_NOTIFY_STARTED { daemon.opened(handle) } else { daemon.closed(handle) }
}

/// The library calls this with the whole address of a request, before it splits the query.
///
/// The library stores a record for each query item in the connection's memory. It closes the
/// connection without an answer when the records do not fit. So this function cuts off a query with
/// too many items. It writes to the library's own copy of the address. The server refuses the
/// request later. The other callbacks find the returned note in their slot.
nonisolated func addressCallback(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<CChar>?,
  _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let address else { return nil }
  let length = strlen(address)
  let bytes = UnsafeRawBufferPointer(start: address, count: length)
  let isOdd = bytes.contains { $0 <= 32 || $0 == 127 }
  var items = 0
  if let question = strchr(address, Int32(UInt8(ascii: "?"))) {
    items = 1
    var next = question
    while let separator = strchr(next + 1, Int32(UInt8(ascii: "&"))) {
      items += 1
      next = separator
    }
    if items > IncomingRequest.queryItemLimit { question[1] = 0 }
  }
  return AddressNote(length: length, isCut: items > IncomingRequest.queryItemLimit, isOdd: isOdd)
    .slot
}

/// Leaves escapes undecoded.
///
/// In decoded text, a slash inside a component would look like a separator.
nonisolated func unescapeCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  guard let text else { return 0 }
  var length = 0
  while text[length] != 0 { length += 1 }
  return length
}
