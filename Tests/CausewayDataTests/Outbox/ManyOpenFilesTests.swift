import Foundation
import TestSupport
import Testing

/// Foundation's `Process` crashes in such a process.
@Suite struct ManyOpenFilesTests {
  private static let count = 1_500
  private static let limit: rlim_t = {
    var limit = rlimit()
    #if os(Linux)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return limit.rlim_cur
  }()

  @Test(.enabled(if: limit > 4_000))
  func `A program starts in a process with many open files, and inherits none of them`() throws {
    let files = (0..<Self.count).map { _ in open("/dev/null", O_RDONLY) }
    defer { for file in files { close(file) } }
    #expect(files.allSatisfy { $0 >= 0 })
    for _ in 0..<10 {
      let output = Pipe()
      let process = try SpawnedProcess(
        URL(filePath: "/bin/sh"), ["-c", "ls /dev/fd | wc -l; exit 3"],
        output: output.fileHandleForWriting)
      try output.fileHandleForWriting.close()
      let text = String(
        decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
      // The three standard files, and the folder that `ls` reads.
      #expect(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) == 4)
      #expect(process.waitForExit() == .code(3))
      #expect(!process.isRunning)
    }
  }
}
