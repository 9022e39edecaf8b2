import CausewayWeb
import Foundation
import Testing

struct ProblemTests {
  @Test func `a thrown problem is the answer`() async throws {
    let server = WebServer()
    // snippet
    server.post("/harbours/:name/berths") { request in
      throw Problem(
        .conflict, code: "no-berth", detail: "All berths are taken on this day.")
    }
    // end
    let answer = await server.respond(to: Request(.post, "/harbours/Kiel/berths"))
    #expect(answer.status == .conflict)
    #expect(answer.headers["Content-Type"] == "application/problem+json")
    struct Document: Decodable, Equatable {
      var status = 409
      var code = "no-berth"
      var detail = "All berths are taken on this day."
    }
    let document = try JSONDecoder().decode(Document.self, from: Data(try await answer.bytes))
    #expect(document == Document())
  }
}
