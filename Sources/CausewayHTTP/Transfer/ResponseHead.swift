import CausewayData

/// The status and the header fields of an answer, as a value: it is told line by line.
struct ResponseHead {
  enum Event: Equatable {
    /// There are more lines to come.
    case more
    /// An interim answer (1xx) has ended; the real one follows.
    case interim
    /// All header fields are there. The length is that of the body, if it is known.
    case complete(NetworkResponse, length: Int?)
    /// The lines have more bytes than the limit.
    case tooLarge
    /// The header fields contradict each other, so the end of the body is not known.
    case malformed(String)
  }

  /// How many bytes an answer may have before its body and after it, interim answers included.
  static let standardLimit = 256 << 10

  let limit: Int
  private(set) var isComplete = false
  private var count = 0
  private var status = 0
  private var fields: [(name: String, value: String)] = []

  init(limit: Int = Self.standardLimit) {
    self.limit = limit
  }

  /// Reads on.
  ///
  /// - Parameter line: The next line with its end; after the body, one of the trailer.
  /// - Complexity: O(*n*) in the bytes of the line, and in those of all lines with the last one.
  mutating func read(_ line: some BidirectionalCollection<UInt8>) -> Event {
    count += line.count
    if count > limit { return .tooLarge }
    // A trailer says nothing that anybody here asks for.
    if isComplete { return .more }
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { return end() }
    let text = Self.trimmed(line)
    if text.starts(with: "HTTP/".utf8) {
      status = Self.status(text)
      fields = []
    } else if line.first == 0x20 || line.first == 0x09 {
      // A field that goes on in the next line (RFC 9112, 5.2).
      if let last = fields.indices.last { fields[last].value += " \(Self.string(text))" }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let name = Self.string(text[..<colon]).lowercased()
      fields.append((name, Self.string(Self.trimmed(text[text.index(after: colon)...]))))
    }
    return .more
  }

  private mutating func end() -> Event {
    // After 101 the connection no longer speaks HTTP: nothing else follows.
    if (100...199).contains(status), status != 101 {
      status = 0
      fields = []
      return .interim
    }
    isComplete = true
    // Several fields of a name mean the same as one with commas (RFC 9110, 5.3). They are joined at
    // once: one after the other, 50,000 of them would hold up the service's thread for half a second.
    let values = Dictionary(grouping: fields, by: \.name)
    let headers = NetworkHeaders(
      values.map { ($0.key, $0.value.map(\.value).joined(separator: ", ")) })
    // Two lengths let a server or a proxy hide a second answer in the body of the first one
    // (RFC 9112, 6.3). Fields that repeat one value are allowed.
    let lengths = values["content-length"]?.flatMap { field in
      field.value.split(separator: ",", omittingEmptySubsequences: false).map {
        Self.string(Self.trimmed(Array($0.utf8)))
      }
    }
    if let lengths, Set(lengths).count > 1 {
      return .malformed("the answer has several lengths: \(lengths.joined(separator: ", "))")
    }
    let response = NetworkResponse(status: status, headers: headers)
    // These have no body, whatever their fields say (RFC 9112, 6.3).
    let hasBody = status != 204 && status != 304
    return .complete(response, length: hasBody ? Self.length(headers, lengths?.first) : 0)
  }

  /// The number of bytes that will arrive; `nil` if it is not known, as for a packed body.
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
