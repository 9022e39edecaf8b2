import CMicroHTTPD
import Foundation
import Synchronization

/// Connects a source of bytes to the connection that reads them.
///
/// The polling thread calls ``read(into:)``. While the source has no bytes, the connection is
/// suspended, because the library would otherwise poll in a loop. The body holds its lock from the
/// request to the source until the connection is suspended. A wake waits for this lock. Otherwise
/// the wake could resume a connection that is not suspended, which the library forbids. Or the wake
/// could be lost, and the stream would stop.
final class ConnectionStream: Sendable {
  private struct State {
    /// Nil after the response has ended, because the connection may be closed then.
    var connection: LibraryHandle?
    var isSuspended = false
    var isEnding = false
    var isHeartbeatDue = false
    var chunk: [UInt8] = []
    var sent = 0
    /// Whether the library's buffer may have pages in memory that it does not need.
    var usesPages = true
    /// When the pages of the library's buffer were released last.
    var lastRelease: ContinuousClock.Instant?
    var lastRead: ContinuousClock.Instant

    /// Releases the pages of the empty buffer, unless that happened just before.
    mutating func releasePages(of buffer: UnsafeMutableBufferPointer<UInt8>) {
      guard usesPages else { return }
      if let lastRelease, lastRead - lastRelease < ConnectionStream.releaseInterval { return }
      ConnectionStream.releasePages(of: buffer)
      (usesPages, lastRelease) = (false, lastRead)
    }
  }

  /// A comment of an event stream.
  ///
  /// It keeps proxies from closing the stream, and detects clients that have disconnected.
  private static let heartbeat = Array(":\n\n".utf8)
  /// MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR.
  private static let endOfStream = -1
  private static let endWithError = -2

  private let source: any StreamSource
  private let socket: Int32
  private let state: Mutex<State>

  /// Opens the source; the connection must live until ``close()``.
  init(source: any StreamSource, connection: LibraryHandle) {
    self.source = source
    socket = causeway_connection_socket(connection.pointer)
    state = Mutex(State(connection: connection, lastRead: .now))
    source.opened(
      by: StreamBody(onWake: { [self] in wake() }, onDisconnect: { [self] in disconnect() }))
  }

  /// Copies the bytes that are ready; called on the polling thread only.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    state.withLock { state in
      guard let connection = state.connection else { return Self.endWithError }
      state.lastRead = .now
      if state.sent == state.chunk.count {
        if state.isEnding { return Self.endOfStream }
        if isReaderGone { return Self.endWithError }
        switch source.step() {
        case .end: return Self.endOfStream
        case .bytes(let bytes): state.chunk = bytes
        case .wait where state.isHeartbeatDue: state.chunk = Self.heartbeat
        case .wait:
          state.releasePages(of: buffer)
          state.chunk = []
          state.sent = 0
          state.isSuspended = true
          MHD_suspend_connection(connection.pointer)
          return 0
        }
        state.isHeartbeatDue = false
        state.sent = 0
      }
      let count = min(buffer.count, state.chunk.count - state.sent)
      state.chunk.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[state.sent..<state.sent + count]))
      }
      state.sent += count
      if count > Self.pageSize { state.usesPages = true }
      return count
    }
  }

  /// Resumes a suspended stream when the source has more bytes.
  func wake() {
    state.withLock { Self.resume(&$0) }
  }

  /// Ends the stream after the bytes that were passed on already.
  func end() {
    state.withLock {
      $0.isEnding = true
      Self.resume(&$0)
    }
  }

  /// Closes the connection, even if the client has not read what was sent.
  ///
  /// The library notices the closed socket and ends the response. The descriptor cannot belong to
  /// another connection before ``close()``.
  private func disconnect() {
    state.withLock { state in
      guard state.connection != nil else { return }
      state.isEnding = true
      shutdown(socket, Int32(SHUT_RDWR))
      Self.resume(&state)
    }
  }

  /// Sends a heartbeat if the stream has sent nothing since the given instant.
  func beat(ifQuietSince limit: ContinuousClock.Instant) {
    state.withLock {
      guard $0.isSuspended, $0.lastRead <= limit else { return }
      $0.isHeartbeatDue = true
      Self.resume(&$0)
    }
  }

  /// Ends the response.
  ///
  /// After this call, the connection is not used any more.
  func close() {
    state.withLock { $0.connection = nil }
    source.closed()
  }

  /// The shortest time between two releases of a stream's pages.
  ///
  /// A release and the page faults after it take longer than the copy of an event. The pages of the
  /// last event are released after the next heartbeat.
  private static let releaseInterval = Duration.seconds(1)

  /// Returns the memory of an empty buffer to the system.
  ///
  /// The library's buffer takes tens of kilobytes for each connection. An idle stream needs none of
  /// them. The buffer contains no bytes to send now, so this function may fill it with zeros. It
  /// leaves out pages that also contain other data.
  private static func releasePages(of buffer: UnsafeMutableBufferPointer<UInt8>) {
    #if !canImport(Darwin)
      guard let start = buffer.baseAddress else { return }
      let address = Int(bitPattern: start)
      let first = (address + pageSize - 1) & -pageSize
      let length = (address + buffer.count) & -pageSize - first
      if length > 0 { madvise(start + (first - address), length, MADV_DONTNEED) }
    #endif
  }

  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  private static func resume(_ state: inout State) {
    guard state.isSuspended, let connection = state.connection else { return }
    state.isSuspended = false
    MHD_resume_connection(connection.pointer)
  }

  /// Whether the client has disconnected.
  ///
  /// The library does not poll a suspended connection, so this checks the socket.
  private var isReaderGone: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }
}
