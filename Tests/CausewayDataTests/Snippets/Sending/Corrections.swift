import CausewayData

// snippet
/// Corrections of tide tables, which a harbour master sends with a connection.
struct Corrections: Sendable {
  let writer: DataWriter

  /// Returns what the server has stored.
  func correct(_ tide: Tide) async throws -> Tide {
    let operation = WriteOperation(
      .put, "/harbours/\(tide.harbour)/tides", body: tide, invalidates: ["tides"])
    return try await writer.write(operation, returning: Tide.self) { stored, transaction in
      try transaction.upsert(stored, into: "tide", key: ["harbour", "hour"])
    }.get()
  }
}
// end
