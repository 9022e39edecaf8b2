import CausewayData
import CausewaySQLite

/// Prints the content of both files, a line for each row.
func report(_ folder: String) async throws {
  let server = try await SQLiteService(
    path: folder + "/server.sqlite", migrations: Server.migrations)
  let client = try await SQLiteService(
    path: folder + "/client.sqlite", migrations: Client.migrations)
  try await server.checkIntegrity()
  try await client.checkIntegrity()
  let queries: [(SQLiteService, SQL)] = [
    (
      server,
      "SELECT 'effect ' || scope || ' ' || run || ' ' || number FROM effect ORDER BY position"
    ),
    (
      client,
      """
      SELECT 'shown ' || syncScope || ' ' || run || ' ' || number FROM step
      WHERE NOT syncPending ORDER BY run, number
      """
    ),
    (client, "SELECT 'pending ' || syncScope || ' ' || id FROM step WHERE syncPending"),
    (client, "SELECT 'left ' || scope || ' ' || key FROM sync_outbox"),
    (client, "SELECT 'refused ' || scope || ' ' || key FROM sync_dead_letter"),
  ]
  try await say(queries)
}

/// Prints the content of the files of the server and of a device.
func reportDevice(_ folder: String) async throws {
  let server = try await SQLiteService(
    path: folder + "/server.sqlite", migrations: Server.migrations)
  let device = try await SQLiteService(
    path: folder + "/device.sqlite", migrations: Client.migrations)
  try await server.checkIntegrity()
  try await device.checkIntegrity()
  try await say([
    (server, "SELECT 'effect ' || account || ' ' || scope || ' ' || id FROM effect"),
    (device, "SELECT 'left ' || account || ' ' || scope || ' ' || key FROM sync_outbox"),
    (device, "SELECT 'refused ' || account || ' ' || message FROM sync_dead_letter"),
  ])
}

private func say(_ queries: [(SQLiteService, SQL)]) async throws {
  for (store, query) in queries {
    for line in try await store.read({ try $0.rows(query, as: String.self) }) { say(line) }
  }
  say("end")
}
