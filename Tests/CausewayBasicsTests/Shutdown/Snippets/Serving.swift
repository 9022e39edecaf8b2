import CausewayBasics

protocol Database: Sendable {
  func close() async throws
}

protocol Server: Sendable {
  func stop() async
}

// snippet
func serve(
  openDatabase: () async throws -> any Database,
  startServer: (any Database) async throws -> any Server
) async throws -> [ShutdownSequence.Failure] {
  let signals = ShutdownSignal.received()  // first, so that no signal is missed
  let shutdown = ShutdownSequence()
  do {
    let database = try await openDatabase()
    shutdown.add("database") { try await database.close() }
    let server = try await startServer(database)
    shutdown.add("server") { await server.stop() }
    for await _ in signals { break }
  } catch {
    await shutdown.run()  // closes what was opened before the failure
    throw error
  }
  return await shutdown.run()  // the server, then the database
}
// end
