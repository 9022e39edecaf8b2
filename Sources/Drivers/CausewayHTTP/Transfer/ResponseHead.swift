import CausewayNetwork

/// Parses the status and the header fields of a response, line by line.
struct ResponseHead {
  enum Event: Equatable {
    /// The parser needs the next line.
    case more
    /// An interim response (1xx) has ended.
    ///
    /// The final response follows.
    case interim
    /// All header fields are complete.
    ///
    /// The length is the length of the body, if it is known.
    case complete(NetworkResponse, length: Int?)
    /// All lines together exceed the limit.
    case tooLarge
    /// The header fields contradict each other, so the length of the body is unknown.
    case malformed(String)
  }

  /// The limit of all lines before and after the body, in bytes, including interim responses.
  static let standardLimit = 256 << 10

  let limit: Int
  private(set) var isComplete = false
  private var count = 0
  private var status = 0
  private var fields: [(name: String, value: String)] = []

  init(limit: Int = Self.standardLimit) {
    self.limit = limit
  }

  /// Parses the next line.
  ///
  /// - Parameter line: The next line with its line ending; after the body, a trailer line.
  /// - Complexity: O(*n*) in the bytes of the line; for the last line, in the bytes of all lines.
  mutating func read(_ line: some BidirectionalCollection<UInt8>) -> Event {
    count += line.count
    if count > limit { return .tooLarge }
    // Trailer fields are ignored.
    if isComplete { return .more }
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { return end() }
    let text = Self.trimmed(line)
    if text.starts(with: "HTTP/".utf8) {
      status = Self.status(text)
      fields = []
    } else if line.first == 0x20 || line.first == 0x09 {
      // The line continues the previous field (RFC 9112, 5.2).
      if let last = fields.indices.last { fields[last].value += " \(Self.string(text))" }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let name = Self.string(text[..<colon]).lowercased()
      fields.append((name, Self.string(Self.trimmed(text[text.index(after: colon)...]))))
    }
    return .more
  }

  private mutating func end() -> Event {
    // Status 101 is final: the connection switches to another protocol.
    if (100...199).contains(status), status != 101 {
      status = 0
      fields = []
      return .interim
    }
    isComplete = true
    // Several fields with the same name are equivalent to one field with commas (RFC 9110, 5.3).
    // They are joined in one step. Joining 50,000 fields one by one would block the service's
    // thread for half a second.
    let values = Dictionary(grouping: fields, by: \.name)
    let headers = NetworkHeaders(
      values.map { ($0.key, $0.value.map(\.value).joined(separator: ", ")) })
    // With two different lengths, a server or a proxy could hide a second response in the body of
    // the first (RFC 9112, 6.3). Several fields with the same value are allowed.
    let lengths = values["content-length"]?.flatMap { field in
      field.value.split(separator: ",", omittingEmptySubsequences: false).map {
        Self.string(Self.trimmed(Array($0.utf8)))
      }
    }
    if let lengths, Set(lengths).count > 1 {
      return .malformed("the answer has several lengths: \(lengths.joined(separator: ", "))")
    }
    // The end of a body with an unknown coding is unknown too. The service asks for no coding, so
    // `chunked` is the only coding that a server may use (RFC 9112, 6.1).
    if let coding = headers["transfer-encoding"],
      !["chunked", "identity"].contains(coding.lowercased())
    {
      return .malformed("the answer has the unknown Transfer-Encoding \"\(coding.prefix(100))\"")
    }
    let response = NetworkResponse(status: status, headers: headers)
    // Responses with status 204 and 304 have no body, even if their header fields announce one (RFC
    // 9112, 6.3).
    let hasBody = status != 204 && status != 304
    return .complete(response, length: hasBody ? Self.length(headers, lengths?.first) : 0)
  }

  /// The number of bytes of the body; `nil` if it is unknown, for example for a compressed body.
  private static func length(_ headers: NetworkHeaders, _ text: String?) -> Int? {
    let encoding = headers["content-encoding"]?.lowercased() ?? "identity"
    guard headers["transfer-encoding"] == nil, encoding == "identity",
      let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func status(_ line: some Collection<UInt8>) -> Int {
    let words = line.split(separator: 0x20, maxSplits: 2)
    return words.count > 1 ? Int(string(words[1])) ?? 0 : 0
  }

  private static func string(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
    _ bytes: Bytes
  ) -> Bytes.SubSequence {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = bytes[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest
  }
}
