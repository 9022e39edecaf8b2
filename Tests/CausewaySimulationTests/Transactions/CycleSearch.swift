/// Searches a graph of transactions for a cycle that an isolation level forbids.
struct CycleSearch {
  private let edges: [[TransactionEdge]]
  private let level: IsolationLevel

  init(_ edges: [[TransactionEdge]], _ level: IsolationLevel) {
    self.edges = edges
    self.level = level
  }

  /// The places of the search: two for each node.
  ///
  /// Snapshot isolation allows a cycle in which two edges ``TransactionEdgeKind/readBefore`` follow
  /// each other (A. Cerone and A. Gotsman, "Analysing Snapshot Isolation", JACM 2018). The odd place
  /// of a node means that the search has come there by such an edge.
  private func next(_ place: Int) -> [(place: Int, edge: TransactionEdge)] {
    edges[place / 2].compactMap { edge in
      let isAnti = edge.kind == .readBefore
      switch level {
      case .readCommitted: return isAnti ? nil : (edge.to * 2, edge)
      case .snapshot:
        return isAnti && place % 2 == 1 ? nil : (edge.to * 2 + (isAnti ? 1 : 0), edge)
      case .serializable, .strictSerializable: return (edge.to * 2, edge)
      }
    }
  }

  /// Returns a short cycle; `nil` if there is none.
  ///
  /// Complexity: O(*n*) in the number of edges, if there is no cycle.
  func cycle() -> [(from: Int, edge: TransactionEdge)]? {
    guard let place = placeOnCycle() else { return nil }
    // The shortest way from the place back to it.
    var came: [Int: (from: Int, edge: TransactionEdge)] = [:]
    var queue = [place]
    var head = 0
    while head < queue.count {
      let from = queue[head]
      head += 1
      for (to, edge) in next(from) where came[to] == nil {
        came[to] = (from, edge)
        if to == place { return way(to, came) }
        queue.append(to)
      }
    }
    return nil
  }

  private func way(
    _ place: Int, _ came: [Int: (from: Int, edge: TransactionEdge)]
  ) -> [(from: Int, edge: TransactionEdge)] {
    var result: [(from: Int, edge: TransactionEdge)] = []
    var current = place
    repeat {
      guard let (from, edge) = came[current] else { break }
      result.append((from / 2, edge))
      current = from
    } while current != place
    return result.reversed()
  }

  /// Searches depth first, without recursion: a history may have thousands of transactions.
  private func placeOnCycle() -> Int? {
    enum Mark { case new, open, done }
    var marks = Array(repeating: Mark.new, count: edges.count * 2)
    for start in marks.indices where marks[start] == .new {
      // Only an edge of the search leads to an odd place.
      if start % 2 == 1 { continue }
      var stack = [(place: start, rest: next(start)[...])]
      marks[start] = .open
      while let top = stack.last {
        guard let step = top.rest.first else {
          marks[top.place] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].rest.removeFirst()
        switch marks[step.place] {
        case .open: return step.place
        case .new:
          marks[step.place] = .open
          stack.append((step.place, next(step.place)[...]))
        case .done: break
        }
      }
    }
    return nil
  }
}
