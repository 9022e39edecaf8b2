import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The responses to requests that no page of the server would send.
  @Suite struct `Refused requests` {
    @Test(arguments: [
      ("{\"create\":", "JSON"),
      ("{\"sink\":{}}", "which is not a case of PageAction"),
      ("{\"create\":{\"form\":{\"title\":7}}}", "title"),
      ("[1,2]", "an object is needed"),
      ("", "JSON"),
    ])
    func `that are not actions get a clear 400 and the session continues`(
      body: String, named: String
    ) async throws {
      try await withTemporaryDirectory { data in
        let harbor = try await HarborHost(data: data)
        let page = try await PageClient(harbor)
        let answer = try await page.send(body, number: 1)
        #expect(answer.status == 400)
        #expect(answer.text.contains("detail"))
        #expect(answer.text.contains(named))
        #expect(try await page.send("{\"dismissProblem\":{}}", number: 2).status == 200)
        try await harbor.stop()
      }
    }

    @Test(arguments: [
      (["Causeway-Session": String(repeating: "0", count: 32)], 410, "load the page again"),
      (["Causeway-Sequence": "one"], 400, "Causeway-Sequence"),
      (["Causeway-Sequence": "7"], 409, "send 1"),
      (["Content-Type": "text/plain"], 415, "application/json"),
      (["Origin": "http://other.example"], 403, "http://other.example"),
      (["Sec-Fetch-Site": "cross-site"], 403, "cross-site"),
    ])
    func `that no page of the server would send are rejected with a reason`(
      headers: [String: String], status: Int, reason: String
    ) async throws {
      try await withTemporaryDirectory { data in
        let harbor = try await HarborHost(data: data)
        let page = try await PageClient(harbor)
        let action = "{\"setName\":{\"name\":\"Ana\"}}"
        let answer = try await page.send(action, number: 1, headers)
        #expect(answer.status == status)
        #expect(answer.text.contains(reason))
        #expect(try await page.send(action, number: 1).status == 200)
        try await harbor.stop()
      }
    }
  }
}
