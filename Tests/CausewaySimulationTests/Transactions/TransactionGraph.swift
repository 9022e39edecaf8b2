import CausewayExploration

/// Why a first transaction comes before a second one.
enum TransactionEdgeKind: Hashable {
  /// The second transaction appended to a list after the first one.
  case appendedAfter
  /// The second transaction read a value that the first one appended.
  case wasRead
  /// The first transaction read a list before the second one appended to it.
  case readBefore
  /// The first transaction ended before the second one began.
  case endedBefore
}

/// An edge of a graph of transactions.
struct TransactionEdge {
  let to: Int
  let kind: TransactionEdgeKind
  /// The number of the list; `nil` for the order in time.
  var list: Int?
}

/// The transactions of a history, and the pairs that have a fixed order.
struct TransactionGraph<Key: Hashable & Sendable, Value: Hashable & Sendable> {
  typealias Transaction = TransactionHistory<Key, Value>.Transaction

  private struct Place: Hashable {
    let key: Key
    let value: Value
  }

  private let transactions: [Transaction]
  /// The transaction that appended a value.
  private var writers: [Place: Int] = [:]
  private var keys: [Key] = []
  /// The edges from each transaction, followed by the edges from each end of a transaction.
  private(set) var edges: [[TransactionEdge]]

  /// Makes the graph.
  ///
  /// - Parameter hasTime: Whether the order in time counts.
  /// - Throws: A violation that a single list shows.
  init(_ transactions: [Transaction], hasTime: Bool) throws(IsolationViolation) {
    self.transactions = transactions
    edges = Array(repeating: [], count: transactions.count)
    var readers: [Key: [Int]] = [:]
    var appenders: [Key: [Int]] = [:]
    for (index, transaction) in transactions.enumerated() {
      for (key, values) in transaction.appends {
        appenders[key, default: []].append(index)
        for value in values { writers[Place(key: key, value: value)] = index }
      }
      for key in transaction.reads.keys { readers[key, default: []].append(index) }
    }
    keys = Array(Set(readers.keys).union(appenders.keys))
    for (number, key) in keys.enumerated() {
      let readers = readers[key] ?? []
      let list = try longest(key, readers)
      try check(list, key)
      for reader in readers { try checkEnd(key, reader) }
      connect(number, list, readers, appenders[key] ?? [])
    }
    if hasTime { addTime() }
  }

  // MARK: - Single lists

  /// The longest read of a list.
  ///
  /// Every other read must be a beginning of it.
  private func longest(_ key: Key, _ readers: [Int]) throws(IsolationViolation) -> [Value] {
    let reads = readers.map { ($0, transactions[$0].reads[key] ?? []) }
    guard let last = reads.max(by: { $0.1.count < $1.1.count }) else { return [] }
    for (reader, read) in reads where !last.1.starts(with: read) {
      throw IsolationViolation(
        .contradictingOrders,
        "\(key) was read as \(read) by #\(reader) and as \(last.1) by #\(last.0)")
    }
    return last.1
  }

  private func check(_ list: [Value], _ key: Key) throws(IsolationViolation) {
    var seen: Set<Value> = []
    for value in list {
      guard seen.insert(value).inserted else {
        throw IsolationViolation(.duplicate, "\(key) contains \(value) twice: \(list)")
      }
      guard let writer = writers[Place(key: key, value: value)] else {
        throw IsolationViolation(
          .unknownValue, "no transaction appended \(value) to \(key): \(list)")
      }
      if transactions[writer].outcome == .rolledBack {
        throw IsolationViolation(
          .abortedRead, "\(key) contains \(value) of #\(writer), which was rolled back")
      }
    }
  }

  /// Checks that a read has all values of the transaction that appended its last value.
  private func checkEnd(_ key: Key, _ reader: Int) throws(IsolationViolation) {
    guard let value = transactions[reader].reads[key]?.last,
      let writer = writers[Place(key: key, value: value)],
      let all = transactions[writer].appends[key], all.last != value
    else { return }
    throw IsolationViolation(
      .intermediateRead, "#\(reader) read \(key) until \(value), but #\(writer) appended \(all)")
  }

  // MARK: - Edges

  private mutating func connect(
    _ number: Int, _ list: [Value], _ readers: [Int], _ appenders: [Int]
  ) {
    let order = list.compactMap { writers[Place(key: keys[number], value: $0)] }
    let seen = Set(order)
    // The values of these transactions come after all values that were read.
    let later = appenders.filter { !seen.contains($0) && transactions[$0].outcome == .committed }
    for (before, after) in zip(order, order.dropFirst()) {
      add(before, after, .appendedAfter, number)
    }
    if let last = order.last { for index in later { add(last, index, .appendedAfter, number) } }
    for reader in readers {
      let count = transactions[reader].reads[keys[number]]?.count ?? 0
      if count > 0 { add(order[count - 1], reader, .wasRead, number) }
      if count < order.count {
        add(reader, order[count], .readBefore, number)
      } else {
        for index in later { add(reader, index, .readBefore, number) }
      }
    }
  }

  private mutating func add(_ from: Int, _ to: Int, _ kind: TransactionEdgeKind, _ list: Int?) {
    if from != to { edges[from].append(TransactionEdge(to: to, kind: kind, list: list)) }
  }

  /// Adds the order in time, with a node for each end of a transaction.
  ///
  /// Edges between all pairs of transactions would be too many.
  private mutating func addTime() {
    // A transaction that was rolled back does not come before any other transaction.
    let entries = transactions.map { ($0.begin, $0.outcome == .committed ? $0.end : nil) }
    var moment: Int?
    for event in HistoryEvent.inOrder(entries) {
      guard event.isEnd else {
        if let moment { add(moment, event.index, .endedBefore, nil) }
        continue
      }
      edges.append([])
      let next = edges.count - 1
      if let moment { add(moment, next, .endedBefore, nil) }
      add(event.index, next, .endedBefore, nil)
      moment = next
    }
  }

  // MARK: - Text

  /// Describes a cycle, and the transactions in it.
  func text(of cycle: [(from: Int, edge: TransactionEdge)]) -> String {
    var lines: [String] = []
    var members: [Int] = []
    // A cycle through moments begins at a transaction, because moments have no cycle of their own.
    let start = cycle.firstIndex { $0.from < transactions.count } ?? 0
    var from = 0
    for (node, edge) in cycle[start...] + cycle[..<start] {
      if node < transactions.count {
        from = node
        members.append(node)
      }
      guard edge.to < transactions.count else { continue }
      lines.append(text(from, edge))
    }
    return (lines + members.map(text)).joined(separator: "\n")
  }

  private func text(_ from: Int, _ edge: TransactionEdge) -> String {
    let list = edge.list.map { "\(keys[$0])" } ?? ""
    return switch edge.kind {
    case .appendedAfter: "#\(edge.to) appended to \(list) after #\(from)"
    case .wasRead: "#\(edge.to) read what #\(from) appended to \(list)"
    case .readBefore: "#\(from) read \(list) before #\(edge.to) appended to it"
    case .endedBefore: "#\(from) ended before #\(edge.to) began"
    }
  }

  private func text(_ index: Int) -> String {
    func lists(_ lists: [Key: [Value]]) -> String {
      lists.map { "\($0) \($1)" }.sorted().joined(separator: ", ")
    }
    let transaction = transactions[index]
    return "#\(index): read \(lists(transaction.reads)); appended \(lists(transaction.appends))"
  }
}
