import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct HTTPTests {
  @Test(
    arguments: [
      (nil, ByteRange.whole), ("bytes=0-4", .part(0..<5)), ("bytes=5-", .part(5..<10)),
      ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=0-99", .part(0..<10)),
      ("bytes=9-9", .part(9..<10)), ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=4-2", .whole), ("bytes=a-b", .whole), ("bytes=-", .whole), ("items=0-1", .whole),
      ("bytes=0-1,3-4", .whole), ("bytes=99999999999999999999-", .unsatisfiable),
      ("bytes=0-99999999999999999999", .part(0..<10)),
      ("bytes=18446744073709551615-", .unsatisfiable),
    ] as [(String?, ByteRange)])
  func `ranges are parsed as RFC 9110 specifies`(field: String?, expected: ByteRange) {
    #expect(ByteRange(field: field, size: 10) == expected)
  }

  @Test func `a range of an empty file is not satisfiable`() {
    #expect(ByteRange(field: "bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange(field: "bytes=-1", size: 0) == .unsatisfiable)
  }

  @Test(
    arguments: [
      ("a%20b", "a b"), ("%C3%A9", "é"), ("a%2Fb", "a/b"), ("plain", "plain"), ("%", nil),
      ("%4", nil), ("%zz", nil), ("%00", nil), ("%FF", nil), ("a+b", "a+b"),
    ] as [(String, String?)])
  func `percent escapes are decoded or rejected`(text: String, expected: String?) {
    #expect(PercentEncoding.decode(text) == expected)
  }

  @Test(
    arguments: [
      ("/", "/", [:]), ("/a", "/a", [:]), ("/a", "/a/", nil), ("/a", "/b", nil),
      ("/:x/b", "/1%2F2/b", ["x": "1/2"]), ("/:x", "/", nil),
      ("/f/**", "/f/a/b", ["**": "a/b"]), ("/f/**", "/f", nil), ("/f/**", "/f/", ["**": ""]),
    ] as [(String, String, [String: String]?)])
  func `route patterns match paths`(pattern: String, path: String, expected: [String: String]?)
    throws
  {
    let parts = try #require(PathPattern.parts(of: path))
    #expect(PathPattern(pattern).match(parts) == expected)
  }

  @Test
  func `the first matching route responds, and other methods get the list of allowed methods`()
    throws
  {
    var router = Router()
    let answer = Route.Answer.immediate { _ in .text("") }
    func add(_ method: HTTPMethod, _ pattern: String) {
      router.add(
        Route(
          method: method, pattern: PathPattern(pattern), bodyLimit: nil, access: .anyone,
          answer: answer))
    }
    add(.get, "/a/new")
    add(.get, "/a/:id")
    add(.delete, "/a/:id")
    #expect(try router.route(.get, "/a/new").parameters == [:])
    #expect(try router.route(.head, "/a/7").parameters == ["id": "7"])
    let problem = #expect(throws: Problem.self) { try router.route(.post, "/a/7") }
    #expect(problem?.headers["Allow"] == "DELETE, GET, HEAD")
    #expect(throws: Problem.self) { try router.route(.get, "/b") }
    #expect(throws: Problem.self) { try router.route(.get, "/a/%zz") }
  }

  @Test func `header names ignore case, and header values cannot contain line breaks`() {
    var headers: HTTPHeaders = ["Content-Type": "a"]
    headers["content-type"] = "b\r\nX: y"
    #expect(headers["CONTENT-TYPE"] == "b  X: y")
    headers.add("Set-Cookie", "1")
    headers.add("Set-Cookie", "2")
    #expect(headers.map(\.value) == ["b  X: y", "1", "2"])
    headers["set-cookie"] = nil
    #expect(Array(headers).count == 1)
  }

  @Test(arguments: [
    ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\" ", true), ("*", true), ("\"b\"", false),
    ("", false),
  ])
  func `entity tags use weak comparison`(field: String, expected: Bool) {
    #expect(EntityTag.list(field, contains: "\"a\"") == expected)
  }

  @Test(arguments: [
    ("one", "data: one\n\n"), ("a\nb", "data: a\ndata: b\n\n"), ("a\r\nb", "data: a\ndata: b\n\n"),
    ("a\rb", "data: a\ndata: b\n\n"), ("", "data: \n\n"),
  ])
  func `each line of an event is sent as a field`(data: String, expected: String) {
    #expect(String(decoding: ServerSentEvent(data: data).bytes, as: UTF8.self) == expected)
    let named = ServerSentEvent(name: "n\nx", id: "1\r", data: data)
    #expect(String(decoding: named.bytes, as: UTF8.self) == "event: n x\nid: 1 \n" + expected)
  }
}
