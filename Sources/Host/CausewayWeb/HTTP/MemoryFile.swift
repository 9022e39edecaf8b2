/// Bytes in memory that a browser requests again only when they have changed.
struct MemoryFile: Sendable {
  let tag: String
  private let bytes: [UInt8]
  private let type: String
  private let headers: HTTPHeaders

  init(_ bytes: [UInt8], type: String, headers: HTTPHeaders = [:]) {
    (self.bytes, self.type, self.headers) = (bytes, type, headers)
    tag = EntityTag.of(bytes)
  }

  init(script bytes: [UInt8], headers: HTTPHeaders = [:]) {
    self.init(bytes, type: "text/javascript; charset=utf-8", headers: headers)
  }

  func response(for request: Request) -> Response {
    var response = Response.representation(
      of: .bytes(bytes, entityTag: tag), type: type, cacheControl: "no-cache", for: request)
    for (name, value) in headers { response.headers[name] = value }
    return response
  }
}
