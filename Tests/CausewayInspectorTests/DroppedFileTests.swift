import CausewayWeb
import CausewayWebTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayInspector

@Suite("A file that is dropped on the page", .timeLimit(.minutes(10)))
struct DroppedFileTests {
  private func open(
    _ body: (Inspector, WebServer, PageTestClient) async throws -> Void
  ) async throws {
    let inspector = try Inspector()
    inspector.note(.network, "GET /own")
    _ = try await inspector.start()
    let server = try #require(inspector.page.withLock { $0 })
    let path = "/" + (server.address.split(separator: "/").last ?? "")
    try await body(inspector, server.web, PageTestClient(server.web, path: path))
    await inspector.stop()
  }

  /// Sends a file as the page's script does, without a session if there is no page.
  private func upload(
    _ data: Data, named name: String = "session.jsonl", as page: PageTestClient?,
    to server: WebServer, origin: String? = nil
  ) async throws -> (status: HTTPStatus, text: String) {
    var headers: HTTPHeaders = [
      "Content-Type": "application/octet-stream", "Causeway-File-Name": name,
      "Content-Length": "\(data.count)",
    ]
    if let page {
      let meta = page.html.firstMatch(
        of: /<meta name="causeway-session" content="([0-9a-f]+)">/)
      headers["Causeway-Session"] = meta.map { String($0.1) }
      headers["Cookie"] = page.cookies
    }
    headers["Origin"] = origin
    let answer = await server.respond(to: Request(.post, "/recordings", headers: headers)) { _ in
      data
    }
    return (answer.status, String(decoding: try await answer.bytes, as: UTF8.self))
  }

  private struct Opened: Decodable { var id: String }

  @Test func `shows the session of another program, and leads back`() async throws {
    let session = try await ScriptTests.session()
    try await open { _, server, page in
      let answer = try await upload(session.jsonLines(), as: page, to: server)
      #expect(answer.status == .ok)
      let id = try JSONDecoder().decode(Opened.self, from: Data(answer.text.utf8)).id
      try await page.send(Timeline.PageAction.open(id))
      _ = try await page.value("total", as: Int.self) { $0 == session.events.count }
      let name = try await page.value("recording", as: String.self)
      #expect(name.hasPrefix("session.jsonl, a session of "))
      try await page.send(Timeline.PageAction.select(2))
      _ = try await page.value("detail.heading", as: String.self) { $0 == "updateQuery" }
      try await page.send(Timeline.PageAction.leave)
      _ = try await page.value("total", as: Int.self) { $0 == 1 }
      #expect(try await page.problems == [])
    }
  }

  @Test func `can be a ring`() async throws {
    try await withDirectory { directory in
      let ring = directory.appending(path: "ring")
      let inspector = try Inspector(ringFile: ring.path)
      inspector.note(.outbox, "sent")
      await inspector.settle()
      try await open { _, server, page in
        let answer = try await upload(Data(contentsOf: ring), as: page, to: server)
        #expect(answer.status == .ok, "\(answer.text)")
      }
    }
  }

  private static let files: [(LongText, String)] = [
    ("", "The file is empty."),
    ("hello\n", "is not the header of a recording"),
    ("{\"causeway-recording\":9}\n", "has version 9"),
    ("{\"causeway-recording\":1,\"program\":\"p\",\"began\":0}\n{}\n", "Line 2 is no event"),
    (LongText(String(repeating: "[", count: 500_000)), "is not the header"),
  ]

  @Test(arguments: files)
  func `is refused with a sentence if it is no recording`(file: LongText, reason: String)
    async throws
  {
    try await open { _, server, page in
      let name = "%3Cb%3Efile%3C%2Fb%3E"
      let answer = try await upload(Data(file.text.utf8), named: name, as: page, to: server)
      #expect(answer.status == .badRequest && answer.text.contains(reason), "\(answer.text)")
    }
  }

  @Test func `is refused or shown, whatever it contains`() async throws {
    let whole = try await ScriptTests.session().jsonLines()
    var random = SeededRandom(seed: 5)
    try await open { _, server, page in
      for _ in 0..<40 {
        var data = whole
        for _ in 0..<4 {
          data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        let answer = try await upload(data, as: page, to: server)
        guard answer.status == .ok else {
          #expect(answer.status == .badRequest)
          continue
        }
        let id = try JSONDecoder().decode(Opened.self, from: Data(answer.text.utf8)).id
        try await page.send(Timeline.PageAction.open(id))
        try await page.send(Timeline.PageAction.move(by: -1))
      }
      try await page.send(Timeline.PageAction.leave)
      _ = try await page.value("total", as: Int.self) { $0 == 1 }
    }
  }

  @Test func `is shown with the largest, the smallest and equal numbers`() async throws {
    let numbers = [Int.max, .min, 0, 1, 1, -1, .max]
    var lines = [#"{"causeway-recording":1,"program":"p","began":1e308}"#]
    for number in numbers {
      for kind in ["model", "action", "update", "query", "began", "handling", "lost", "error"] {
        lines.append(
          """
          {"n":\(number),"at":\(number),"kind":"\(kind)","lane":"queries","title":"t",\
          "model":"M","value":"v","effect":"e #1","took":\(number),"step":\(number),\
          "origin":\(number)}
          """)
      }
    }
    let data = Data((lines.joined(separator: "\n") + "\n").utf8)
    try await open { _, server, page in
      let answer = try await upload(data, as: page, to: server)
      #expect(answer.status == .ok, "\(answer.text)")
      let id = try JSONDecoder().decode(Opened.self, from: Data(answer.text.utf8)).id
      try await page.send(Timeline.PageAction.open(id))
      let count = lines.count - 1
      _ = try await page.value("total", as: Int.self) { $0 == count }
      for number in [1, count / 2, count] {
        try await page.send(Timeline.PageAction.select(number))
        try await page.send(Timeline.PageAction.move(by: -1))
      }
      _ = try await page.value("detail.heading", as: String.self) { !$0.isEmpty }
      #expect(try await page.problems == [])
    }
    #expect(try Recording(jsonLines: data).text.split(separator: "\n").count == lines.count)
    #expect(throws: ScriptError.self) { try TestScript(Recording(jsonLines: data), .init()) }
  }

  @Test func `is read only from a page that was opened with the token`() async throws {
    let data = try await ScriptTests.session().jsonLines()
    try await open { _, server, page in
      let stranger = try await upload(data, as: nil, to: server)
      #expect(stranger.status == .unauthorized)
      let other = try await upload(data, as: page, to: server, origin: "https://evil.example")
      #expect(other.status == .forbidden)
    }
  }

  @Test func `has a largest size`() async throws {
    try await open { _, server, page in
      let data = Data(count: OpenedRecordings.largestFile + 1)
      let answer = try await upload(data, as: page, to: server)
      #expect(answer.status.code == 413)
    }
  }

  @Test func `is kept until four others were dropped`() async throws {
    let data = try await ScriptTests.session().jsonLines()
    let recordings = OpenedRecordings()
    let ids = try (0..<5).map { _ in try recordings.add(data, named: "a") }
    #expect(recordings.source(ids[0]) == nil && recordings.source(ids[1]) != nil)
    try await open { _, _, page in
      try await page.send(Timeline.PageAction.open("77"))
      let notice = try await page.value("notice", as: String.self)
      #expect(notice.contains("not kept any more"))
    }
  }
}
