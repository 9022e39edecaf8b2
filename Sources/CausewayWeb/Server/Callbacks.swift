import CMicroHTTPD

// What the library calls on its polling thread. These are free, nonisolated functions, because a
// closure written inside isolated code would trap when it is called on that thread.

nonisolated func accessCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let url, let method, let uploadSize, let slot else {
    return .NO
  }
  // The first call comes with the header fields alone, and nothing may be read from it.
  guard let known = slot.pointee else {
    let daemon = Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    let (exchange, mayReceive) = daemon.begin(
      IncomingRequest(connection, path: String(cString: url), method: String(cString: method)))
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return mayReceive ? .YES : exchange.advance()
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard uploadSize.pointee > 0 else { return exchange.advance() }
  let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
  uploadSize.pointee = 0
  return exchange.receive(bytes) ? .YES : .NO
}

nonisolated func completedCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let context, let slot, let known = slot.pointee else { return }
  slot.pointee = nil
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue().end(exchange)
}

nonisolated func connectionCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
  guard let context else { return }
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    .count(event == .CONNECTION_NOTIFY_STARTED ? 1 : -1)
}

/// Leaves escapes alone: once they are gone, a slash in a path component cannot be told from one
/// between components.
nonisolated func unescapeCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  guard let text else { return 0 }
  var length = 0
  while text[length] != 0 { length += 1 }
  return length
}
