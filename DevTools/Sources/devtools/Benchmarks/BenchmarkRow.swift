import Foundation

/// A row that a benchmark prints.
///
/// Its form is "NAME TIME UNIT [floor TIME UNIT ratio NUMBER] allocations NUMBER [(floor NUMBER)]  [GOAL]".
struct BenchmarkRow {
  let name: String
  /// The time with its unit.
  let work: String
  /// The time of the floor, and the ratio; empty if there is no floor.
  var floor = ""
  var ratio = ""
  /// The text after the times.
  let rest: String

  /// - Returns: nil if the line is no row.
  init?(_ line: String) {
    let form =
      #/
      \ *([0-9]+\.[0-9]+\ (?:ns|µs))
      (?:\ floor\ ([0-9]+\.[0-9]+\ (?:ns|µs))\ ratio\ ([0-9.]+))?
      \ allocations\s
      /#
    guard let match = line.firstMatch(of: form) else { return nil }
    name = String(line[..<match.range.lowerBound])
    work = String(match.1)
    floor = match.2.map(String.init) ?? ""
    ratio = match.3.map(String.init) ?? ""
    rest = String(line[match.range.upperBound...])
  }
}

/// Amounts in the output of benchmarks.
enum Amount {
  /// A time in nanoseconds, or an amount of memory in bytes.
  static func size(_ text: String) -> Double {
    let words = text.split(separator: " ")
    guard let first = words.first else { return 0 }
    let unit = words.count > 1 ? words[1].replacing(/[,;]$/, with: "") : ""
    let factors: [Substring: Double] = [
      "µs": 1000, "us": 1000, "kB": 1000, "ms": 1e6, "MB": 1e6, "s": 1e9,
    ]
    return number(first) * (factors[unit] ?? 1)
  }

  /// The number at the beginning of a text, or 0.
  static func number(_ text: some StringProtocol) -> Double { strtod(String(text), nil) }
}
