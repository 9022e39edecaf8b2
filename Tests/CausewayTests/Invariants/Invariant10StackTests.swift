#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  @Suite("Invariant 10: stack")
  struct Invariant10StackTests {
    /// The stack of every thread of the probe, in bytes.
    private static let stackSize = 512 * 1024

    @Test(arguments: ["send", "observed", "effects", "derived", "steps", "scoped", "optional"])
    func `a state of 50 kB works on a stack of 512 kB`(scenario: String) throws {
      let (status, output) = try run(scenario)
      #expect(status == 0, "the probe ended with \(status)")
      let words = output.split(whereSeparator: \.isWhitespace).map(String.init)
      // The probe prints its stack size, so a probe with a larger stack fails the test.
      #expect(words.prefix(2) == ["stack", "\(Self.stackSize)"])
      #expect(words.count > 3 && (Int(words[3]) ?? 0) > 50_000)
      #expect(words.suffix(2) == ["count", "5"])
    }

    private func run(_ scenario: String) throws -> (Int32, String) {
      let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      let probe = products.appendingPathComponent("StackProbe").path
      try #require(FileManager.default.isExecutableFile(atPath: probe), "no probe at \(probe)")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      // The soft limit is set before the program starts. It applies to the main thread, and the C
      // library uses it for every other thread.
      process.arguments = [
        "-c", "ulimit -S -s \(Self.stackSize / 1024) && exec \"$0\" \"$1\"", probe, scenario,
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
  }
#endif
