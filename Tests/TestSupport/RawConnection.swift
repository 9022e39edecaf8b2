import Foundation

/// A client's connection to a ``RawServer``, whose calls block the thread.
public struct RawConnection: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Sends text.
  ///
  /// Returns false when the client has closed the connection.
  @discardableResult
  public func send(_ text: String) -> Bool {
    send(Array(text.utf8))
  }

  /// Sends bytes.
  ///
  /// Returns false when the client has closed the connection.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        Self.uninterrupted {
          Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns when the client has closed the connection.
  public func waitForClose() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while Self.uninterrupted({ recv(descriptor, &buffer, buffer.count, 0) }) > 0 {}
  }

  /// The next bytes; none when the client has closed the connection.
  public func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Self.uninterrupted { recv(descriptor, &buffer, buffer.count, 0) }
    return Array(buffer.prefix(max(0, count)))
  }

  /// Resets the connection instead of closing it when the response returns.
  public func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends the sending direction.
  ///
  /// The client sees the end when this returns.
  public func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// The next request, or `nil` when the client has closed the connection.
  ///
  /// - Parameter number: The number that the request gets.
  public func readRequest(number: Int) -> RawServer.Request? {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var headEnd: Int?
    var request: RawServer.Request?
    while true {
      if headEnd == nil, let end = Self.endOfHead(received) {
        headEnd = end
        request = Self.parse(received[..<end], number)
      }
      if let headEnd, var request {
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        if received.count - headEnd >= length {
          request.body = Array(received[headEnd...].prefix(length))
          return request
        }
        if request.headers["expect"] == "100-continue" {
          send("HTTP/1.1 100 Continue\r\n\r\n")
        }
      }
      let count = Self.uninterrupted { recv(descriptor, &buffer, buffer.count, 0) }
      guard count > 0 else { return nil }
      received.append(contentsOf: buffer[..<count])
    }
  }

  /// Repeats a call that a signal has interrupted, because the connection has not ended.
  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in 0...(bytes.count - 4) where bytes[index] == 13 {
      if bytes[index...].starts(with: [13, 10, 13, 10]) { return index + 4 }
    }
    return nil
  }

  private static func parse(_ head: ArraySlice<UInt8>, _ number: Int) -> RawServer.Request {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return RawServer.Request(
      number: number, method: String(words.first ?? ""),
      target: String(words.dropFirst().first ?? ""), headers: headers, body: [])
  }
}
