import CMicroHTTPD
import Foundation

/// A request as the library delivers it, and the reason to refuse it.
struct IncomingRequest {
  let connection: LibraryHandle
  let request: Request
  private let method: String
  private let version: String
  private let headerBytes: Int
  private let longestField: Int
  private let note: AddressNote?
  private let hasOddField: Bool
  /// Whether the library has reported every byte of the head.
  private let isWhole: Bool
  /// The host in an address such as `http://localhost/items`.
  private let addressedHost: String?

  /// The maximum number of query items.
  static let queryItemLimit = 256

  /// Reads the head of a request during the library's first call for it.
  ///
  /// - Parameter note: The note about the address.
  init(
    _ connection: OpaquePointer, address: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>?, note: AddressNote?
  ) {
    let path = String(cString: address)
    let method = (pointer: method, name: String(cString: method))
    self.connection = LibraryHandle(connection)
    self.method = method.name
    self.version = version.map { String(cString: $0) } ?? ""
    self.note = note
    var headers = Fields()
    if let version, let note {
      headers.layout = HeadLayout(
        method: method.pointer, address: address, addressLength: note.length, version: version)
    }
    withUnsafeMutablePointer(to: &headers) {
      _ = MHD_get_connection_values_n(connection, .HEADER_KIND, fieldCallback, $0)
    }
    isWhole =
      causeway_library_is_strict()
      || headers.layout?.isComplete(causeway_head_size(connection)) ?? false
    var query = Fields()
    withUnsafeMutablePointer(to: &query) {
      _ = MHD_get_connection_values_n(connection, .GET_ARGUMENT_KIND, fieldCallback, $0)
    }
    longestField = headers.longest
    hasOddField = headers.hasOddField
    let (host, plainPath) = Self.parts(of: path)
    addressedHost = host
    headerBytes = path.utf8.count + headers.bytes + query.bytes
    request = Request(
      method: HTTPMethod(rawValue: method.name) ?? .get, path: plainPath, headers: headers.headers,
      remoteAddress: self.connection.clientAddress,
      queryItems: query.items)
  }

  /// Splits the absolute form of an address (RFC 9112, section 3.2.2).
  private static func parts(of address: String) -> (host: String?, path: String) {
    guard !address.hasPrefix("/"), let colon = address.prefix(8).firstRange(of: "://"),
      ["http", "https"].contains(address[..<colon.lowerBound].lowercased())
    else { return (nil, address) }
    let rest = address[colon.upperBound...]
    let host = rest.prefix { $0 != "/" }
    return (String(host), host.endIndex == rest.endIndex ? "/" : String(rest[host.endIndex...]))
  }

  /// The length of the body in `Content-Length`; 0 without that field.
  var declaredLength: Int { request.headers["Content-Length"].flatMap(Int.init) ?? 0 }

  func problem(limits: WebServerLimits) -> Problem? {
    if let framing = framingProblem { return framing }
    if note?.isCut == true {
      return Problem(
        HTTPStatus(414), code: "too-many-query-items",
        detail: "The query must not have more than \(Self.queryItemLimit) items.",
        headers: ["Connection": "close"])
    }
    if HTTPMethod(rawValue: method) == nil {
      // No route answers `OPTIONS`.
      let all = HTTPMethod.allCases.filter { $0 != .options }.map(\.rawValue)
        .joined(separator: ", ")
      return Problem(
        .methodNotAllowed, code: "method-not-allowed",
        detail: "This server does not support the method \(method).", headers: ["Allow": all])
    }
    if headerBytes > limits.headerBytes {
      return Problem(
        .headerFieldsTooLarge, code: "header-too-large",
        detail: "The header fields must not be larger than \(limits.headerBytes) bytes.",
        headers: ["Connection": "close"])
    }
    if longestField > limits.headerFieldBytes {
      return Problem(
        .headerFieldsTooLarge, code: "header-field-too-large",
        detail: "A header field must not be larger than \(limits.headerFieldBytes) bytes.",
        headers: ["Connection": "close"])
    }
    return nil
  }
}

