import CausewayData
import CausewayPostgres

// The code of CausewayPostgres.docc/CausewayPostgres.md.

func openInCluster(migrations: [Migration]) async throws -> PostgresService {
  var configuration = PostgresService.Configuration()
  configuration.connections = 16
  let store = try await PostgresService(
    url: "postgres://harbor@db1,db2/harbor?target_session_attrs=read-write&sslmode=verify-full",
    migrations: migrations, configuration: configuration)
  return store
}

func namesOfLargeItems(_ store: PostgresService, size: Int) async throws -> [String] {
  let names = try await store.rows("SELECT name FROM item WHERE size > \(size)", as: String.self)
  return names
}

func openWithReplicas(
  primaryAddress: String, replicaAddress: String, migrations: [Migration]
) async throws -> ReplicatedPostgresService {
  var configuration = PostgresService.Configuration()
  configuration.recordsPositions = true
  let primary = try await PostgresService(
    url: primaryAddress, migrations: migrations, configuration: configuration)
  let store = try ReplicatedPostgresService(primary: primary, replicas: replicaAddress)
  return store
}

func rename(
  _ id: Int, to name: String, in store: ReplicatedPostgresService
) async throws -> String? {
  try await store.write { transaction in
    try transaction.execute("UPDATE item SET name = \(name) WHERE id = \(id)")
  }
  let token = store.primary.position
  return token
}

func names(after token: String?, in store: ReplicatedPostgresService) async throws -> [String] {
  let names = try await store.read(after: token) { transaction in
    try transaction.rows("SELECT name FROM item", as: String.self)
  }
  return names
}

struct Item: Decodable, Sendable {
  var id: Int
}

func items(_ ids: [Int], in transaction: any ReadTransaction) throws -> [Item] {
  let found = try transaction.rows(
    "SELECT * FROM item WHERE id = ANY(\(array: ids))", as: Item.self)
  return found
}
