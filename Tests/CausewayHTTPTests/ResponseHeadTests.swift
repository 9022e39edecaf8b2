import CausewayData
import Testing

@testable import CausewayHTTP

@Suite struct ResponseHeadTests {
  private func read(_ lines: [String], limit: Int = 1_000) -> ResponseHead.Event? {
    var head = ResponseHead(limit: limit)
    return lines.map { head.read(Array("\($0)\r\n".utf8)) }.last
  }

  @Test func `field names are lowercased and field values trimmed`() {
    #expect(
      read(["HTTP/1.1 200 All right", "Content-Type:\t text/plain \t", "X-Empty:", ""])
        == .complete(
          NetworkResponse(status: 200, headers: ["content-type": "text/plain", "x-empty": ""]),
          length: nil))
  }

  @Test(arguments: [
    ("HTTP/1.1 404 Not Found", 404), ("HTTP/2 206", 206), ("HTTP/1.0 301 ", 301),
    ("HTTP/1.1 abc", 0), ("HTTP/1.1", 0),
  ])
  func `the status is read with and without a reason phrase`(_ line: String, _ status: Int) {
    #expect(read([line, ""]) == .complete(NetworkResponse(status: status), length: nil))
  }

  @Test func `fields of one name are combined without loss`() {
    #expect(
      read(["HTTP/1.1 200 OK", "Link: <a>", "link: <b>", ""])
        == .complete(NetworkResponse(status: 200, headers: ["link": "<a>, <b>"]), length: nil))
  }

  @Test func `a folded header line does not start another field`() {
    #expect(
      read(["HTTP/1.1 200 OK", "X-Long: one", "  two: three", " ", ""])
        == .complete(
          NetworkResponse(status: 200, headers: ["x-long": "one two: three "]), length: nil))
  }

  @Test func `a line without a colon is not a field`() {
    #expect(
      read(["HTTP/1.1 200 OK", "nonsense", ""])
        == .complete(NetworkResponse(status: 200), length: nil))
  }

  @Test func `an interim response leaves no fields in the final response`() {
    var head = ResponseHead()
    var events: [ResponseHead.Event] = []
    for line in ["HTTP/1.1 103 Early Hints", "Link: <a>", "", "HTTP/1.1 200 OK", ""] {
      events.append(head.read(Array("\(line)\r\n".utf8)))
    }
    #expect(
      events == [
        .more, .more, .interim, .more, .complete(NetworkResponse(status: 200), length: nil),
      ]
    )
  }

  @Test func `a response that switches protocols is the last one`() {
    #expect(
      read(["HTTP/1.1 101 Switching", ""]) == .complete(NetworkResponse(status: 101), length: nil))
  }

  @Test(
    arguments: [
      (["Content-Length: 12"], 12), (["Content-Length: -1"], nil),
      (["Content-Length: 1", "content-length: 1"], 1), (["Content-Length: 3, 3"], 3),
      (["Content-Length: 99999999999999999999"], nil),
      (["Content-Length: 12", "Transfer-Encoding: chunked"], nil),
      (["Content-Length: 12", "Content-Encoding: gzip"], nil),
      (["Content-Length: 12", "Content-Encoding: Identity"], 12), ([], nil),
    ] as [([String], Int?)])
  func `the length is the number of bytes that arrive, or unknown`(
    _ fields: [String], _ length: Int?
  ) {
    guard case .complete(_, let found) = read(["HTTP/1.1 200 OK"] + fields + [""]) else {
      Issue.record("not complete")
      return
    }
    #expect(found == length)
  }

  @Test(arguments: [["Content-Length: 5", "Content-Length: 50"], ["Content-Length: 5, 50"]])
  func `two different lengths are malformed`(_ fields: [String]) {
    guard case .malformed = read(["HTTP/1.1 200 OK"] + fields + [""]) else {
      Issue.record("not refused")
      return
    }
  }

  @Test(arguments: [204, 304]) func `a status without a body has no length`(_ status: Int) {
    let fields: NetworkHeaders = ["content-length": "5"]
    #expect(
      read(["HTTP/1.1 \(status) Text", "Content-Length: 5", ""])
        == .complete(NetworkResponse(status: status, headers: fields), length: 0))
  }

  @Test func `a trailer does not change header fields, and counts towards the limit`() {
    var head = ResponseHead(limit: 40)
    _ = head.read(Array("HTTP/1.1 200 OK\r\n".utf8))
    _ = head.read(Array("\r\n".utf8))
    #expect(head.read(Array("Digest: abc\r\n".utf8)) == .more)
    #expect(head.read(Array("Digest: abc\r\n".utf8)) == .tooLarge)
  }

  @Test func `endless header fields and endless interim responses are rejected as too large`() {
    for lines in [["X-Field: abc"], ["HTTP/1.1 102 Processing", ""]] {
      var head = ResponseHead(limit: 1_000)
      var event = head.read(Array("HTTP/1.1 102 Processing\r\n".utf8))
      for _ in 0..<100 where event != .tooLarge {
        for line in lines { event = head.read(Array("\(line)\r\n".utf8)) }
      }
      #expect(event == .tooLarge)
    }
  }
}
