import CausewayData
import CausewayDataTesting
import Testing

@Suite("Fakes of readers and writers") struct ScriptedDataTests {
  private struct Berth: Codable, Equatable, Sendable {
    var name: String
  }

  /// A repository that a feature's test creates with fakes.
  private struct Berths: Sendable {
    let reader: any DataReaderProtocol
    let writer: any DataWriterProtocol

    func all() async throws -> [Berth] {
      let operation = ReadOperation<[Berth], [Berth]>(Endpoint(.get, "/berths"), tags: ["berths"]) {
        try $0.rows("SELECT * FROM berth", as: Berth.self)
      } store: { berths, _ in
        berths
      }
      return try await reader.read(operation).get()
    }

    func add(_ berth: Berth) async throws -> Berth {
      try await writer.write(
        WriteOperation(.post, "/berths", body: berth, invalidates: ["berths"]),
        returning: Berth.self
      ) { _, _ in }.get()
    }

    func remove(_ name: String) async throws {
      try await writer.write(
        WriteOperation(.delete, "/berths/\(name)", invalidates: ["berths"])
      ).get()
    }
  }

  private let reader = ScriptedDataReader()
  private let writer = ScriptedDataWriter()
  private var berths: Berths { Berths(reader: reader, writer: writer) }

  @Test func `a repository reads scripted values in order`() async throws {
    reader.on(.get, "/berths", .success([Berth(name: "a")]), .failure(.notStored))
    #expect(try await berths.all() == [Berth(name: "a")])
    await #expect(throws: DataError.self) { try await berths.all() }
    await #expect(throws: DataError.self) { try await berths.all() }
    #expect(reader.reads.map(\.policy) == [.cacheFirst, .cacheFirst, .cacheFirst])
  }

  @Test func `an operation that is missing in the script fails with its name`() async {
    let error = await #expect(throws: DataError.self) { try await berths.all() }
    #expect(error?.description.contains("GET /berths") == true)
    reader.on(.get, "/berths", .success(7))
    await #expect(throws: DataError.self) { try await berths.all() }
    await #expect(throws: DataError.self) { try await berths.add(Berth(name: "b")) }
  }

  @Test func `writes are recorded, and an ignored response needs no script`() async throws {
    writer.on(.post, "/berths", .success(Berth(name: "stored")))
    #expect(try await berths.add(Berth(name: "b")) == Berth(name: "stored"))
    try await berths.remove("b")
    #expect(writer.writes.map(\.method) == [.post, .delete])
    #expect(writer.writes[0].body as? Berth == Berth(name: "b"))
    #expect(writer.writes[1].invalidates == ["berths"])
  }
}
