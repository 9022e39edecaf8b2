#if os(Linux)
  import CEpoll
  import Foundation

  /// A browser tab: a session and its event stream.
  final class Tab {
    let session: String
    let cookie: String
    let state: String
    let stream: Socket
    private(set) var isConnected = false
    /// The text that the tab waits for.
    var marker: [UInt8] = []
    /// The end of the bytes that were already searched.
    private var tail: [UInt8] = []
    /// The number of the last action.
    private var number = 0
    private let version: String
    /// The header fields of the host, the client's address and the browser.
    let fields: String

    /// Loads the page and connects; the stream is opened by ``open()``.
    ///
    /// - Parameters:
    ///   - known: The cookie of the browser; nil for a new browser.
    ///   - origin: The header fields of the host and the client's address.
    ///   - ended: The session of the tab's last page, which may have got a new cookie.
    init(
      port: UInt16, cookie known: String?, pages: Socket, origin: String = "Host: localhost\r\n",
      after ended: String? = nil
    ) throws {
      let field = known.map { "Cookie: \($0)\r\n" } ?? ""
      let old = ended.map { "Causeway-Session: \($0)\r\n" } ?? ""
      let page = try pages.exchange(
        "GET / HTTP/1.1\r\n\(origin)Accept: application/json\r\n\(field)\(old)\r\n")
      guard page.status == 200,
        let session = page.body.firstMatch(of: /"session":"([0-9a-f]+)"/)?.1,
        let version = page.body.firstMatch(of: /"version":"?([^",}]+)/)?.1,
        let cookie = page.head.firstMatch(of: /Set-Cookie: ([^;]+)/).map({ String($0.1) }) ?? known
      else { throw Unexpected(answer: page.head + page.body.prefix(500)) }
      self.session = String(session)
      self.version = String(version)
      self.cookie = cookie
      fields = "\(origin)Cookie: \(cookie)\r\n"
      state = page.body
      stream = try Socket(port: port)
    }

    func open() throws {
      try stream.send(
        "GET /_causeway/stream HTTP/1.1\r\n\(fields)Causeway-Session: \(session)\r\n"
          + "Last-Event-ID: \(version)\r\n\r\n")
    }

    /// Reads the stream until the server ends it, because the session of the page has ended.
    func waitForEnd() throws {
      var text = ""
      while !text.hasSuffix("\r\n0\r\n\r\n") {
        let bytes = stream.receive()
        text += String(decoding: bytes, as: UTF8.self)
        // The page shows why a sign-up was refused.
        guard !bytes.isEmpty, !text.contains(#""problem":"#) else { throw Unexpected(answer: text) }
      }
    }

    /// The request that sends the next action.
    func request(_ action: String) -> String {
      number += 1
      return
        "POST /_causeway/action HTTP/1.1\r\n\(fields)Causeway-Session: \(session)\r\n"
        + "Causeway-Sequence: \(number)\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(action.utf8.count)\r\n\r\n\(action)"
    }

    /// Reads the bytes that have arrived, and returns whether they contain the marker.
    func read() throws -> Bool {
      let bytes = stream.receive()
      guard !bytes.isEmpty else { throw POSIXError(.ECONNRESET) }
      isConnected = true
      guard !marker.isEmpty else { return false }
      let text = tail + bytes
      let isFound = text.withUnsafeBytes { text in
        marker.withUnsafeBytes {
          causeway_contains(text.baseAddress, text.count, $0.baseAddress, $0.count) != 0
        }
      }
      tail = isFound ? [] : text.suffix(marker.count - 1)
      if isFound { marker = [] }
      return isFound
    }
  }

  /// An answer that the benchmark cannot use.
  struct Unexpected: Error, CustomStringConvertible {
    let answer: String
    var description: String { "unexpected answer: \(answer)" }
  }
#endif
