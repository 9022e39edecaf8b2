import CausewayNetwork
import Synchronization

/// The file of a download, over all requests that the download needs.
///
/// After a lost connection, the next request asks for the rest (RFC 9110, 14.2). It does so only if
/// the server has sent a strong validator, and the body was not packed: the server counts packed
/// bytes.
final class Download: Sendable {
  private struct State {
    var file: DownloadFile?
    var length = 0
    /// Identifies the content whose beginning is in the file.
    var validator: String?
    /// Whether the last request has asked for the rest.
    var asksForRest = false
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) {
    self.path = path
  }

  deinit {
    discard()
  }

  /// The number of bytes that the file has.
  var length: Int { state.withLock(\.length) }

  /// Creates the file if it is missing, and returns the header fields for the next request.
  func prepare(_ request: NetworkRequest) throws(NetworkError) -> NetworkHeaders {
    try state.withLock { state throws(NetworkError) in
      if state.file == nil { state.file = try DownloadFile(path: path) }
      state.asksForRest = false
      // If the app itself asks for a part of the content, the service cannot ask for a rest.
      guard state.length > 0, let validator = state.validator, request.headers["range"] == nil
      else { return [:] }
      state.asksForRest = true
      return [
        "range": "bytes=\(state.length)-", "if-range": validator, "accept-encoding": "identity",
      ]
    }
  }

  /// Receives the head of a successful response.
  ///
  /// - Returns: The position of the first byte of the response in the content.
  func begin(_ head: NetworkResponse) throws(NetworkError) -> Int {
    try state.withLock { state throws(NetworkError) in
      guard state.asksForRest, head.status == 206 else {
        try restart(&state)
        state.validator = Self.validator(of: head)
        return 0
      }
      let tag = head.headers["etag"]
      guard Self.start(of: head) == state.length, !Self.isPacked(head),
        tag == nil || state.validator?.first != "\"" || tag == state.validator
      else {
        try restart(&state)
        throw NetworkError(.connectionLost, message: "the server sent another part of the content")
      }
      return state.length
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    try state.withLock { state throws(NetworkError) in
      try state.file?.append(bytes)
      state.length += bytes.count
    }
  }

  /// Makes the next request ask for the whole content, because the server refused to send the rest.
  ///
  /// - Returns: Whether the refused request asked for the rest.
  func restartAfterRefusal() -> Bool {
    state.withLock { state in
      state.validator = nil
      return state.asksForRest
    }
  }

  /// Moves the file to its path.
  func commit() throws(NetworkError) {
    let file = state.withLock { $0.file.take() }
    try file?.commit()
  }

  /// Deletes the unfinished file.
  func discard() {
    state.withLock { $0.file.take() }?.discard()
  }

  private func restart(_ state: inout State) throws(NetworkError) {
    state.validator = nil
    guard state.length > 0 else { return }
    state.file.take()?.discard()
    state.length = 0
    state.file = try DownloadFile(path: path)
  }

  /// Returns a validator that changes if any byte changes; `nil` if there is none.
  private static func validator(of head: NetworkResponse) -> String? {
    guard head.status == 200, !isPacked(head), head.headers["accept-ranges"] != "none" else {
      return nil
    }
    if let tag = head.headers["etag"] { return tag.hasPrefix("\"") ? tag : nil }
    // Content that changed in the second of this response may change again in the same second.
    let date = head.headers["last-modified"]
    return date == head.headers["date"] ? nil : date
  }

  private static func isPacked(_ head: NetworkResponse) -> Bool {
    head.headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false
  }

  /// The first position of a `Content-Range`.
  private static func start(of head: NetworkResponse) -> Int? {
    guard let range = head.headers["content-range"]?.lowercased(), range.hasPrefix("bytes ") else {
      return nil
    }
    return range.dropFirst(6).split(separator: "-").first.flatMap {
      Int($0.filter { $0 != " " })
    }
  }
}
