import Foundation

/// Draws how times grow with a number, from the lines of the benchmarks of pages, as an SVG picture.
struct GrowthPlot {
  /// The things that the number counts.
  enum Subject: String, CaseIterable {
    case rows, tabs, people

    fileprivate var title: String {
      switch self {
      case .rows: "A page of a board, by the activities of its group"
      case .tabs: "A change until all tabs have it, by the tabs"
      case .people: "An action until its person sees it, by the people who act"
      }
    }

    fileprivate var unit: String { self == .rows ? "activities" : rawValue }
  }

  private struct Series {
    let name: String
    var points: [(x: Double, y: Double)] = []
    var labelX = 0.0
    var labelY = 0.0
  }

  private static let colours = ["#0f3a4c", "#c2571a", "#5b7f2b"]
  private static let left = 90.0
  private static let right = 640.0
  private static let top = 40.0
  private static let bottom = 340.0

  private let subject: Subject
  private var series: [Series] = []
  private var powersX = 0...0
  private var powersY = 0...0
  private var svg = ""

  /// The picture of the figures in Documentation/Benchmarks.md; nil if there are too few.
  static func picture(of subject: Subject, page: String) -> String? {
    var plot = GrowthPlot(subject: subject)
    for line in page.components(separatedBy: "\n") { plot.read(line) }
    let points = plot.series.flatMap(\.points)
    guard let x = Self.powers(points.map(\.x)), let y = Self.powers(points.map(\.y)), x.count > 1
    else { return nil }
    plot.powersX = x
    plot.powersY = y
    plot.draw()
    return plot.svg
  }

  private init(subject: Subject) { self.subject = subject }

  private mutating func read(_ line: String) {
    // The number after the first occurrence of a text.
    func after(_ text: String) -> Double {
      line.firstRange(of: text).map { Amount.number(line[$0.upperBound...]) } ?? 0
    }
    let first = Amount.number(line)
    switch subject {
    case .rows where line.contains(/^page\ of\ [0-9]+\ rows:\ /):
      let x = after("page of ")
      add("first page", x, after(": first "))
      add("later page", x, after("; later "))
      add("join", x, after("a join seen after "))
    case .tabs where line.contains(/^[0-9]+\ tabs\ ×\ 100\ rows:\ /):
      add("last tab", first, after(", last tab "))
      add("floor", first, after("floor: last tab "))
    case .people where line.contains(/^[0-9]+\ people\ ×\ 2\ actions\ a\ second,\ /):
      add("99 of 100", first, after(", p99 "))
      add("median", first, after(": median "))
      add("floor", first, after("floor: median "))
    default: break
    }
  }

  private mutating func add(_ name: String, _ x: Double, _ y: Double) {
    guard y > 0 else { return }
    if !series.contains(where: { $0.name == name }) { series.append(Series(name: name)) }
    for index in series.indices where series[index].name == name {
      // A later measurement of the same size replaces an earlier one.
      series[index].points.removeAll { $0.x == x }
      series[index].points.append((x, y))
      series[index].points.sort { $0.x < $1.x }
    }
  }

  /// The powers of ten around numbers; nil if there are no numbers.
  private static func powers(_ numbers: [Double]) -> ClosedRange<Int>? {
    guard let least = numbers.min(), let most = numbers.max() else { return nil }
    func power(_ number: Double) -> Int {
      Int(log(number) / log(10) + (number < 1 ? -1 : 0) + 0.0000001)
    }
    let last = power(most)
    return power(least)...(pow(10, Double(last)) < most ? last + 1 : last)
  }

  private func atX(_ x: Double) -> Double {
    let (low, high) = (Double(powersX.lowerBound), Double(powersX.upperBound))
    return Self.left + (Self.right - Self.left) * (log(x) / log(10) - low) / (high - low)
  }

  private func atY(_ y: Double) -> Double {
    let (low, high) = (Double(powersY.lowerBound), Double(powersY.upperBound))
    let height = Self.bottom - Self.top
    return Self.bottom - height * (log(y) / log(10) - low) / (high > low ? high - low : 1)
  }

  private mutating func draw() {
    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 400" role="img">
        <title>\(subject.title)</title>
        <style>text { font: 14px system-ui, sans-serif; fill: #333 } .grid { stroke: #ddd }</style>
        <rect width="760" height="400" fill="#fff"/>

      """
    text(Self.left, 24, "start", subject.title)
    for power in powersX {
      let value = pow(10, Double(power))
      line(atX(value), Self.top, atX(value), Self.bottom)
      text(atX(value), Self.bottom + 22, "middle", Self.grouped(value))
    }
    text((Self.left + Self.right) / 2, Self.bottom + 46, "middle", subject.unit)
    for power in powersY {
      let value = pow(10, Double(power))
      line(Self.left, atY(value), Self.right, atY(value))
      text(Self.left - 8, atY(value) + 5, "end", "\(Self.grouped(value)) ms")
    }
    for index in series.indices { draw(index) }
    placeLabels()
    svg += "</svg>\n"
  }

  private mutating func draw(_ index: Int) {
    let points = series[index].points.map { (x: atX($0.x), y: atY($0.y)) }
    let path = points.map { String(format: "%.1f %.1f", $0.x, $0.y) }.joined(separator: " L")
    let colour = Self.colours[index]
    let dashes = series[index].name == "floor" ? " stroke-dasharray=\"6 4\"" : ""
    svg +=
      "  <path d=\"M\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"\(dashes)/>\n"
    for point in points {
      svg += String(
        format: "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"\(colour)\"/>\n", point.x, point.y
      )
    }
    series[index].labelX = (points.last?.x ?? 0) + 10
    series[index].labelY = (points.last?.y ?? 0) + 5
  }

  /// Writes the names of the series at their ends, from the top, without overlaps.
  private mutating func placeLabels() {
    var above = -Double.infinity
    let places = series.indices.sorted { series[$0].labelY < series[$1].labelY }
    for index in places {
      series[index].labelY = max(series[index].labelY, above + 16)
      above = series[index].labelY
    }
    for series in series { text(series.labelX, series.labelY, "start", series.name) }
  }

  private mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    svg += String(
      format: "  <line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1, y1,
      x2, y2)
  }

  private mutating func text(_ x: Double, _ y: Double, _ anchor: String, _ text: String) {
    svg += String(format: "  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"\(anchor)\">", x, y)
    svg += "\(text)</text>\n"
  }

  private static func grouped(_ number: Double) -> String {
    if number < 1 { return String(format: "%.6g", number) }
    let whole = Int(number)
    return whole >= 1000 ? String(format: "%d,%03d", whole / 1000, whole % 1000) : "\(whole)"
  }
}