extension IncomingRequest {
  /// A reason why a proxy and this server could disagree about the request's end or its host.
  ///
  /// The server refuses such a request and reads no further, because it cannot trust the bytes that
  /// follow (RFC 9112, sections 3.2 and 6.3).
  private var framingProblem: Problem? {
    let lengths = request.headers.values("Content-Length")
    let encodings = request.headers.values("Transfer-Encoding")
    let hosts = request.headers.values("Host")
    if !isWhole {
      return Self.ambiguous(
        "Its head has a NUL byte, a line without CR LF, a continued line or a field without a name."
      )
    }
    if lengths.count > 1 { return Self.ambiguous("It has more than one Content-Length.") }
    if hasOddField { return Self.ambiguous("A field has a name or a value that is not allowed.") }
    if hosts.isEmpty, version != "HTTP/1.0" { return Self.ambiguous("It has no Host.") }
    if hosts.count > 1 { return Self.ambiguous("It has more than one Host.") }
    if note?.isOdd == true {
      return Self.ambiguous("Its address contains a space or a control character.")
    }
    if let addressedHost, addressedHost.lowercased() != hosts.first?.lowercased() {
      return Self.ambiguous("Its address and its Host name different hosts.")
    }
    if request.headers.values("Origin").count > 1 {
      return Self.ambiguous("It has more than one Origin.")
    }
    if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ 48...57 ~= $0 }) {
      return Self.ambiguous("Its Content-Length is not a number.")
    }
    guard !encodings.isEmpty else { return nil }
    if !lengths.isEmpty {
      return Self.ambiguous("It has both a Content-Length and a Transfer-Encoding.")
    }
    if encodings.count > 1 || encodings[0].lowercased() != "chunked" {
      return Self.ambiguous("Its Transfer-Encoding is not \"chunked\".")
    }
    guard version == "HTTP/1.1" else {
      return Self.ambiguous("A Transfer-Encoding needs HTTP/1.1.")
    }
    return Self.chunked
  }

  /// The refusal of a body in chunks (RFC 9112, section 6.3).
  ///
  /// The library removes the framing of chunks before the server sees the body. It accepts a line
  /// feed as the end of a chunk's size, and a trailer field without a name as the end of a request.
  private static let chunked = Problem(
    HTTPStatus(411), code: "length-required",
    detail: "A body must have a Content-Length; this server does not read chunks.",
    headers: ["Connection": "close"])

  private static func ambiguous(_ reason: String) -> Problem {
    Problem(
      .badRequest, code: "ambiguous-request",
      detail: "The request could be read in two ways. \(reason)",
      headers: ["Connection": "close"])
  }
}

private struct Fields {
  var items: [(name: String, value: String)] = []
  var bytes = 0
  var longest = 0
  /// Whether a name is not a token, such as `Content-Length ` with a space, or a value has a control
  /// character (RFC 9110, sections 5.1 and 5.5).
  ///
  /// The library ignores such a field, but a proxy may use it.
  var hasOddField = false
  var layout: HeadLayout?

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in items { headers.add(name, value) }
    return headers
  }
}

/// The library calls this for each field, during the call that received the context.
private nonisolated func fieldCallback(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameLength: Int, _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
  guard let context else { return .NO }
  let fields = context.assumingMemoryBound(to: Fields.self)
  guard let name else {
    fields.pointee.hasOddField = true
    return .YES
  }
  let item = (String(cString: name), value.map { String(cString: $0) } ?? "")
  // The four additional bytes are a colon, a space, and the end of the line.
  let size = item.0.utf8.count + item.1.utf8.count + 4
  fields.pointee.bytes += size
  fields.pointee.longest = max(fields.pointee.longest, size)
  fields.pointee.items.append(item)
  guard kind == .HEADER_KIND else { return .YES }
  if isOdd(item.0) || item.1.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) {
    fields.pointee.hasOddField = true
  }
  if let value {
    fields.pointee.layout?.add(name: name, nameLength, value: value, valueLength)
  } else {
    fields.pointee.hasOddField = true
  }
  return .YES
}

/// Whether a field name is not a token, or the library has damaged it.
///
/// If a field continues on a second line, the library appends that line to the field's name. For
/// example, `Content-Length` becomes `Content-Length5`. The body would then be read as a request.
private nonisolated func isOdd(_ name: String) -> Bool {
  guard !name.isEmpty, name.utf8.allSatisfy(isTokenCharacter) else { return true }
  let name = name.lowercased()
  return ["content-length", "transfer-encoding"].contains { name != $0 && name.hasPrefix($0) }
}

/// The characters of field names (RFC 9110, section 5.6.2).
private nonisolated func isTokenCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...90, 97...122: true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
