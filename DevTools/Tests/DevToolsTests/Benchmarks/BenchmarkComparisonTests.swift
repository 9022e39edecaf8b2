import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct BenchmarkComparisonTests {
  /// A row as the benchmarks print it.
  private func row(_ name: String, _ time: Double, _ floor: Double) -> String {
    name.padding(toLength: 58, withPad: " ", startingAt: 0)
      + String(format: "%.2f µs floor %.2f µs", time, floor)
      + " ratio 1.20 allocations 4.00 (floor 0.00)  []"
  }

  private func compare(_ old: [String], _ new: [String]) -> (lines: [String], status: Int32) {
    let comparison = BenchmarkComparison(old: old, named: "before", new: new, named: "after")
    return (comparison.lines.map { $0.replacing(/\ +/, with: " ") }, comparison.status)
  }

  @Test
  func `a slower row is found, unless its floor is slower too`() {
    let (lines, status) = compare(
      [row("a write", 10, 8), row("a write", 11, 8), row("a read", 10, 5), row("old", 1, 1)],
      [row("a write", 12.2, 8.1), row("a read", 20, 9), row("new", 1, 1)])
    #expect(
      lines == [
        "ok a read 10.00 µs -> 20.00 µs (+100 %), floor +80 %, "
          + "rounds 10.00 µs to 10.00 µs -> 20.00 µs to 20.00 µs",
        "only before: old", "only after: new",
        "SLOW a write 10.50 µs -> 12.20 µs (+16 %), floor +1 %, "
          + "rounds 10.00 µs to 11.00 µs -> 12.20 µs to 12.20 µs",
        "Slower by more than 15 % and by more than the noise: 1 of 2 rows.",
      ])
    #expect(status == 1)
  }

  @Test
  func `a row with one round that is as quick as before is not slow`() {
    let new = [row("a write", 10, 8), row("a write", 14, 8), row("a write", 14, 8)]
    #expect(compare([row("a write", 10, 8)], new).status == 0)
  }

  @Test
  func `lines that are no rows give no comparison`() {
    let (lines, status) = compare(["Build complete!"], [])
    #expect(
      lines == ["Neither version has printed a row. A filter is a part of the name of a row."])
    #expect(status == 2)
  }

  @Test
  func `two versions with other rows cannot be compared`() {
    let (lines, status) = compare([row("a write", 10, 8)], [row("a read", 10, 8)])
    #expect(
      lines == [
        "only before: a write", "only after: a read", "No row was measured by both versions.",
      ])
    #expect(status == 2)
  }
}
