import CAllocations
import CausewayData
import Foundation

/// The scenario of a child process, whose peak memory is measured alone.
enum CacheMemory: String, CaseIterable {
  case nothing, small, large

  static let budget = 50_000_000

  /// The size of each value.
  ///
  /// The scenario requests 100,000 keys.
  private var size: Int {
    switch self {
    case .nothing: 0
    case .small: 400
    case .large: 5_000
    }
  }

  func run() async throws {
    if self != .nothing {
      var policy = ResourcePolicy()
      policy.memoryBytes = Self.budget
      policy.memoryCount = .max
      let size = size
      let cache = ResourceCache<Int, [UInt8]>(policy: policy, size: { $0.count + 32 }) { key in
        [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: size)
      }
      for key in 0..<100_000 { _ = try await cache.value(for: key) }
      print(causeway_peak_resident_bytes(), cache.memoryCount)
      withExtendedLifetime(cache) {}
    } else {
      print(causeway_peak_resident_bytes(), 0)
    }
  }

  /// The peak resident size of a process that runs this scenario, in bytes, and the number of its
  /// keys.
  func peak() throws -> (bytes: Double, count: Int) {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--memory", rawValue]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace)
    guard numbers.count == 2, let bytes = Double(numbers[0]), let count = Int(numbers[1]) else {
      return (.nan, 0)
    }
    return (bytes, count)
  }
}

extension Bench {
  func measureCacheMemory() throws {
    let nothing = try CacheMemory.nothing.peak().bytes
    for scenario in [CacheMemory.small, .large] {
      let (bytes, count) = try scenario.peak()
      let megabytes = String(format: "%.1f MB", (bytes - nothing) / 1_000_000)
      print(
        "peak memory after 100,000 \(scenario) values, \(count) of them kept: \(megabytes) more "
          + "than an empty process  [<= \(CacheMemory.budget * 6 / 5 / 1_000_000) MB]")
    }
  }
}
