import CausewayWeb
import Foundation
import Testing

@Suite struct `Downloads` {
  @Test(arguments: [0, 1, 200_000])
  func `have their bytes, and leave no file`(count: Int) async throws {
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let server = WebServer(configuration: .init(port: 0))
    server.get("/export") { _ in
      .download(bytes, type: "application/json", named: "a\"\r\nX: y.json")
    }
    let answer = await server.respond(to: Request(.get, "/export"))
    #expect(answer.headers["Content-Type"] == "application/json" && answer.contentLength == count)
    #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"aX: y.json\"")
    #expect(answer.headers["Cache-Control"] == "no-store")
    var pieces = 0
    var read = Data()
    for try await piece in answer.chunks {
      pieces += 1
      read.append(contentsOf: piece)
    }
    #expect(read == bytes)
    // A piece is small, whatever the size of the file is.
    #expect(pieces == (count + 65_535) / 65_536)
  }
}
