import CausewayDataTesting
import CausewaySQLite
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayData

private let one = Berth(id: 1, name: "one")
private let two = Berth(id: 2, name: "two")

/// Reads that overlap with the storing of another read's response.
@Suite(.timeLimit(.minutes(10)))
struct OverlappingReadsTests {
  /// A reader whose first read of the database returns after the gate is open.
  private func slowReader(
    _ harbour: Harbour, _ store: any PersistenceService, _ hasRead: Gate, _ gate: Gate
  ) -> DataReader {
    let isFirst = Mutex(true)
    return DataReader(
      network: harbour.network,
      persistence: HookedPersistence(
        service: store,
        afterRead: {
          let isDelayed = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
          guard isDelayed else { return }
          hasRead.open()
          await gate.wait()
        }))
  }

  @Test func `a slow read of the database uses the response that was stored in the meantime`()
    async throws
  {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one]))
    let (hasRead, gate) = (Gate(), Gate())
    let reader = slowReader(harbour, harbour.store, hasRead, gate)
    let slow = Task { await reader.read(harbour.berths) }
    await hasRead.wait()
    #expect(try await reader.read(harbour.berths).get() == [one])
    gate.open()
    #expect(try await slow.value.get() == [one])
    #expect(harbour.network.requests.count == 1)
  }

  @Test func `a read waits for a response that is being stored`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one]))
    let (hasRead, gate, stores) = (Gate(), Gate(), Gate())
    // In a file, rows can be read while other rows are being stored.
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: true)
    let store = try await SQLiteService(
      path: directory.path + "/berths.sqlite",
      migrations: [Migration("berths", "CREATE TABLE berth (id INTEGER PRIMARY KEY, name TEXT)")])
    let reader = slowReader(harbour, store, hasRead, gate)
    let holds = DispatchSemaphore(value: 0)
    let berths = harbour.berths
    let held = ReadOperation<[Berth], [Berth]>(Endpoint(.get, "/berths"), tags: ["berths"]) {
      try berths.load($0)
    } store: { found, transaction in
      stores.open()
      holds.wait()
      return try berths.store(found, transaction)
    }
    let slow = Task { await reader.read(held) }
    await hasRead.wait()
    let quick = Task { await reader.read(held) }
    await stores.wait()
    gate.open()
    await until { reader.waiting(for: held.key) == 2 }
    // Twice, in case there are two responses.
    for _ in 1...2 { holds.signal() }
    #expect(try await quick.value.get() == [one])
    #expect(try await slow.value.get() == [one])
    #expect(harbour.network.requests.count == 1)
    try await store.close()
  }

  @Test func `data that a late answer of a write replaces is read again`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one, two]), .json([one]))
    harbour.network.on(.post, "/berths", .json(one, status: 201))
    let (answered, gate) = (Gate(), Gate())
    let writer = DataWriter(
      network: harbour.network,
      persistence: HookedPersistence(
        service: harbour.store,
        beforeWrite: {
          answered.open()
          await gate.wait()
        }), freshness: harbour.reader.freshness)
    let write = Task {
      await writer.write(
        WriteOperation(.post, "/berths", body: one, invalidates: ["berths"]), returning: Berth.self
      ) { berth, transaction in
        try transaction.execute("DELETE FROM berth")
        try transaction.upsert(berth, into: "berth")
      }
    }
    // The answer of the write is there, but not stored. A read stores newer data meanwhile.
    await answered.wait()
    #expect(try await harbour.reader.read(harbour.berths).get() == [one, two])
    gate.open()
    _ = try await write.value.get()
    #expect(try await harbour.stored() == [one])
    _ = await harbour.reader.read(harbour.berths)
    #expect(harbour.network.requests.map(\.method) == [.post, .get, .get])
  }
}
