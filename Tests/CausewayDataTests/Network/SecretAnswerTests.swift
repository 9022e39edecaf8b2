import CausewayData
import CausewayDataTesting
import Testing

/// The errors of a login contain no part of the server's response.
@Suite struct SecretAnswerTests {
  private enum Role: String, Decodable, Sendable {
    case captain
  }

  private struct Login: Decodable, Sendable {
    var token: String
    var role: Role
    var lifetime: Int
  }

  private let network = ScriptedNetworkService()

  /// The error of a call whose server responds with a text.
  private func error<Response>(
    _ endpoint: Endpoint<Response>, _ answer: String, status: Int = 200
  ) async throws -> NetworkError {
    network.on(endpoint.request.method, endpoint.request.path, .status(status, answer))
    do {
      _ = try await network.value(for: endpoint)
    } catch {
      return try #require(error as? NetworkError)
    }
    throw NetworkError(.other, message: "the call succeeded")
  }

  private func login() -> Endpoint<Login> {
    var endpoint = Endpoint<Login>(.post, "/login")
    endpoint.request.isAuthorized = false
    return endpoint
  }

  private static let answers = [
    #"{"token": "s3cret", "role": "s3cret", "lifetime": 1}"#,
    #"{"token": "s3cret", "role": "captain", "lifetime": "s3cret"}"#,
    #"{"token": "s3cret", "role": "captain"}"#,
    #"{"token": "s3cret", "#,
    "s3cret",
    #"["s3cret"]"#,
  ]

  @Test(arguments: answers)
  func `the error of a login does not contain a response that does not decode`(answer: String)
    async throws
  {
    let error = try await error(login(), answer)
    #expect(error.kind == .decoding)
    #expect(error.bodyExcerpt == nil)
    #expect(!"\(error)".contains("s3cret"), "\(error)")
  }

  @Test(arguments: answers)
  func `the error does not contain a response that is not a token either`(
    answer: String
  ) async throws {
    let error = try await error(Endpoint<AuthToken>(.post, "/token"), answer)
    #expect(error.kind == .decoding)
    #expect(!"\(error)".contains("s3cret"), "\(error)")
  }

  @Test func `the error does not contain a response with a failure status either`() async throws {
    let failed = try await error(login(), "s3cret", status: 400)
    #expect(failed.status == 400)
    #expect(!"\(failed)".contains("s3cret"))
    let refused = try await error(Endpoint<AuthToken>(.post, "/token"), "s3cret", status: 403)
    #expect(!"\(refused)".contains("s3cret"))
  }

  @Test func `the error still names the coding path of the mismatch`() async throws {
    let error = try await error(login(), Self.answers[1])
    #expect(error.message.contains("at lifetime: the value does not fit"))
    #expect(error.url == "/login")
    #expect(error.status == 200)
  }

  @Test func `other errors contain an excerpt, and each request can override that`() async throws {
    let open = Endpoint<Login>(.get, "/open")
    #expect(try await error(open, "what it is").bodyExcerpt == "what it is")
    #expect(try await error(open, "what it is", status: 500).bodyExcerpt == "what it is")
    var kept = open
    kept.request.isAnswerSecret = true
    #expect(try await error(kept, "what it is").bodyExcerpt == nil)
    #expect(try await error(kept, "what it is", status: 500).bodyExcerpt == nil)
    var told = login()
    told.request.isAnswerSecret = false
    #expect(try await error(told, "what it is").bodyExcerpt == "what it is")
  }
}
