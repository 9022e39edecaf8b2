import Foundation

extension Row {
  /// The line as text.
  var text: String {
    let floor = self.floor.map { " floor \(Self.time($0.nanoseconds))" } ?? ""
    let ratio = self.ratio.map { String(format: " ratio %.2f", $0) } ?? ""
    var allocations = String(format: "%.2f", work.allocations)
    if let floor = self.floor { allocations += String(format: " (floor %.2f)", floor.allocations) }
    return "\(name.padding(toLength: 58, withPad: " ", startingAt: 0))"
      + "\(Self.time(work.nanoseconds))\(floor)\(ratio) allocations \(allocations)  [\(target)]"
  }

  private static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 1_000
      ? String(format: "%.1f ns", nanoseconds) : String(format: "%.2f µs", nanoseconds / 1_000)
  }
}
