import CausewayWeb
import Foundation

// Vapor is not a dependency. These are the declarations of Vapor 4 and SwiftNIO that the bridge
// uses.

private struct ByteBuffer: Sendable {
  init(bytes: some Sequence<UInt8>) {}
}

extension Data {
  fileprivate init(buffer: ByteBuffer) { self.init() }
}

private protocol AsyncMiddleware: Sendable {
  func respond(
    to request: Vapor.Request, chainingTo next: any AsyncResponder
  ) async throws -> Vapor.Response
}

private protocol AsyncResponder: Sendable {
  func respond(to request: Vapor.Request) async throws -> Vapor.Response
}

private protocol AsyncBodyStreamWriter: Sendable {
  func writeBuffer(_ buffer: ByteBuffer) async throws
}

private struct Future<Value: Sendable>: Sendable {
  var value: Value
  func get() async throws -> Value { value }
}

private enum Vapor {
  struct HTTPHeaders: Sequence {
    private let fields: [(String, String)]
    init(_ headers: [(String, String)] = []) { fields = headers }
    func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
      fields.map { (name: $0, value: $1) }.makeIterator()
    }
  }

  enum HTTPMethod: String {
    case GET
  }

  struct HTTPStatus {
    init(statusCode: Int, reasonPhrase: String = "") {}
  }

  struct URI {
    var string: String
  }

  struct SocketAddress {
    var ipAddress: String?
  }

  final class Request {
    struct Body: Sendable {
      func collect(max: Int?) -> Future<ByteBuffer?> { Future(value: nil) }
    }

    var method = HTTPMethod.GET
    var url = URI(string: "/")
    var headers = HTTPHeaders()
    var body = Body()
    var remoteAddress: SocketAddress?
  }

  final class Response {
    struct Body {
      init(
        managedAsyncStream: @escaping @Sendable (any AsyncBodyStreamWriter) async throws -> Void,
        count: Int
      ) {}
    }

    init(status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: Body) {}
  }
}

private enum Bridge {
  // snippet
  struct PageMiddleware: AsyncMiddleware {
    let server: WebServer

    func respond(
      to request: Vapor.Request, chainingTo next: any AsyncResponder
    ) async throws -> Vapor.Response {
      let name = request.method.rawValue
      guard let method = CausewayWeb.HTTPMethod(rawValue: name), method != .options else {
        return try await next.respond(to: request)
      }
      var fields = CausewayWeb.HTTPHeaders()
      for (name, value) in request.headers { fields.add(name, value) }
      let answer = await server.respond(
        to: .init(
          method, request.url.string, headers: fields,
          remoteAddress: request.remoteAddress?.ipAddress ?? "")
      ) { limit in
        try await request.body.collect(max: limit).get().map { Data(buffer: $0) } ?? Data()
      }
      if answer.status == .notFound { return try await next.respond(to: request) }
      let body = Vapor.Response.Body(
        managedAsyncStream: { writer in
          for try await bytes in answer.chunks { try await writer.writeBuffer(.init(bytes: bytes)) }
        }, count: answer.contentLength ?? -1)
      return .init(
        status: .init(statusCode: answer.status.code),
        headers: .init(answer.headers.map { ($0.name, $0.value) }), body: body)
    }
  }
  // end
}
