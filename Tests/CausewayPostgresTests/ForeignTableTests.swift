import CausewayData
import CausewayPostgres
import Foundation
import Testing

/// Tables of other owners and programs, whose changes the change log does not contain.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct ForeignTableTests {
  /// A program that uses no change log, with the rights of the server's administrator.
  private func administrator(_ url: String, _ statements: SQL...) async throws -> PostgresService {
    var configuration = PostgresService.Configuration()
    configuration.observesOtherProcesses = false
    let service = try await PostgresService(
      url: url, migrations: [], configuration: configuration)
    for statement in statements { try await service.write { try $0.execute(statement) } }
    return service
  }

  private func open(_ url: String, as role: String = "postgres") async throws -> PostgresService {
    var configuration = PostgresService.Configuration()
    configuration.pollInterval = .milliseconds(50)
    return try await PostgresService(
      url: url.replacing("//postgres@", with: "//\(role)@"), migrations: [],
      configuration: configuration)
  }

  /// Makes a role that can log in, and returns its name.
  private func makeRole(_ service: PostgresService) async throws -> String {
    let name = "role_" + UUID().uuidString.lowercased().replacing("-", with: "")
    let schema = try #require(
      try await service.rows("SELECT current_schema()", as: String.self).first)
    try await service.write { transaction in
      try transaction.execute("CREATE ROLE \(identifier: name) LOGIN")
      try transaction.execute("GRANT ALL ON SCHEMA \(identifier: schema) TO \(identifier: name)")
    }
    return name
  }

  private func insert(_ id: Int, _ service: PostgresService) async throws {
    try await service.write { try $0.execute("INSERT INTO note VALUES (\(id))") }
  }

  @Test(arguments: [true, false])
  func `A live query over a table of another owner sees all commits`(mayWatch: Bool) async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let owner = try await administrator(url, "CREATE TABLE note (id BIGINT PRIMARY KEY)")
    let (app, writer) = (try await makeRole(owner), try await makeRole(owner))
    try await owner.write { transaction in
      try transaction.execute("GRANT SELECT, INSERT ON note TO \(identifier: app)")
      try transaction.execute("GRANT INSERT ON note TO \(identifier: writer)")
      if mayWatch { try transaction.execute("GRANT TRIGGER ON note TO \(identifier: app)") }
    }
    let service = try await open(url, as: app)
    let triggers = try await owner.rows(
      "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'note'::regclass", as: Int.self)
    #expect(triggers == [mayWatch ? 1 : 0])
    var versions = service.observe("SELECT id FROM note ORDER BY id", as: Int.self)
      .makeAsyncIterator()
    #expect(try await versions.next() == [])
    try await insert(1, service)
    #expect(try await versions.next() == [1])
    // A role without any right on the change log.
    let other = try await administrator(url.replacing("//postgres@", with: "//\(writer)@"))
    try await insert(2, other)
    #expect(try await versions.next() == [1, 2])
    try await insert(3, service)
    #expect(try await versions.next() == [1, 2, 3])
    for service in [service, other, owner] { try await service.close() }
  }

  @Test func `A live query sees partitions that were pruned, or made later`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let other = try await administrator(
      url,
      "CREATE TABLE reading (day DATE NOT NULL, value BIGINT NOT NULL) PARTITION BY RANGE (day)",
      """
      CREATE TABLE reading_11 PARTITION OF reading
      FOR VALUES FROM ('2026-11-01') TO ('2026-12-01')
      """)
    let service = try await open(url)
    var all = service.observe("SELECT value FROM reading ORDER BY value", as: Int.self)
      .makeAsyncIterator()
    var december = service.observe(
      "SELECT value FROM reading WHERE day = '2026-12-01' ORDER BY value", as: Int.self
    ).makeAsyncIterator()
    #expect(try await all.next() == [])
    #expect(try await december.next() == [])
    try await other.write {
      try $0.execute(
        """
        CREATE TABLE reading_12 PARTITION OF reading
        FOR VALUES FROM ('2026-12-01') TO ('2027-01-01')
        """)
      try $0.execute("INSERT INTO reading VALUES ('2026-12-01', 1)")
    }
    #expect(try await all.next() == [1])
    #expect(try await december.next() == [1])
    try await service.write { try $0.execute("INSERT INTO reading VALUES ('2026-12-01', 2)") }
    #expect(try await all.next() == [1, 2])
    #expect(try await december.next() == [1, 2])
    try await other.write { try $0.execute("INSERT INTO reading_12 VALUES ('2026-12-01', 3)") }
    #expect(try await all.next() == [1, 2, 3])
    #expect(try await december.next() == [1, 2, 3])
    for service in [service, other] { try await service.close() }
  }

  @Test func `A live query sees partitions that its first plan has left out`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    // The function stands for the date: its value selects partitions, and no plan names its table.
    let other = try await administrator(
      url, "CREATE TABLE note (id BIGINT PRIMARY KEY)", "INSERT INTO note VALUES (1)",
      "CREATE TABLE today (day DATE NOT NULL)", "INSERT INTO today VALUES ('2026-01-01')",
      """
      CREATE FUNCTION first_day() RETURNS DATE STABLE LANGUAGE plpgsql AS
      'BEGIN RETURN (SELECT day FROM today); END'
      """,
      "CREATE TABLE reading (day DATE NOT NULL, value BIGINT NOT NULL) PARTITION BY RANGE (day)",
      """
      CREATE TABLE reading_00 PARTITION OF reading
      FOR VALUES FROM ('2000-01-01') TO ('2001-01-01')
      """,
      """
      CREATE TABLE reading_01 PARTITION OF reading
      FOR VALUES FROM ('2001-01-01') TO ('2002-01-01')
      """,
      "INSERT INTO reading VALUES ('2000-05-01', 7)")
    let service = try await open(url)
    var versions = service.observe(
      """
      SELECT coalesce(value, 0) FROM note LEFT JOIN reading ON reading.day >= first_day()
      ORDER BY 1
      """, as: Int.self
    ).makeAsyncIterator()
    #expect(try await versions.next() == [0])
    try await other.write { try $0.execute("UPDATE today SET day = '2000-01-01'") }
    #expect(try await versions.next() == [7])
    for service in [service, other] { try await service.close() }
  }

  @Test func `A live query sees tables that another server joins`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let far = try await administrator(
      url, "CREATE TABLE near (id BIGINT PRIMARY KEY)", "INSERT INTO near VALUES (1)",
      "CREATE TABLE one (id BIGINT PRIMARY KEY)", "CREATE TABLE two (id BIGINT PRIMARY KEY)",
      "INSERT INTO one VALUES (1)")
    let place = try #require(
      try await far.rows(
        """
        SELECT format('host %L, port %L, dbname %L', split_part(
          current_setting('unix_socket_directories'), ',', 1), current_setting('port'),
          current_database())
        """, as: String.self
      ).first)
    let schema = try #require(
      try await far.rows("SELECT current_schema()", as: String.self).first)
    let available = try await far.rows(
      "SELECT name FROM pg_available_extensions WHERE name = 'postgres_fdw'", as: String.self)
    // Not each installation has the extension. The plan of such a query has its own test.
    guard !available.isEmpty else { return try await far.close() }
    try await far.write { transaction in
      for statement in [
        "CREATE EXTENSION postgres_fdw",
        """
        CREATE SERVER \(schema)_far FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (\(place), use_remote_estimate 'true')
        """,
        "CREATE USER MAPPING FOR postgres SERVER \(schema)_far",
        """
        CREATE FOREIGN TABLE far_one (id BIGINT) SERVER \(schema)_far
        OPTIONS (schema_name '\(schema)', table_name 'one')
        """,
        """
        CREATE FOREIGN TABLE far_two (id BIGINT) SERVER \(schema)_far
        OPTIONS (schema_name '\(schema)', table_name 'two')
        """,
      ] { try transaction.execute(SQL(unchecked: statement)) }
    }
    let service = try await open(url)
    let query: SQL = """
      SELECT near.id FROM near JOIN
      (SELECT far_one.id FROM far_one JOIN far_two ON far_one.id = far_two.id OFFSET 0)
      AS far
      ON near.id = far.id
      """
    let plan = try await service.rows("EXPLAIN \(query)", as: String.self)
    #expect(plan.contains { $0.contains("Foreign Scan") && !$0.contains(" on ") })
    var versions = service.observe(query, as: Int.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    try await far.write { try $0.execute("INSERT INTO two VALUES (1)") }
    #expect(try await versions.next() == [1])
    for service in [service, far] { try await service.close() }
  }

  @Test func `A live query sees a materialised view, a function, and a table made later`()
    async throws
  {
    let url = try await TestServer.shared.value.makeSchema()
    let other = try await administrator(
      url, "CREATE TABLE note (id BIGINT PRIMARY KEY)",
      "CREATE MATERIALIZED VIEW total AS SELECT count(*) AS count FROM note",
      """
      CREATE FUNCTION many() RETURNS SETOF BIGINT LANGUAGE plpgsql AS
      'BEGIN RETURN QUERY SELECT count(*) FROM note; END'
      """)
    let service = try await open(url)
    var total = service.observe("SELECT count FROM total", as: Int.self).makeAsyncIterator()
    var many = service.observe("SELECT * FROM many()", as: Int.self).makeAsyncIterator()
    #expect(try await total.next() == [0])
    #expect(try await many.next() == [0])
    try await insert(1, other)
    #expect(try await many.next() == [1])
    try await other.write { try $0.execute("REFRESH MATERIALIZED VIEW total") }
    #expect(try await total.next() == [1])
    try await service.write {
      try $0.execute("INSERT INTO note VALUES (2)")
      try $0.execute("REFRESH MATERIALIZED VIEW total")
    }
    #expect(try await total.next() == [2])
    try await other.write { try $0.execute("CREATE TABLE later (id BIGINT PRIMARY KEY)") }
    var later = service.observe("SELECT id FROM later ORDER BY id", as: Int.self)
      .makeAsyncIterator()
    #expect(try await later.next() == [])
    try await service.write { try $0.execute("INSERT INTO later VALUES (1)") }
    #expect(try await later.next() == [1])
    try await other.write { try $0.execute("INSERT INTO later VALUES (2)") }
    #expect(try await later.next() == [1, 2])
    for service in [service, other] { try await service.close() }
  }

  @Test func `A server that permits only reading by default is respected`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let other = try await administrator(url, "CREATE TABLE note (id BIGINT PRIMARY KEY)")
    let reader = try await administrator(
      url.replacing("options=", with: "options=-cdefault_transaction_read_only%3Don%20"))
    let error = await #expect(throws: PersistenceError.self) { try await insert(1, reader) }
    #expect(error?.kind == .readOnly)
    for service in [reader, other] { try await service.close() }
  }

  @Test(arguments: ["German,DMY", "SQL,MDY", "Postgres,DMY"])
  func `Dates are read whatever the style of the database`(_ style: String) async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let service = try await administrator(
      url.replacing("options=", with: "options=-cDateStyle%3D\(style)%20"))
    let date = Date(timeIntervalSince1970: 1_000_000_000.25)
    #expect(try await service.rows("SELECT \(date)::timestamptz", as: Date.self) == [date])
    try await service.close()
  }

  @Test func `Milliseconds in a column of numbers are no date`() async throws {
    let service = try await administrator(try await TestServer.shared.value.makeSchema())
    for type in ["float8", "numeric"] {
      let query = SQL(unchecked: "SELECT 1796180400500.0::\(type)")
      let error = await #expect(throws: PersistenceError.self) {
        try await service.rows(query, as: Date.self)
      }
      #expect(error?.kind == .decoding)
    }
    let late = Date(timeIntervalSince1970: 1_796_180_400_500)
    // A column of times has such years.
    #expect(try await service.rows("SELECT \(late)::timestamptz", as: Date.self) == [late])
    let error = await #expect(throws: PersistenceError.self) {
      try await service.rows("SELECT \(late)::float8", as: Double.self)
    }
    #expect(error?.kind == .encoding)
    try await service.close()
  }

  @Test(
    arguments: [
      ("53100", .full), ("53200", .other), ("54000", .statement), ("XX000", .other),
      ("XX001", .corrupt),
    ] as [(String, PersistenceError.Kind)])
  func `Failures of the server have the right kinds`(
    state: String, kind: PersistenceError.Kind
  ) async throws {
    let service = try await administrator(try await TestServer.shared.value.makeSchema())
    let statement = "DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''\(state)''; END'"
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { try $0.execute(SQL(unchecked: statement)) }
    }
    #expect(error?.kind == kind)
    try await service.close()
  }

  @Test func `A decimal number that would be rounded is an error`() async throws {
    let service = try await administrator(try await TestServer.shared.value.makeSchema())
    let digits = String(repeating: "1234567890", count: 3) + "12345678"
    let exact = try await service.rows(
      "SELECT \(digits + "00")::numeric", as: Decimal.self)
    #expect(exact == [Decimal(string: digits + "00")])
    for text in [digits + "9", digits + ".5", "NaN"] {
      let error = await #expect(throws: PersistenceError.self) {
        try await service.rows("SELECT \(text)::numeric", as: Decimal.self)
      }
      #expect(error?.kind == .decoding)
    }
    try await service.close()
  }

  @Test func `A refusal is recognised at once`() async throws {
    let url = try await TestServer.shared.value.url()
    for refused in [
      url.replacing("/postgres?", with: "/no_such_database?"),
      url.replacing("//postgres@", with: "//no_such_role@"),
    ] {
      let error = await #expect(throws: PersistenceError.self) { try await administrator(refused) }
      #expect(error?.kind == .cannotOpen)
      #expect(error?.message.contains(".c:") == false)
      #expect(error?.remedy.contains("rights of the role") == true)
    }
  }
}
