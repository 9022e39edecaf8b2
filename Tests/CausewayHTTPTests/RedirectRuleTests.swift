import CausewayData
import Foundation
import Testing

@testable import CausewayHTTP

@Suite struct RedirectRuleTests {
  private let rule = RedirectRule(limit: 5)

  private func request(
    _ method: HTTPMethod, _ address: String = "https://a.example/old",
    body: NetworkRequest.Body = .none, headers: NetworkHeaders = [:]
  ) throws -> WireRequest {
    WireRequest(
      method: method, url: try #require(URL(string: address)), headers: headers, body: body,
      isRepeatable: false)
  }

  private func answer(_ status: Int, _ location: String?) -> NetworkResponse {
    NetworkResponse(
      status: status, headers: NetworkHeaders(location.map { [("location", $0)] } ?? []))
  }

  @Test(
    arguments: [
      (307, .post, .post), (308, .post, .post), (301, .put, .put), (302, .patch, .patch),
      (303, .head, .head), (302, .delete, .delete), (301, .head, .head), (303, .get, .get),
      (303, .options, .get), (302, .options, .options),
    ] as [(Int, HTTPMethod, HTTPMethod)])
  func `only safe methods are redirected as GET, without a body`(
    _ status: Int, _ method: HTTPMethod, _ expected: HTTPMethod
  ) throws {
    let body = NetworkRequest.Body.bytes([1], type: "text/plain")
    let request = try request(method, body: body, headers: ["content-type": "text/plain"])
    let next = try rule.next(after: answer(status, "/new?a=b"), to: request, count: 0)
    #expect(next?.method == expected)
    #expect(next?.url.absoluteString == "https://a.example/new?a=b")
    let keepsBody = expected != .get
    #expect(next?.body == (keepsBody ? body : .none))
    #expect(next?.headers["content-type"] == (keepsBody ? "text/plain" : nil))
  }

  @Test(
    arguments: [
      (301, .post), (302, .post), (303, .post), (303, .put), (303, .patch), (303, .delete),
    ] as [(Int, HTTPMethod)])
  func `a redirect that would turn a change into a GET is rejected`(
    _ status: Int, _ method: HTTPMethod
  ) throws {
    let request = try request(method)
    let error = #expect(throws: RedirectRule.Refusal.self) {
      try rule.next(after: answer(status, "/new"), to: request, count: 0)
    }
    #expect(error?.reason.contains("turns a \(method.rawValue) into a GET") == true)
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
  func `a change is not redirected to another server, even without a body`(
    _ method: HTTPMethod
  ) throws {
    let request = try request(method)
    #expect(throws: RedirectRule.Refusal.self) {
      try rule.next(after: answer(307, "https://b.example/new"), to: request, count: 0)
    }
  }

  @Test(arguments: [300, 304, 305, 306, 200, 404])
  func `other status codes are not redirects, for all header fields`(_ status: Int) throws {
    #expect(try rule.next(after: answer(status, "/new"), to: request(.get), count: 0) == nil)
  }

  @Test func `a redirect without a valid location is returned as the response`() throws {
    #expect(try rule.next(after: answer(302, nil), to: request(.get), count: 0) == nil)
  }

  @Test(arguments: [
    "https://b.example/new", "https://a.example:8443/new", "//b.example/new",
    "https://a.example.b.example/new", "https://a.example@b.example/new",
  ])
  func `a body is not sent to another server`(_ location: String) throws {
    for status in [307, 308] {
      let request = try request(.post, body: .bytes([1], type: "text/plain"))
      let error = #expect(throws: RedirectRule.Refusal.self) {
        try rule.next(after: answer(status, location), to: request, count: 0)
      }
      #expect(error?.reason.contains("body") == true, "\(location)")
    }
  }

  @Test func `a removed secret is not restored by a redirect back`() throws {
    let request = try request(.get, headers: ["authorization": "s3cret", "accept": "text/plain"])
    let away = try rule.next(after: answer(302, "https://b.example/"), to: request, count: 0)
    let back = try rule.next(
      after: answer(302, "https://a.example/"), to: #require(away), count: 1)
    #expect(away?.headers.sorted.map(\.name) == ["accept"])
    #expect(back?.headers.sorted.map(\.name) == ["accept"])
  }

  @Test(arguments: [
    ("http://a.example/", 0), ("file:///etc/passwd", 0), ("gopher://a.example/", 0),
    ("https:///nowhere", 0), ("/new", 5),
  ])
  func `a redirect to an insecure or foreign scheme is rejected, and so is one redirect too many`(
    _ location: String, _ count: Int
  ) throws {
    let request = try request(.get)
    #expect(throws: RedirectRule.Refusal.self) {
      try rule.next(after: answer(302, location), to: request, count: count)
    }
  }
}
