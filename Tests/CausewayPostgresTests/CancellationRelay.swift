import Foundation
import TestSupport

/// Passes connections on to a server, and loses the first requests to stop a statement.
///
/// A server ignores such a request in the same way if it is between two messages of a batch.
final class CancellationRelay: Sendable {
  /// The requests to stop a statement, lost or not.
  let requests: Log<[UInt8]>
  private let server: RawServer

  /// - Parameters:
  ///   - directory: The directory of the server's socket.
  ///   - lost: The number of requests to lose.
  init(_ directory: String, losing lost: Int) throws {
    let requests = Log<[UInt8]>()
    self.requests = requests
    server = try RawServer.serving { _, client in
      let first = client.receive()
      if first.count == 16, Array(first[4..<8]) == [0x04, 0xD2, 0x16, 0x2E] {
        requests.append(first)
        if requests.all.count <= lost { return }
      }
      guard let server = Self.connect(directory) else { return }
      Self.pass(first, between: client, and: server)
    }
  }

  /// The address of the relay, in place of the address of the server.
  func url(_ url: String, _ directory: String) -> String {
    url.replacing("host=\(directory)", with: "host=127.0.0.1&port=\(server.port)")
      + "&sslmode=disable&gssencmode=disable"
  }

  private static func connect(_ directory: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: "\(directory)/.s.PGSQL.5432".utf8.prefix(bytes.count - 1))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, size)
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Passes bytes in both directions until one side closes the connection.
  private static func pass(_ first: [UInt8], between client: RawConnection, and server: Int32) {
    let hasEnded = DispatchSemaphore(value: 0)
    Thread {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(server, &buffer, buffer.count, 0)
        guard count > 0, client.send(Array(buffer.prefix(count))) else { break }
      }
      client.end()
      hasEnded.signal()
    }.start()
    var bytes = first
    while !bytes.isEmpty {
      guard send(server, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
      bytes = client.receive()
    }
    shutdown(server, Int32(SHUT_RDWR))
    hasEnded.wait()
    close(server)
  }
}
