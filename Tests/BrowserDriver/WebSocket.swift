import Foundation
import Synchronization

/// A connection to a WebSocket of this machine (RFC 6455), for whole messages of text.
final class WebSocket: Sendable {
  /// The messages of the other side, until it closes the connection.
  let messages: AsyncStream<Data>
  private let descriptor: Int32
  private let writing = Mutex(())

  /// - Throws: `POSIXError` if there is no server, or if it refuses the connection.
  init(port: UInt16, path: String) throws {
    let (messages, continuation) = AsyncStream.makeStream(of: Data.self)
    self.messages = messages
    descriptor = try Self.connect(to: port)
    try write(
      Array(
        """
        GET \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: \(Data((0..<16).map { _ in .random(in: 0...255) }).base64EncodedString())\r
        \r

        """.utf8))
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = read(1)?.first else { throw POSIXError(.ECONNREFUSED) }
      head.append(byte)
    }
    guard String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101 ") else {
      throw POSIXError(.EPROTO)
    }
    // Reading blocks, so it has a thread.
    Thread { [self] in
      while let message = readMessage() { continuation.yield(message) }
      close(descriptor)
      continuation.finish()
    }.start()
  }

  /// Sends a message of text.
  ///
  /// - Throws: `POSIXError` if the connection is closed.
  func send(_ text: Data) throws {
    let mask: [UInt8] = (0..<4).map { _ in .random(in: 0...255) }
    let size = UInt64(text.count).bigEndian
    let length = withUnsafeBytes(of: size) { Array($0) }
    var frame: [UInt8] = [0x81]
    switch text.count {
    case ..<126: frame.append(0x80 | UInt8(text.count))
    case ..<65_536: frame += [0xFE] + length.suffix(2)
    default: frame += [0xFF] + length
    }
    frame += mask
    frame += text.enumerated().map { $1 ^ mask[$0 & 3] }
    try writing.withLock { _ in try write(frame) }
  }

  /// Reads the frames of the next message; nil at the end.
  private func readMessage() -> Data? {
    var message: [UInt8] = []
    while let head = read(2) {
      var length = UInt64(head[1] & 0x7F)
      if length >= 126 {
        guard let field = read(length == 126 ? 2 : 8) else { return nil }
        length = field.reduce(0) { $0 << 8 | UInt64($1) }
      }
      guard let payload = read(Int(length)) else { return nil }
      switch head[0] & 0x0F {
      case 0, 1: message += payload
      case 8: return nil
      default: continue  // A ping of this machine needs no answer.
      }
      if head[0] & 0x80 != 0 { return Data(message) }
    }
    return nil
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var known = 0
    while known < count {
      let new = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress?.advanced(by: known), count - known, 0)
      }
      guard new > 0 || (new < 0 && errno == EINTR) else { return nil }
      known += max(new, 0)
    }
    return bytes
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 || (sent < 0 && errno == EINTR) else { throw POSIXError(.EPIPE) }
      rest = rest.dropFirst(max(sent, 0))
    }
  }

  private static func connect(to port: UInt16) throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw POSIXError(.ECONNREFUSED)
    }
    return descriptor
  }
}
