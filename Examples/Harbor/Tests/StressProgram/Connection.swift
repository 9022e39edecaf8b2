import Foundation

/// A connection to a server of this machine, whose calls block the thread.
///
/// The watchdog ends the program if a call does not return.
final class Connection {
  struct Answer {
    let status: Int
    let head: String
    let body: Data
  }

  private let descriptor: Int32
  private var unread = Data()

  init(port: UInt16) throws {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      throw Disconnected()
    }
  }

  deinit { close(descriptor) }

  func send(_ bytes: Data) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Disconnected() }
      rest = Data(rest.dropFirst(count))
    }
  }

  /// Waits for an answer, which must have a length.
  func answer() throws -> Answer {
    while true {
      if let end = unread.firstRange(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        if unread.count - end.upperBound >= length {
          let body = Data(unread[end.upperBound...].prefix(length))
          unread = Data(unread.dropFirst(end.upperBound + length))
          let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
          return Answer(status: status ?? 0, head: head, body: body)
        }
      }
      unread += try receive()
    }
  }

  /// Reads until the server has sent a text.
  func wait(for text: String) throws {
    while unread.firstRange(of: Data(text.utf8)) == nil { unread += try receive() }
    unread = Data()
  }

  /// Resets the connection instead of closing it.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func receive() throws -> Data {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Disconnected() }
    return Data(buffer[..<count])
  }
}

/// The server has closed the connection, or does not run.
struct Disconnected: Error {}
