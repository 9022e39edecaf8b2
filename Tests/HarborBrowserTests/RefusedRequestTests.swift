import BrowserDriver
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension BrowserTests {
  /// What the server answers to requests that no page of its own would send.
  @Suite struct `Refused requests` {
    struct Answer {
      var status: Int
      var text: String
    }

    private struct Session: Decodable {
      var session: String
    }

    @Test(arguments: [
      ("{\"create\":", "JSON"),
      ("{\"sink\":{}}", "named one of: setName"),
      ("{\"create\":{\"form\":{\"title\":7}}}", "title"),
      ("[1,2]", "an object is needed"),
      ("", "JSON"),
    ])
    func `that are no action get a clear 400 and the session goes on`(
      body: String, named: String
    ) async throws {
      try await withTemporaryDirectory { data in
        let harbor = try await HarborProcess(data: data, options: ["--empty"])
        let client = URLSession(configuration: .ephemeral)
        let session = try await begin(harbor, client)
        let answer = try await send(body, number: 1, session, harbor, client)
        #expect(answer.status == 400)
        #expect(answer.text.contains("detail"))
        #expect(answer.text.contains(named))
        let next = try await send("{\"dismissProblem\":{}}", number: 2, session, harbor, client)
        #expect(next.status == 200)
        #expect(await harbor.stop() == .code(0))
      }
    }

    private func begin(_ harbor: HarborProcess, _ client: URLSession) async throws -> String {
      var request = try URLRequest(url: #require(URL(string: harbor.url)))
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      let (data, _) = try await client.data(for: request)
      return try JSONDecoder().decode(Session.self, from: data).session
    }

    private func send(
      _ body: String, number: Int, _ session: String, _ harbor: HarborProcess, _ client: URLSession
    ) async throws -> Answer {
      var request = try URLRequest(url: #require(URL(string: "\(harbor.url)/_causeway/action")))
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue(session, forHTTPHeaderField: "Causeway-Session")
      request.setValue("\(number)", forHTTPHeaderField: "Causeway-Sequence")
      let (data, response) = try await client.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return Answer(status: status, text: String(decoding: data, as: UTF8.self))
    }
  }
}
