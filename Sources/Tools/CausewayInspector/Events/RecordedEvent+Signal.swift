import CausewayBasics

extension RecordedEvent {
  /// The event of a signal of the data layer.
  ///
  /// - Parameter hidden: The names of the parts of paths whose next part is hidden.
  init(_ signal: DataSignal, n: Int, at: Int, hiding hidden: Set<String>) {
    switch signal {
    case .query(let sql, let rows, let took, let reason):
      self.init(n: n, at: at, kind: .query, lane: .queries, title: Self.oneLine(sql))
      value = "\(rows) \(rows == 1 ? "row" : "rows"), \(reason)"
      self.took = took.microseconds
    case .failedQuery(let sql, let took, let reason, let error):
      self.init(n: n, at: at, kind: .query, lane: .queries, title: Self.oneLine(sql))
      value = "failed: \(error), \(reason)"
      self.took = took.microseconds
    case .mutation(let stage, let collection, let kind, let sequence, let details):
      self.init(
        n: n, at: at, kind: .mutation, lane: .outbox,
        title: "\(stage) #\(sequence) \(collection.shortened(to: 100))")
      value = [kind.shortened(to: 100), details].compactMap(\.self).joined(separator: ", ")
    case .cached(let answer, let key, let type):
      self.init(
        n: n, at: at, kind: .cache, lane: .network, title: "cache \(answer.rawValue): \(type)")
      var rules = RedactionRules()
      rules.texts = .addresses(hidingAfter: hidden)
      var reader = ValueReader(rules, budget: 50)
      value = reader.part(key, at: []).expression.shortened(to: 300)
    case .request(let number, let method, let address):
      self.init(
        n: n, at: at, kind: .request, lane: .network,
        title: "\(method) \(Self.hiding(hidden, in: address))")
      value = "request \(number)"
    case .response(let number, let method, let address, let end, let took):
      self.init(
        n: n, at: at, kind: .response, lane: .network,
        title: "\(end.text) \(method) \(Self.hiding(hidden, in: address))")
      value = "request \(number)"
      self.took = took.microseconds
    }
  }

  /// A statement with single spaces between its words.
  private static func oneLine(_ sql: String) -> String {
    sql.prefix(2_000).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .shortened(to: 600)
  }

  /// An address without the parts of its path that are secrets.
  ///
  /// A part is a secret if the part before it is one of the names, as in `/resets/TOKEN` with
  /// `resets`.
  static func hiding(_ names: Set<String>, in address: String) -> String {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    var shown = parts
    for (index, name) in parts.indices.dropFirst().map({ ($0, String(parts[$0 - 1])) })
    where names.contains(name) || RedactionRules.isSecret(name) {
      let query = parts[index].firstIndex(of: "?").map { parts[index][$0...] } ?? ""
      shown[index] = "\u{2026}\(query)"
    }
    return shown.joined(separator: "/").shortened(to: 600)
  }
}

extension DataSignal.RequestEnd {
  fileprivate var text: String {
    switch self {
    case .status(let status): "\(status)"
    case .failed(let kind, let status): status.map { "\(kind) \($0)" } ?? kind
    case .cancelled: "cancelled"
    }
  }
}

extension Duration {
  fileprivate var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
