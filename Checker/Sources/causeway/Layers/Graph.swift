/// A directed graph of names.
struct Graph {
  private var targets: [String: Set<String>] = [:]

  init(_ edges: [(from: String, to: String)]) {
    for edge in edges { targets[edge.from, default: []].insert(edge.to) }
  }

  mutating func remove(from: String, to: String) { targets[from]?.remove(to) }

  /// The edges whose end leads back to their start.
  func cyclicEdges() -> [(from: String, to: String)] {
    targets.flatMap { from, ends in
      ends.filter { !path(from: $0, to: from).isEmpty }.map { (from, $0) }
    }
  }

  /// A shortest path with its ends; empty if there is none.
  func path(from start: String, to end: String) -> [String] {
    var previous: [String: String] = [:]
    var waiting = [start]
    var index = 0
    while index < waiting.count {
      let name = waiting[index]
      index += 1
      if name == end {
        var path = [end]
        while let last = path.last, last != start, let before = previous[last] {
          path.append(before)
        }
        return path.reversed()
      }
      for next in (targets[name] ?? []).sorted() where next != start && previous[next] == nil {
        previous[next] = name
        waiting.append(next)
      }
    }
    return []
  }
}
