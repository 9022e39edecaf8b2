import Foundation

extension Row {
  /// The line as text.
  var text: String {
    let floor = self.floor.map { " floor \(Self.time($0.nanoseconds))" } ?? ""
    let ratio = self.ratio.map { String(format: " ratio %.2f", $0) } ?? ""
    var allocations = String(format: "%.2f", work.allocations)
    if let floor = self.floor { allocations += String(format: " (floor %.2f)", floor.allocations) }
    // `padding(toLength:)` would cut a longer name.
    let gap = String(repeating: " ", count: max(1, 58 - name.count))
    return
      "\(name)\(gap)\(Self.time(work.nanoseconds))\(floor)\(ratio) allocations \(allocations)  [\(target)]"
  }

  private static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 1_000
      ? String(format: "%.1f ns", nanoseconds) : String(format: "%.2f µs", nanoseconds / 1_000)
  }
}
