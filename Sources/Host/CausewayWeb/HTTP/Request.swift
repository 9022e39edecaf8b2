public import Foundation

/// A request that has arrived completely.
public struct Request: Sendable {
  /// The method.
  ///
  /// A `HEAD` request reaches `GET` routes with `.head` here.
  public let method: HTTPMethod

  /// The path as the client sent it, still percent-encoded.
  public let path: String

  /// The decoded values of the pattern's `:name` components.
  public internal(set) var parameters: [String: String] = [:]

  /// The pattern of the route that answers the request, such as `/links/:name`.
  ///
  /// It is the path itself for the addresses of the page script, and nil while no route was found.
  public internal(set) var route: String?

  /// The header fields.
  public let headers: HTTPHeaders

  /// The body, never longer than the route's limit.
  public internal(set) var body = Data()

  /// The numeric address of the client, without its port.
  ///
  /// Behind trusted proxies, it is the address that the first proxy reports. See
  /// ``WebServerConfiguration/trustedProxies``.
  public internal(set) var remoteAddress: String

  /// The address as limits count it: an IPv4 address, or the /64 network of an IPv6 address.
  ///
  /// A provider gives each customer at least such a network.
  public var remoteNetwork: String { ClientAddress.group(of: remoteAddress) }

  /// The server that has received the request, a `Site`.
  var receiver: (any AnyObject & Sendable)?

  let queryItems: [(name: String, value: String)]

  /// A request that the HTTP library has parsed.
  init(
    method: HTTPMethod, path: String, headers: HTTPHeaders, remoteAddress: String,
    queryItems: [(name: String, value: String)]
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.remoteAddress = remoteAddress
    self.queryItems = queryItems.compactMap { name, value in
      guard let name = PercentEncoding.decode(name), let value = PercentEncoding.decode(value)
      else { return nil }
      return (name, value)
    }
  }

  /// A request that another server or a test has received, without its body.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The path and the query as the client sent them, still percent-encoded.
  ///   - headers: The header fields.
  ///   - host: The value of `Host` if the fields do not contain it, such as the authority of an
  ///     HTTP/2 request.
  ///   - remoteAddress: The numeric address of the other end of the connection.
  public init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], host: String = "localhost",
    remoteAddress: String = "127.0.0.1"
  ) {
    var headers = headers
    if headers["Host"] == nil { headers["Host"] = host }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let items = parts.count > 1 ? parts[1].split(separator: "&") : []
    self.init(
      method: method, path: parts.first.map(String.init) ?? "", headers: headers,
      remoteAddress: ClientAddress.normalized(remoteAddress) ?? remoteAddress,
      queryItems: items.map { item in
        let pair = item.replacing("+", with: " ")
          .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
      })
  }

  /// The first decoded value of a query item such as `?search=tea`.
  ///
  /// Complexity: O(n) in the number of items.
  public func query(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }

  /// The first decoded value of a field of an HTML form in the body.
  ///
  /// The route must not trust the fields before it has checked who sends them. The server refuses
  /// forms of other sites.
  ///
  /// Complexity: O(n) in the length of the body.
  public func form(_ name: String) -> String? {
    Request(.post, "/?\(String(decoding: body, as: UTF8.self))").query(name)
  }

  /// The value of a cookie that the browser sent.
  ///
  /// Complexity: O(n) in the length of the cookie header.
  public func cookie(_ name: String) -> String? {
    for field in headers where field.name.lowercased() == "cookie" {
      let value = field.value.firstPart(separatedBy: ";") { pair in
        pair.dropping(name)?.dropping("=")?.text
      }
      if let value { return value }
    }
    return nil
  }

  /// Reads the body as JSON; dates are ISO 8601.
  ///
  /// Throws a `Problem` with status 415 when the content type is not JSON. Throws a `Problem` with
  /// status 400 when the body does not fit the type; its message names the member.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(Problem) -> Value {
    try checkJSONContentType()
    do {
      return try WireFormat.decoder().decode(type, from: body)
    } catch {
      throw .badRequest(DecodingExplanation.text(for: error, decoding: type, from: body))
    }
  }

  /// Throws if the content type is not JSON, which an HTML form cannot send.
  ///
  /// The check therefore prevents forgery by forms of other sites.
  func checkJSONContentType() throws(Problem) {
    let declared = headers["Content-Type"] ?? ""
    guard declared.declaresJSON else {
      throw Problem(
        .unsupportedMediaType, code: "not-json",
        detail: "The body must be sent as application/json, not as \"\(declared)\".")
    }
  }
}
