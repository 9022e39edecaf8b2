import CausewayData
import Foundation
import Testing

/// The sentences of errors for people.
@Suite("Sentences of errors for people")
struct PeopleTextTests {
  private struct Foreign: LocalizedError {
    var errorDescription: String? { "The printer has no paper." }
  }

  private nonisolated static let network: [NetworkError] = [
    .invalidRequest, .notConnected, .cannotConnect, .connectionLost, .timedOut, .insecure,
    .redirect,
    .status, .tooLarge, .contentType, .malformed, .encoding, .decoding, .notSignedIn,
    .tokenUnavailable, .eventStream, .file, .closed, .other,
  ].map { error($0) }

  private nonisolated static let statuses = [
    400, 401, 403, 404, 409, 410, 412, 413, 418, 429, 500, 503,
  ]
  .map { error(.status, status: $0) }

  private nonisolated static let persistence: [PersistenceError] =
    [
      .busy, .full, .corrupt, .fileReplaced, .notADatabase, .readOnly, .cannotOpen,
      .inputOutput, .interrupted, .timedOut, .statement, .decoding,
      .encoding,
      .migration, .aborted, .unavailable, .outcomeUnknown, .closed, .other,
      .constraint(.unique), .constraint(.foreignKey), .constraint(.notNull), .constraint(.check),
      .constraint(.other),
    ].map {
      PersistenceError(
        $0, code: 5, extendedCode: 261, message: "SQLITE_BUSY at /var/lib",
        sql: "SELECT * FROM item")
    }

  private nonisolated static let others: [any LocalizedError] = [
    SessionError.ended("ana"), SessionError.signedOut, SessionError.superseded("ana"),
    SessionError.notWiped("ana", []), SessionError.notErased("ana", []),
    AuthSessionError.signedOut, AuthSessionError.ended, AuthSessionError.refused("HTTP 401"),
    AuthSessionError.refreshFailed("HTTP 503"),
    AuthSessionError.store(.system(path: "/var/lib/token", reason: "EACCES")),
    TokenStoreError.notPrivate(path: "/var/lib/token", fix: "chmod 600 /var/lib/token"),
    TokenStoreError.damaged(path: "/var/lib/token", movedTo: nil),
    DataError.notStored, DataError.overtaken, DataError.cancelled, DataError.other(Foreign()),
    DataError.network(error(.timedOut)), DataError.session(.signedOut),
    DataError.persistence(PersistenceError(.full, message: "SQLITE_FULL")),
    DataError.authentication(.ended),
    ResourceError.coolingDown(remaining: .seconds(3), lastFailure: error(.timedOut)),
    ResourceError.removed, ResourceError.sessionEnded, ResourceError.notModifiedWithoutValidator,
    OutboxError.full(1_000), OutboxError.alreadySent(IdempotencyKey()),
    OutboxError.requiresDeadLetter(IdempotencyKey(), IdempotencyKey()),
    OutboxError.notFound(IdempotencyKey()),
    DiskStoreError.full(path: "/var/lib"), DiskStoreError.inUse(directory: "/var/lib", process: 1),
    DiskStoreError.damaged(file: "/var/lib/a", .checksum),
    DiskStoreError.foreign(file: "/var/lib/a"),
    DiskStoreError.tooLarge(bytes: 9, limit: 8),
    DiskStoreError.inputOutput(operation: "open", path: "/var/lib/a", code: 13),
    StoreFailure.load(Foreign(), nextTry: .seconds(1)),
    StoreFailure.notLoaded(nil, after: .seconds(1)),
    StoreFailure.save(Foreign(), unsaved: 2, nextTry: .seconds(1)), StoreFailure.closed,
    StoreFailure.sessionEnded, StoreFailure.lost(Foreign(), unsaved: 2),
    CallbackError.dropped, CallbackError.calledWithoutResult, CallbackError.calledAgain,
    CallbackError.timedOut(after: .seconds(1)),
  ]

  private nonisolated static let remote = RemoteFailure.Kind.allCases.map {
    RemoteFailure($0, "HTTP 500 at /api/items")
  }

  private nonisolated static func error(
    _ kind: NetworkError.Kind, status: Int? = nil, body: String? = nil
  ) -> NetworkError {
    NetworkError(
      kind, message: "the server answered HTTP 500", method: .post, url: "https://club.example/api",
      status: status, bodyExcerpt: body, attempts: 2)
  }

  @Test func `every error has a sentence without anything for developers`() throws {
    let errors: [any LocalizedError] =
      Self.network + Self.statuses + Self.persistence + Self.remote + Self.others
    for error in errors {
      let text = try #require(error.errorDescription, "\(error)")
      #expect(text.hasSuffix(".") && text.count < 100, "\(text)")
      for word in ["/", "HTTP", "SQL", "SELECT", "_", "{", "(", "nil", "ana", "Error"] {
        #expect(!text.contains(word), "\(text) contains \(word)")
      }
      #expect((error as any Error).localizedDescription == text)
    }
  }

  @Test func `the sentence that the server wrote is shown`() {
    let body = #"{"code":"full","detail":"The boat has no free seat.","status":409}"#
    #expect(
      Self.error(.status, status: 409, body: body).errorDescription == "The boat has no free seat.")
  }

  @Test(arguments: [
    nil, "", "<html>Bad gateway</html>", #"{"error":"x"}"#, #"{"detail":""}"#, #"{"detail":7}"#,
  ])
  func `a body without a sentence is not shown`(body: String?) {
    #expect(
      Self.error(.status, status: 502, body: body).errorDescription
        == "The server has a problem. Try again later.")
  }
}
