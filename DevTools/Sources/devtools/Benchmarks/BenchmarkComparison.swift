import Foundation

/// Compares the rows that two versions of the benchmarks have printed, each in several rounds.
struct BenchmarkComparison {
  /// The times of a row in nanoseconds, one for each round.
  private struct Times {
    var work: [Double] = []
    var floor: [Double] = []
  }

  /// The percentage by which a row may be slower.
  private static let limit = 15.0

  /// The lines to print.
  private(set) var lines: [String] = []
  /// 0 if no row is slow, 1 if a row is slow, 2 if there are no rows to compare.
  private(set) var status: Int32 = 0

  /// - Parameters:
  ///   - old: The lines of all rounds of the old version. Lines that are no rows are ignored.
  ///   - oldName: The name of the old version.
  ///   - new: The lines of the new version.
  ///   - newName: The name of the new version.
  init(old: [String], named oldName: String, new: [String], named newName: String) {
    var names: [String] = []
    let before = Self.times(old, &names)
    let after = Self.times(new, &names)
    var compared = 0
    var slow: [String] = []
    for name in names {
      guard let before = before[name] else {
        lines.append("only \(newName): \(name)")
        continue
      }
      guard let after = after[name] else {
        lines.append("only \(oldName): \(name)")
        continue
      }
      compared += 1
      let (text, isSlow) = compare(name, before, after)
      if isSlow { slow.append("SLOW  \(text)") } else { lines.append("ok    \(text)") }
    }
    // They come last, because they are hard to find among the other rows.
    lines += slow
    if names.isEmpty {
      lines.append("Neither version has printed a row. A filter is a part of the name of a row.")
      status = 2
    } else if compared == 0 {
      lines.append("No row was measured by both versions.")
      status = 2
    } else if !slow.isEmpty {
      lines.append(
        "Slower by more than \(Int(Self.limit)) % and by more than the noise: "
          + "\(slow.count) of \(compared) rows.")
      status = 1
    } else {
      lines.append("None of \(compared) rows is slower by more than \(Int(Self.limit)) %.")
    }
  }

  /// The line of a row, and whether it is slow.
  private func compare(
    _ name: String, _ before: Times, _ after: Times
  ) -> (text: String, isSlow: Bool) {
    let (old, new) = (Self.median(before.work), Self.median(after.work))
    let change = Self.percentage(old, new)
    let padded = name.padding(toLength: max(58, name.count), withPad: " ", startingAt: 0)
    var text =
      "\(padded) \(Self.written(old)) -> \(Self.written(new)) (\(Self.written(change: change)))"
    var isFloorSlow = false
    if !before.floor.isEmpty, !after.floor.isEmpty {
      let drift = Self.percentage(Self.median(before.floor), Self.median(after.floor))
      text += ", floor \(Self.written(change: drift))"
      isFloorSlow = drift > Self.limit
    }
    text += ", rounds \(Self.range(before.work)) -> \(Self.range(after.work))"
    // If the difference is only noise, some new round is as quick as some old round.
    let isNoise = (after.work.min() ?? 0) <= (before.work.max() ?? 0)
    return (text, change > Self.limit && !isFloorSlow && !isNoise)
  }

  /// The quickest and the slowest round.
  private static func range(_ times: [Double]) -> String {
    "\(written(times.min() ?? 0)) to \(written(times.max() ?? 0))"
  }

  private static func times(_ lines: [String], _ names: inout [String]) -> [String: Times] {
    var times: [String: Times] = [:]
    for row in lines.compactMap(BenchmarkRow.init) {
      if times[row.name] == nil, !names.contains(row.name) { names.append(row.name) }
      times[row.name, default: Times()].work.append(Amount.size(row.work))
      if !row.floor.isEmpty { times[row.name]?.floor.append(Amount.size(row.floor)) }
    }
    return times
  }

  private static func percentage(_ before: Double, _ after: Double) -> Double {
    before > 0 ? (after / before - 1) * 100 : 0
  }

  private static func written(_ time: Double) -> String {
    time < 1000 ? String(format: "%.1f ns", time) : String(format: "%.2f µs", time / 1000)
  }

  private static func written(change: Double) -> String { String(format: "%+.0f %%", change) }

  /// The middle value; for an even number of values, the mean of the two middle values.
  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
