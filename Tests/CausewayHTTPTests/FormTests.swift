import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The body of a form` {
  @Test(arguments: TransportKind.allCases)
  func `is read by another program`(_ transport: TransportKind) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    let bytes = [UInt8](0...255) + Array("\r\n--causeway".utf8)
    _ = try await network.response(
      for: NetworkRequest(
        .post, "/photos",
        body: .form(
          ["caption": "Größe\r\n2", "empty": ""],
          files: [
            (name: "a\"b\r\nc", fileName: "té\"x.jpg", type: "image/jpeg", bytes: bytes)
          ])))
    let request = try #require(server.requests.all.first)
    let type = try #require(request.headers["content-type"])
    // Python's parser of mail reads the same format.
    let script = """
      import sys, email, email.policy, json
      data = sys.stdin.buffer.read()
      message = email.message_from_bytes(data, policy=email.policy.HTTP)
      print(json.dumps([[part.get_param('name', header='content-disposition'),
        part.get_filename(), part.get_content_type(),
        list(part.get_payload(decode=True))] for part in message.iter_parts()]))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data("Content-Type: \(type)\r\n\r\n".utf8) + Data(request.body))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let parts = try #require(try JSONSerialization.jsonObject(with: answer) as? [[Any]])
    #expect(parts.map { $0[0] as? String } == ["caption", "empty", "a%22b%0D%0Ac"])
    #expect(parts.map { $0[1] as? String } == [nil, nil, "té%22x.jpg"])
    #expect(parts.map { $0[2] as? String } == ["text/plain", "text/plain", "image/jpeg"])
    let contents = parts.map { ($0[3] as? [Int])?.map { UInt8($0) } }
    #expect(contents == [Array("Größe\r\n2".utf8), [], bytes])
  }

  @Test func `lets no name or type add a header field`() throws {
    let body = NetworkRequest.Body.form(
      [:], files: [(name: "a\r\nX: 1", fileName: "b\nX: 2", type: "text/plain\r\nX: 3", bytes: [])])
    guard case .bytes(let bytes, _) = body else {
      Issue.record("another body")
      return
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(!lines.contains { $0.hasPrefix("X:") })
    #expect(lines.count == 4)
  }

  @Test func `has a boundary of its own`() {
    #expect(NetworkRequest.Body.form([:]) != .form([:]))
  }
}
