import CausewayDatabase
import CausewaySQLite

let store = try InMemoryPersistenceService(
  migrations: [Migration("create item", "CREATE TABLE item (title TEXT NOT NULL) STRICT")])
try await store.write { try $0.execute("INSERT INTO item VALUES (\("Flour"))") }
print(try await store.read { try $0.row("SELECT title FROM item", as: String.self) } ?? "nothing")
