import CausewayExploration

/// The events of a trial; recorded only when a failing trial is repeated.
struct Timeline {
  private struct Entry {
    let time: Duration
    let node: Int?
    let text: String
  }

  private var entries: [Entry] = []
  private var names: [String] = []

  mutating func add(_ text: String, node: NodeID?, at time: Duration, names: [String]) {
    self.names = names
    entries.append(Entry(time: time, node: node?.index, text: text))
  }

  /// The first characters of the body of a message.
  static func text(of bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "no bytes" }
    let start = String(decoding: bytes.prefix(200), as: UTF8.self)
    // A text can end in the middle of a character.
    guard start.dropLast().allSatisfy({ $0 != "\u{FFFD}" && $0 != "\0" }) else {
      return "\(bytes.count) bytes"
    }
    return bytes.count > 200 ? "\(start)… (\(bytes.count) bytes)" : start
  }

  /// The last lines, with the time in seconds and the name of the node.
  func text(last count: Int) -> String {
    let width = names.map(\.count).max() ?? 0
    let lines = entries.suffix(count).map { entry in
      let name = entry.node.map { names[$0] } ?? "world"
      let padding = String(repeating: " ", count: max(0, width - name.count))
      let milliseconds = entry.time.microseconds / 1_000
      let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
      return "\(milliseconds / 1_000).\(fraction) s  \(name)\(padding)  \(entry.text)"
    }
    let left = entries.count - lines.count
    return (left > 0 ? ["… \(left) earlier lines"] + lines : lines).joined(separator: "\n")
  }
}
