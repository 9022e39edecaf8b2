import CausewayData
import CausewayPostgres
import Synchronization

extension PostgresBenchmarks {
  /// Compares 16 writers with a `NOTIFY` in each transaction and with batched hints.
  ///
  /// The rounds alternate between the kinds, because other work on the machine changes the rates.
  /// The result is the median of each kind.
  static func hints(_ url: String, _ host: String) async throws {
    let clients = 16
    let plain = try await open(url, schema: "plain", clients, log: false)
    let logged = try await open(url, schema: "logged", clients, log: true)
    let versions = Versions()
    let observer = observe(logged, versions)
    func insert(_ service: PostgresService, notifies: Bool = false) async throws -> Double {
      try await rate(clients) { _ in
        _ = try await service.write { transaction in
          try transaction.execute("INSERT INTO entry (name) VALUES (\("text"))")
          if notifies { try transaction.execute("NOTIFY entry") }
        }
      }
    }
    let insertion = "INSERT INTO entry (name) VALUES ('text');\n"
    let kinds: [(name: String, run: () async throws -> Double)] = [
      ("pgbench", { try await pgbench(host, "plain", clients, insertion) }),
      (
        "pgbench, NOTIFY in each",
        {
          try await pgbench(host, "plain", clients, "BEGIN;\n\(insertion)NOTIFY entry;\nCOMMIT;\n")
        }
      ),
      ("write, without live queries", { try await insert(plain) }),
      ("write, NOTIFY in each", { try await insert(plain, notifies: true) }),
      ("write, change log and live queries", { try await insert(logged) }),
    ]
    var rates = [[Double]](repeating: [], count: kinds.count)
    for _ in 0..<7 {
      for (index, kind) in kinds.enumerated() { rates[index].append(try await kind.run()) }
    }
    let medians = rates.map { $0.sorted()[$0.count / 2] }
    for (index, kind) in kinds.enumerated() {
      report(kind.name, medians[index], index < 2 ? medians[0] : medians[2])
    }
    print("versions delivered: \(versions.count.withLock { $0 })")
    observer.cancel()
    try await plain.close()
    try await logged.close()
    _ = try? await observer.value
  }
}
