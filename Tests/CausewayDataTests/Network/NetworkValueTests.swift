import CausewayData
import Testing

@Suite struct NetworkValueTests {
  @Test(arguments: [
    ("https://ada:s3cret@host:8080/a?token=s3cret&b=2#s3cret", "https://host:8080/a?token=…&b=…"),
    ("https://host/a?s3cret", "https://host/a?…"),
    ("https://host/a@b?x=", "https://host/a@b?x=…"),
    ("https://host", "https://host"),
    ("/a?b=s3cret", "/a?b=…"),
  ])
  func `an address is printed without its user and its query values`(
    _ url: String, _ shown: String
  ) {
    #expect(NetworkError.redacted(url) == shown)
  }

  @Test func `an excerpt is short, on one line and without the secret`() {
    let body = Array(("a\u{0}b\nc\u{1B}[31m s3cret " + String(repeating: "é", count: 2000)).utf8)
    let excerpt = NetworkError.excerpt(of: body, hiding: "s3cret")
    #expect(excerpt.hasPrefix("a b c [31m … é"))
    #expect(excerpt.count == 512)
    #expect(excerpt.hasSuffix("…"))
  }

  @Test func `an error names the request, the failure and the remedy`() {
    let error = NetworkError(
      .status, message: "the server answered 403", method: .get, url: "https://host/a?key=…",
      status: 403, bodyExcerpt: "no", attempts: 3)
    #expect(
      "\(error)"
        == "GET https://host/a?key=…: the server answered 403 (after 3 attempts). "
        + "The server wrote: no. Use an account that may do this.")
  }

  @Test(arguments: [
    ("a/b" as String, "/x/a%2Fb"), ("a?b#c", "/x/a%3Fb%23c"), ("a b+c%20", "/x/a%20b%2Bc%2520"),
    ("ü", "/x/%C3%BC"), ("...a", "/x/...a"),
  ])
  func `an interpolated value is one path segment`(_ value: String, _ encoded: String) {
    let path: NetworkPath = "/x/\(value)"
    #expect(path.encoded == encoded)
    #expect(path.problem == nil)
  }

  @Test func `a path that leads outside its base is rejected`() {
    for value in ["", ".", "..", "..."] {
      let path: NetworkPath = "/x/\(value)/y"
      #expect(path.problem != nil, "\(value)")
    }
    #expect(("/a/../b" as NetworkPath).problem != nil)
    #expect(("/a?b" as NetworkPath).problem != nil)
    #expect(("a/b" as NetworkPath).encoded == "/a/b")
  }

  @Test func `header names ignore case, and header values are not printed`() {
    var headers: NetworkHeaders = ["Accept": "a", "ACCEPT": "b", "X-Key": "s3cret"]
    #expect(headers["accept"] == "b")
    #expect("\(headers)" == "accept, x-key")
    headers["Accept"] = nil
    #expect(headers["accept"] == nil)
    #expect((["a b": "c"] as NetworkHeaders).problem != nil)
    #expect((["a": "c\r\nd: e"] as NetworkHeaders).problem != nil)
    #expect((["a": "c"] as NetworkHeaders).problem == nil)
  }

  @Test(arguments: [
    (NetworkError.Kind.status, 409, RemoteFailure.Kind.conflict), (.status, 503, .busy),
    (.status, 500, .serverFault), (.status, 422, .rejected), (.status, 401, .unauthorized),
    (.timedOut, 0, .timedOut), (.cannotConnect, 0, .unreachable), (.decoding, 0, .garbled),
    (.connectionLost, 0, .timedOut), (.encoding, 0, .unsendable),
  ])
  func `an outbox derives from a network error whether to retry`(
    _ kind: NetworkError.Kind, _ status: Int, _ expected: RemoteFailure.Kind
  ) {
    let error = NetworkError(
      kind, message: "", status: status == 0 ? nil : status, retryAfter: .seconds(3))
    #expect(RemoteFailure(error).kind == expected)
    #expect(RemoteFailure(error).retryAfter == .seconds(3))
  }
}
