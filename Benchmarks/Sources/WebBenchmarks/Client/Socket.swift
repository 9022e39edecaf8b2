#if os(Linux)
  import Foundation

  /// A TCP connection to a server on this machine.
  ///
  /// It belongs to one thread.
  final class Socket {
    let descriptor: Int32
    let port: UInt16
    private var unread: [UInt8] = []

    init(port: UInt16) throws {
      self.port = port
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
        let code = errno
        close(descriptor)
        throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ECONNREFUSED)
      }
      var on: Int32 = 1
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw POSIXError(.EPIPE) }
        bytes = bytes.dropFirst(count)
      }
    }

    /// Sends a request and waits for its answer, which must have a length.
    func exchange(_ request: String) throws -> Answer {
      try send(request)
      while true {
        if let answer = Answer(takingFrom: &unread) { return answer }
        let received = receive()
        guard !received.isEmpty else { throw POSIXError(.ECONNRESET) }
        unread += received
      }
    }

    /// Waits for bytes; returns an empty array when the server has closed the connection.
    func receive() -> [UInt8] {
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
      }
    }
  }

  /// The answer to a request.
  struct Answer {
    let head: String
    let body: String

    /// Removes a complete answer from the start of the bytes; nil if it is not complete yet.
    init?(takingFrom bytes: inout [UInt8]) {
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
      guard bytes.count >= end.upperBound + length else { return nil }
      body = String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self)
      bytes.removeFirst(end.upperBound + length)
    }

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
  }
#endif
