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

struct Item: Decodable, Sendable {
  var id: Int
}

func items(_ ids: [Int], in transaction: any ReadTransaction) throws -> [Item] {
  let found = try transaction.rows(
    "SELECT * FROM item WHERE id = ANY(\(array: ids))", as: Item.self)
  return found
}
