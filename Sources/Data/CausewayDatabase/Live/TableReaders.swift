/// The live queries that read each table.
struct TableReaders {
  private struct Reader {
    let node: any LiveQueries.Node
    /// `nil` before the query has run for the first time.
    ///
    /// Until then, every commit affects the query.
    var tables: Set<String>?
  }

  private var readers: [Int: Reader] = [:]
  private var numbers: [String: Set<Int>] = [:]
  /// The queries that have not run yet.
  private var unknown: Set<Int> = []

  /// Adds a query whose tables are not known yet.
  ///
  /// - Parameter number: The position of the query in the order of registration.
  mutating func add(_ node: any LiveQueries.Node, _ number: Int) {
    readers[number] = Reader(node: node)
    unknown.insert(number)
  }

  /// Sets the tables that a query reads; does nothing for a removed query.
  ///
  /// - Complexity: O(tables).
  mutating func set(_ tables: Set<String>, of number: Int) {
    guard let reader = readers[number] else { return }
    removeNumber(number, from: reader.tables)
    readers[number]?.tables = tables
    for table in tables { numbers[table, default: []].insert(number) }
  }

  /// - Complexity: O(tables of the query).
  mutating func remove(_ number: Int) {
    guard let reader = readers.removeValue(forKey: number) else { return }
    removeNumber(number, from: reader.tables)
  }

  /// Returns the queries that the changes may affect, in the order of registration.
  ///
  /// With this order, their consumers always wake in the same order.
  ///
  /// - Complexity: O(*n* log *n*) in the returned queries.
  func nodes(reading changes: TableChanges) -> [any LiveQueries.Node] {
    // Every commit calls this function, and most services have no live query.
    guard !readers.isEmpty else { return [] }
    switch changes {
    case .everything:
      return nodes(readers.keys)
    case .tables(let tables):
      return nodes(
        tables.reduce(into: unknown) { affected, table in
          if let numbers = numbers[table] { affected.formUnion(numbers) }
        })
    }
  }

  private func nodes(_ affected: some Collection<Int>) -> [any LiveQueries.Node] {
    affected.sorted().compactMap { readers[$0]?.node }
  }

  private mutating func removeNumber(_ number: Int, from tables: Set<String>?) {
    guard let tables else {
      unknown.remove(number)
      return
    }
    for table in tables {
      numbers[table]?.remove(number)
      if numbers[table]?.isEmpty == true { numbers[table] = nil }
    }
  }
}
