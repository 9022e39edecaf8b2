import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewaySync

/// The cost of an edit does not grow with the number of pending edits of its record.
@Suite(.timeLimit(.minutes(10)))
struct ManyEditsTests {
  /// Counts how often stored mutations are decoded.
  private static let decoded = Mutex(0)

  private struct Counted: Mutation {
    typealias Record = Note

    var id: String

    init(id: String) { self.id = id }

    init(from decoder: any Decoder) throws {
      id = try decoder.singleValueContainer().decode(String.self)
      decoded.withLock { $0 += 1 }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(id)
    }

    var recordID: String { id }

    func apply(to note: inout Note?) {
      note = Note(id: id, stars: (note?.stars ?? 0) + 1)
    }
  }

  private struct Silent: RemoteSource {
    typealias Mutation = Counted

    func snapshot(_ request: SyncRequest) throws -> RemoteSnapshot<Note> {
      throw RemoteFailure(.unreachable)
    }
    func changes(since version: SyncVersion, _ request: SyncRequest) throws -> RemoteChanges<Note> {
      throw RemoteFailure(.unreachable)
    }
    func apply(_ mutation: Counted, _ request: MutationRequest) throws -> MutationReceipt {
      throw RemoteFailure(.unreachable)
    }
  }

  @Test func `an edit decodes no earlier edit of its record`() async throws {
    let desk = try await Desk()
    let engine = SyncEngine(source: Silent(), table: notes, outbox: desk.outbox, pollInterval: nil)
    for _ in 0..<200 { try await engine.perform(Counted(id: "n")) }
    #expect(try await engine.rows(.cacheOnly).map(\.stars) == [200])
    #expect(Self.decoded.withLock(\.self) == 0)
  }

  private struct CountedStar: Mutation {
    typealias Record = Note

    static let decoded = Mutex(0)
    var id: String

    init(id: String) { self.id = id }

    init(from decoder: any Decoder) throws {
      id = try decoder.singleValueContainer().decode(String.self)
      Self.decoded.withLock { $0 += 1 }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(id)
    }

    var recordID: String { id }

    func apply(to note: inout Note?) { note?.stars += 1 }
  }

  private struct SilentStars: RemoteSource {
    typealias Mutation = CountedStar

    func snapshot(_ request: SyncRequest) throws -> RemoteSnapshot<Note> {
      throw RemoteFailure(.unreachable)
    }
    func changes(since version: SyncVersion, _ request: SyncRequest) throws -> RemoteChanges<Note> {
      throw RemoteFailure(.unreachable)
    }
    func apply(_ mutation: CountedStar, _ request: MutationRequest) throws -> MutationReceipt {
      throw RemoteFailure(.unreachable)
    }
  }

  @Test func `an edit of a missing record decodes no earlier edit of the record`() async throws {
    let desk = try await Desk()
    let engine = SyncEngine(
      source: SilentStars(), table: notes, outbox: desk.outbox, pollInterval: nil)
    for _ in 0..<200 { try await engine.perform(CountedStar(id: "n")) }
    #expect(try await engine.rows(.cacheOnly).isEmpty)
    #expect(CountedStar.decoded.withLock(\.self) == 0)
  }

  @Test(arguments: 0..<30)
  func `the shown rows are the server's rows with the pending edits in order`(
    seed: Int
  ) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let desk = try await Desk()
    let engine = desk.engine()
    var keys: [IdempotencyKey] = []
    for step in 0..<40 {
      let id = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<9, using: &random) {
      case 0: await desk.server.put(Note(id: id, title: "server \(step)", stars: step))
      case 1: await desk.server.delete(id)
      case 2: try await engine.refresh()
      case 3:
        if let key = keys.randomElement(using: &random) {
          keys.removeAll { $0 == key }
          try await desk.outbox.undo(key)
        }
      case 4: keys.append(try await engine.perform(.remove(id: id)))
      case 5: keys.append(try await engine.perform(.rename(id: id, title: "title \(step)")))
      case 6: keys.append(try await engine.perform(.write(Note(id: id, title: "new \(step)"))))
      default: keys.append(try await engine.perform(.star(id: id)))
      }
      #expect(try await engine.rows(.cacheOnly).map(\.record) == expected(desk))
    }
  }

  private func expected(_ desk: Desk) async throws -> [Note] {
    let (base, entries) = try await desk.persistence.read { transaction in
      (
        try transaction.rows("SELECT * FROM note_base", as: Note.self),
        try transaction.rows("SELECT payload FROM sync_outbox ORDER BY sequence", as: Data.self)
      )
    }
    var notes: [String: Note] = [:]
    for note in base { notes[note.id] = note }
    for entry in entries {
      let mutation = try JSONDecoder().decode(NoteMutation.self, from: entry)
      mutation.apply(to: &notes[mutation.recordID])
    }
    return notes.values.sorted { $0.id < $1.id }
  }
}
