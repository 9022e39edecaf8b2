import CMicroHTTPD
import Foundation

/// Passes responses to the library.
enum OutgoingResponse {
  /// Queues a response, and returns the body if it is a stream.
  ///
  /// Must be called on the polling thread, for a connection that is not suspended.
  static func queue(
    _ response: Response, on connection: LibraryHandle, isHead: Bool
  ) -> (result: MHD_Result, stream: ConnectionStream?) {
    let (created, stream) = create(response.body, connection, isHead: isHead)
    // The system is out of memory, so the library closes the connection.
    guard let created else { return (.NO, nil) }
    defer { MHD_destroy_response(created) }
    for (name, value) in response.headers {
      MHD_add_response_header(created, name, value)
    }
    let result = MHD_queue_response(connection.pointer, UInt32(response.status.code), created)
    return (result, result == .YES ? stream : nil)
  }

  private static func create(
    _ body: Response.Body, _ connection: LibraryHandle, isHead: Bool
  ) -> (OpaquePointer?, ConnectionStream?) {
    switch body {
    case .empty: return (empty(), nil)
    case .bytes(let bytes):
      let created = bytes.withUnsafeBytes { buffer in
        // The library copies the bytes. The parameter is mutable only for the library's other
        // modes.
        MHD_create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          .RESPMEM_MUST_COPY)
      }
      return (created, nil)
    case .file(let file, let offset, let length):
      // The library closes the descriptor that it receives, so it receives a duplicate.
      let descriptor = dup(file.descriptor)
      guard descriptor >= 0 else { return (nil, nil) }
      let created = MHD_create_response_from_fd_at_offset64(length, descriptor, offset)
      if created == nil { close(descriptor) }
      return (created, nil)
    case .stream(let source) where isHead:
      source.closed()
      return (empty(), nil)
    case .stream(let source):
      let stream = ConnectionStream(source: source, connection: connection)
      let context = Unmanaged.passRetained(stream)
      // The library uses this buffer only for clients without support for chunks (HTTP/1.0). Each
      // stream has a buffer, so the buffer is small.
      let created = MHD_create_response_from_callback(
        UInt64.max, 1 << 10, readStream, context.toOpaque(), closeStream)
      if created == nil { context.takeRetainedValue().close() }
      return (created, stream)
    }
  }

  private static func empty() -> OpaquePointer? {
    MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
  }
}

/// The library calls this on its polling thread.
private nonisolated func readStream(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
  guard let context, let buffer else { return -2 }
  let stream = Unmanaged<ConnectionStream>.fromOpaque(context).takeUnretainedValue()
  return buffer.withMemoryRebound(to: UInt8.self, capacity: capacity) {
    stream.read(into: UnsafeMutableBufferPointer(start: $0, count: capacity))
  }
}

/// The library calls this once, when the response has ended.
private nonisolated func closeStream(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ConnectionStream>.fromOpaque(context).takeRetainedValue().close()
}
