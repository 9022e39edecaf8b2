#if os(Linux)
  import Foundation

  /// A server in a separate process, whose memory and processor time can be read.
  struct ServerProcess {
    let port: UInt16
    private let process = Process()
    private let executable: URL
    private let arguments: [String]

    init(_ executable: URL, _ arguments: [String]) throws {
      (self.executable, self.arguments) = (executable, arguments)
      let output = Pipe()
      process.executableURL = executable
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
      var text = ""
      while true {
        if let match = text.firstMatch(of: /http:\/\/[^:\/]+:(\d+)[\s\S]/),
          let port = UInt16(match.1)
        {
          self.port = port
          return
        }
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw Unexpected(answer: "the server did not start: \(text)") }
        text += String(decoding: data, as: UTF8.self)
      }
    }

    func stop() {
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
    }

    /// Stops the process, and starts another one with the same arguments.
    func restarted() throws -> ServerProcess {
      stop()
      return try ServerProcess(executable, arguments)
    }

    /// The processor time of all threads, also of those that have ended.
    var processorTime: Duration {
      get throws {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process.processIdentifier, &clock) == 0,
          clock_gettime(clock, &time) == 0
        else { throw Unexpected(answer: "the server has ended") }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
      }
    }

    /// The resident memory, in kilobytes.
    var memory: Int {
      get throws {
        let status = try String(
          contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        return status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) } ?? 0
      }
    }

    /// The number of open descriptors.
    var descriptors: Int {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd")
          .count
      }
    }
  }
#endif
