import Foundation

@testable import CausewayWeb

/// A plain socket, for bytes that a proper client would never send.
///
/// Reading blocks, so everything runs on its own thread. Cancelling the task ends both directions of
/// the connection, so a test beyond its time limit ends.
struct RawConnection: Sendable {
  private let descriptor: Int32

  init(_ address: ServerAddress, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    inet_pton(AF_INET, address.host, &name.sin_addr)
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      let code = errno
      Foundation.close(descriptor)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ECONNREFUSED)
    }
  }

  func send(_ text: String) async {
    await onThread {
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
      }
    }
  }

  /// Reads until the text contains the expected part, or the other side closes.
  ///
  /// The closure gets the newest bytes and at least 4,096 before them. A whole long text for each
  /// small piece would take minutes under a sanitizer.
  func read(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) async -> String {
    await onThread {
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        received.append(contentsOf: buffer[..<count])
        if isEnough(String(decoding: received.suffix(count + 4096), as: UTF8.self)) { break }
      }
      return String(decoding: received, as: UTF8.self)
    }
  }

  func close() { Foundation.close(descriptor) }

  private func onThread<Value: Sendable>(_ run: @escaping @Sendable () -> Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: run()) }.start()
      }
    } onCancel: {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }
}
