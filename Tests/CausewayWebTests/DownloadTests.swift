import Foundation
import Testing

@testable import CausewayWeb

@Suite struct `Downloads` {
  @Test(arguments: [0, 1, 200_000])
  func `have their bytes, and leave no file`(count: Int) async throws {
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let server = WebServer(configuration: .init(port: 0))
    server.get("/export") { _ in
      .download(
        bytes, type: "application/json", named: "a\"\r\nX:\u{1B}\u{7}\u{7F}\u{85} y\u{0}.json")
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

  @Test func `wait in a file that only its process can reach`() throws {
    let response = Response.download(Data([1, 2]), type: "text/plain", named: "a")
    guard case .file(let file, _, _) = response.body else {
      Issue.record("The download waits in memory.")
      return
    }
    var status = stat()
    #expect(fstat(file.descriptor, &status) == 0)
    #expect(status.st_nlink == 0 && status.st_mode & 0o777 == 0o600)
  }

  #if os(Linux)
    @Test func `wait in memory without room for a file`() throws {
      // A device that is always full.
      let full = open("/dev/full", O_RDWR | O_CLOEXEC)
      #expect(OpenFile(full, writing: Data([1])) == nil)
    }
  #endif
}
