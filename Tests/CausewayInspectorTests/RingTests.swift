import Causeway
import CausewayInspector
import CausewayNetwork
import Foundation
import TestSupport
import Testing

@testable import CausewayInspector
import CausewayNetwork

@Suite struct `The ring of an inspector` {
  private func filled(_ directory: URL, count: Int) async throws -> Data {
    let file = directory.appending(path: "ring").path
    let inspector = try Inspector(ringFile: file)
    for number in 1...count {
      inspector.note(
        .network, "GET /rows/\(number)", details: String(repeating: "x", count: number % 97))
      if number % 1_000 == 0 { await inspector.settle() }
    }
    await inspector.settle()
    return try Data(contentsOf: URL(filePath: file))
  }

  @Test(arguments: [1, 100, 5_000]) func `keeps the newest events`(count: Int) async throws {
    try await withDirectory { directory in
      let data = try await filled(directory, count: count)
      #expect(data.count == 256 << 10)
      let recording = try Recording(ring: data)
      let numbers = recording.events.map(\.n)
      #expect(numbers.last == count && numbers == Array((numbers.first ?? 0)...count))
      #expect(numbers.count > min(count, 900) - 1)
      #expect(recording.header.recording == 1 && !recording.header.program.isEmpty)
    }
  }

  @Test func `can be read by its owner only, and keeps the file of the last program`() async throws
  {
    try await withDirectory { directory in
      _ = try await filled(directory, count: 3)
      _ = try await filled(directory, count: 4)
      let previous = try Data(contentsOf: directory.appending(path: "ring.previous"))
      #expect(try Recording(ring: previous).events.count == 3)
      let path = directory.appending(path: "ring").path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `leaves out torn records`() async throws {
    try await withDirectory { directory in
      var data = try await filled(directory, count: 200)
      let whole = try Recording(ring: data).events
      var random = SeededRandom(seed: 7)
      for _ in 0..<200 {
        let place = Int.random(in: EventRing.ringPlace..<40_000, using: &random)
        data[place] ^= UInt8.random(in: 1...255, using: &random)
        let events = try Recording(ring: data).events
        #expect(events.allSatisfy { whole.contains($0) })
      }
      #expect(try Recording(ring: data).events.count < whole.count)
    }
  }

  @Test func `is refused or read, whatever the file contains`() async throws {
    var random = SeededRandom(seed: 3)
    for size in [0, 15, 16, 17, 40, 1_024, 4_095, 4_096, 4_120, 9_001] {
      for _ in 0..<20 {
        var bytes =
          EventRing.magic + (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        // Marks with random sizes behind them.
        for place in stride(
          from: 16, to: bytes.count - 8, by: 8 * Int.random(in: 1...9, using: &random))
        {
          bytes.replaceSubrange(place..<place + 4, with: [0x45, 0x52, 0x57, 0x43])
        }
        #expect(throws: Never.self) { try Recording(ring: Data(bytes)) }
      }
    }
    #expect(throws: RecordingError.noRing) { try Recording(ring: Data("causeway".utf8)) }
  }

  @Test func `is copied when an error is reported, with the action before it`() async throws {
    struct Failing: Interactor {
      struct State: Sendable { var count = 0 }
      var body: some Interactor<State, Int> {
        Interact(initialValue: State()) { state, number in
          state.count = number
          return .perform(id: "storm") { _ in throw Search.Refused() }
        }
      }
    }
    try await withDirectory { directory in
      let inspector = try Inspector(ringFile: directory.appending(path: "ring").path)
      let model = await ViewModel(
        Failing(), observer: .inspected(by: inspector), onError: { _ in })
      await model.send(7).finish()
      await inspector.settle()
      let copy = directory.appending(path: "ring.error-1")
      let events = try Recording(ring: Data(contentsOf: copy)).events
      #expect(events.last?.kind == .error && events.last?.title == "storm threw an error")
      #expect(events.last?.value?.contains("Refused") == true)
      #expect(events.contains { $0.kind == .action && $0.value == "7" })
      let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `has no text of a server that an uncaught error contains`() async throws {
    struct Wrapped: Error {
      var underlying: NetworkError
      var details = ["note": "secret-note"]
    }
    struct Failing: Interactor {
      struct State: Sendable { var problem: NetworkError? }
      var body: some Interactor<State, NetworkError> {
        Interact(initialValue: State()) { state, error in
          state.problem = error
          return .perform(id: "storm") { _ in throw Wrapped(underlying: error) }
        }
      }
    }
    try await withDirectory { directory in
      let inspector = try Inspector(ringFile: directory.appending(path: "ring").path)
      let model = await ViewModel(
        Failing(), observer: .inspected(by: inspector), onError: { _ in })
      let error = NetworkError(
        .status, message: "wrong", url: "https://a.example/resets/x", status: 500,
        bodyExcerpt: "secret-body")
      await model.send(error).finish()
      await inspector.settle()
      let events = try Recording(
        ring: Data(contentsOf: directory.appending(path: "ring.error-1"))
      ).events
      let value = try #require(events.last { $0.kind == .error }?.value)
      #expect(value.contains("Wrapped(") && value.contains(".status") && value.contains("500"))
      #expect(!value.contains("wrong") && !value.contains("a.example"))
      #expect(!"\(events)".contains("secret-"))
    }
  }

  @Test func `has eight copies at most, of which the oldest is replaced`() async throws {
    try await withDirectory { directory in
      let path = directory.appending(path: "ring").path
      let copies = ErrorCopies(of: path)
      for second in 0..<9 {
        let name = try #require(copies.next(at: second * 1_000_000))
        #expect(copies.next(at: second * 1_000_000 + 999_999) == nil)
        ErrorCopies.write([UInt8(second)], to: name)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names.sorted() == (1...8).map { "ring.error-\($0)" })
      let first = try Data(contentsOf: directory.appending(path: "ring.error-1"))
      #expect(Array(first) == [8])
    }
  }

  @Test func `cannot be made in a folder that does not exist`() {
    #expect(throws: InspectorError.self) { try Inspector(ringFile: "/no such folder/ring") }
  }
}
