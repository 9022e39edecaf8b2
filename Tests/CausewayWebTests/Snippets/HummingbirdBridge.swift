import CausewayWeb
import Foundation

// Hummingbird is not a dependency. These are the declarations of Hummingbird 2, swift-http-types
// and SwiftNIO that the bridge uses.

private struct ByteBuffer: Sendable {
  init(bytes: some Sequence<UInt8>) {}
}

extension Data {
  fileprivate init(buffer: ByteBuffer) { self.init() }
}

private struct HTTPField {
  struct Name {
    let rawName: String
    init?(_ name: String) { rawName = name }
  }

  var name: Name
  var value: String
}

private struct HTTPFields: Sequence {
  private var fields: [HTTPField] = []

  mutating func append(_ field: HTTPField) { fields.append(field) }

  func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

private struct HTTPRequest {
  struct Method {
    var rawValue: String
  }

  var path: String?
  var authority: String?
}

private struct HTTPResponse {
  struct Status {
    static let methodNotAllowed = Status(code: 405)
    init(code: Int, reasonPhrase: String = "") {}
  }
}

private struct RequestBody: Sendable {
  func collect(upTo maxSize: Int) async throws -> ByteBuffer { ByteBuffer(bytes: []) }
}

private struct ResponseBody {
  init() {}
  init<Buffers: AsyncSequence & Sendable>(asyncSequence: Buffers)
  where Buffers.Element == ByteBuffer {}
}

private struct ReceivedRequest {
  let head: HTTPRequest
  var method: HTTPRequest.Method
  var headers: HTTPFields
  var body: RequestBody
}

private struct SentResponse {
  init(
    status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(),
    body: ResponseBody = ResponseBody()
  ) {}
}

private struct BasicRequestContext {}

private struct CallbackResponder<Context> {
  init(callback: @escaping @Sendable (ReceivedRequest, Context) async throws -> SentResponse) {}
}

private struct ApplicationConfiguration {
  enum Address {
    case hostname(String, port: Int)
  }

  init(address: Address) {}
}

private struct Application {
  init<Context>(
    responder: CallbackResponder<Context>, configuration: ApplicationConfiguration
  ) {}

  func runService() async throws {}
}

private func serve(_ server: WebServer) async throws {
  // snippet
  let responder = CallbackResponder<BasicRequestContext> { request, _ in
    guard let method = HTTPMethod(rawValue: request.method.rawValue) else {
      return .init(status: .methodNotAllowed)
    }
    var fields = HTTPHeaders()
    for field in request.headers { fields.add(field.name.rawName, field.value) }
    let answer = await server.respond(
      to: .init(
        method, request.head.path ?? "/", headers: fields, host: request.head.authority ?? "")
    ) { limit in Data(buffer: try await request.body.collect(upTo: limit)) }
    var headers = HTTPFields()
    for field in answer.headers {
      guard let name = HTTPField.Name(field.name) else { continue }
      headers.append(.init(name: name, value: field.value))
    }
    let body = ResponseBody(asyncSequence: answer.chunks.map { ByteBuffer(bytes: $0) })
    return .init(status: .init(code: answer.status.code), headers: headers, body: body)
  }
  let app = Application(
    responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 8080)))
  async let _ = server.tendSessions()
  try await app.runService()
  // end
}
