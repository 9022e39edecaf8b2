import CMicroHTTPD
import Foundation

/// A request as the library presents it, with what is wrong with it.
struct IncomingRequest {
  let connection: LibraryHandle
  let request: Request
  private let method: String
  private let headerBytes: Int

  init(_ connection: OpaquePointer, path: String, method: String) {
    self.connection = LibraryHandle(connection)
    self.method = method
    var headers = Fields()
    withUnsafeMutablePointer(to: &headers) {
      _ = MHD_get_connection_values(connection, .HEADER_KIND, fieldCallback, $0)
    }
    var query = Fields()
    withUnsafeMutablePointer(to: &query) {
      _ = MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, fieldCallback, $0)
    }
    headerBytes = path.utf8.count + headers.bytes + query.bytes
    request = Request(
      method: HTTPMethod(rawValue: method) ?? .get, path: path, headers: headers.headers,
      remoteAddress: causeway_client_address(connection).flatMap { SocketName($0) }?.host ?? "",
      queryItems: query.items.compactMap { name, value in
        guard let name = PercentEncoding.decode(name), let value = PercentEncoding.decode(value)
        else { return nil }
        return (name, value)
      })
  }

  func problem(limits: WebServer.Limits) -> Problem? {
    if HTTPMethod(rawValue: method) == nil {
      let all = HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")
      return Problem(
        .methodNotAllowed, code: "method-not-allowed",
        detail: "The method \(method) is not known here.", headers: ["Allow": all])
    }
    if headerBytes > limits.headerBytes {
      return Problem(
        .headerFieldsTooLarge, code: "header-too-large",
        detail: "The header fields must not be larger than \(limits.headerBytes) bytes.",
        headers: ["Connection": "close"])
    }
    return nil
  }
}

private struct Fields {
  var items: [(name: String, value: String)] = []
  var bytes = 0

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in items { headers.add(name, value) }
    return headers
  }
}

/// Called by the library for each field, during the call that was given the context.
private nonisolated func fieldCallback(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let context, let name else { return .NO }
  let fields = context.assumingMemoryBound(to: Fields.self)
  let item = (String(cString: name), value.map { String(cString: $0) } ?? "")
  // A colon, a space, and the end of the line.
  fields.pointee.bytes += item.0.utf8.count + item.1.utf8.count + 4
  fields.pointee.items.append(item)
  return .YES
}
