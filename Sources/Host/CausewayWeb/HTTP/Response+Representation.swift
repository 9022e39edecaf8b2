extension Response {
  /// Answers with a representation that has an entity tag.
  ///
  /// The status is 304 when the browser has this version already, 206 for a byte range, 416 for a
  /// range beyond the end, and 200 otherwise.
  static func representation(
    of content: Content, type: String, cacheControl: String, for request: Request
  ) -> Response {
    let tag = content.entityTag
    var headers: HTTPHeaders = [
      "ETag": tag, "Cache-Control": cacheControl, "Accept-Ranges": "bytes",
    ]
    // A cache must not send a compressed form to a client without gzip. Every answer has the field,
    // even a 304 or a 206 (RFC 9110, section 15.4.5).
    if case .bytes(let bytes, _) = content, Compression.mayCompress(bytes, type: type) {
      headers["Vary"] = "Accept-Encoding"
    }
    if let known = request.headers["If-None-Match"], EntityTag.list(known, contains: tag) {
      return Response(.notModified, headers: headers, body: .empty)
    }
    headers["Content-Type"] = type
    // `If-Range` names the version of the parts that the browser has. A range of another version
    // must not be joined with them.
    let condition = request.headers["If-Range"]
    let field = condition == nil || condition == tag ? request.headers["Range"] : nil
    switch ByteRange(field: field, size: content.size) {
    case .whole:
      return Response(.ok, headers: headers, body: content.body(0..<content.size))
    case .part(let range):
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.size)"
      return Response(.partialContent, headers: headers, body: content.body(range))
    case .unsatisfiable:
      return Problem(
        .rangeNotSatisfiable, code: "range-not-satisfiable",
        detail: "The requested range lies beyond the \(content.size) bytes of this resource.",
        headers: ["Content-Range": "bytes */\(content.size)"]
      ).response
    }
  }

  /// The bytes of a representation.
  enum Content: Sendable {
    case bytes([UInt8], entityTag: String)
    case file(OpenFile)

    var entityTag: String {
      switch self {
      case .bytes(_, let tag): tag
      case .file(let file): file.entityTag
      }
    }

    var size: UInt64 {
      switch self {
      case .bytes(let bytes, _): UInt64(bytes.count)
      case .file(let file): file.size
      }
    }

    func body(_ range: Range<UInt64>) -> Body {
      switch self {
      case .bytes(let bytes, _):
        .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
      case .file(let file):
        .file(file, offset: range.lowerBound, length: UInt64(range.count))
      }
    }
  }
}

extension Response {
  /// Answers with bytes and their entity tag, or with the byte range that the client requests.
  ///
  /// The status is 304 if the client has these bytes already. Use it for bytes that a route reads,
  /// for example from a database. For bytes that stay in memory, use
  /// ``WebServer/asset(_:_:type:)``.
  ///
  /// Complexity: O(n) in the number of bytes.
  public static func representation(
    of bytes: some Sequence<UInt8>, type: String, for request: Request
  ) -> Response {
    let bytes = Array(bytes)
    return representation(
      of: .bytes(bytes, entityTag: EntityTag.of(bytes)), type: type,
      cacheControl: "private, no-cache", for: request)
  }
}
