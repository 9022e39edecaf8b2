import Causeway
import CausewayData
import CausewayInspector
import Foundation
import TestSupport
import Testing

@testable import CausewayInspector

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
      for _ in 0..<scaled(200) {
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
      #expect(events.last?.kind == .error && events.last?.title == "storm #1 threw an error")
      #expect(events.last?.effect == "storm #1")
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

  @Test func `ends with the action that was being handled when it was written`() async throws {
    try await withDirectory { directory in
      let inspector = try Inspector(ringFile: directory.appending(path: "ring").path)
      inspector.queue.begin { n, at in
        RecordedEvent(
          n: n, at: at, kind: .handling, lane: .actions, model: "Lamp", title: "turn",
          value: ".turn")
      }
      inspector.note(.network, "GET /")
      inspector.queue.add { n, at in
        RecordedEvent(n: n, at: at, kind: .error, lane: .effects, title: "storm threw an error")
      }
      await inspector.settle()
      let copy = try Data(contentsOf: directory.appending(path: "ring.error-1"))
      let recording = try Recording(ring: copy)
      #expect(recording.events.map(\.kind) == [.note, .error, .handling])
      #expect(recording.events.map(\.n) == [1, 2, 3])
      #expect(recording.text.contains("was handling .turn when the file was written"))
    }
  }

  @Test func `of a later version is refused, and its unknown events are counted`() async throws {
    func ring(version: Int, kind: String) throws -> Data {
      var data = Data(count: EventRing.size)
      data.replaceSubrange(0..<EventRing.magic.count, with: EventRing.magic)
      data.withUnsafeMutableBytes { bytes in
        func write(_ text: String, at place: Int) {
          RingBuffer.write(Array(text.utf8), number: 1, to: bytes, at: place)
        }
        write(#"{"causeway-recording":\#(version),"program":"p","began":0}"#, at: 16)
        write(
          #"{"n":1,"at":0,"kind":"\#(kind)","lane":"network","title":"t"}"#,
          at: EventRing.ringPlace)
      }
      return data
    }
    #expect(try Recording(ring: ring(version: 1, kind: "note")).events.count == 1)
    let later = try Recording(ring: ring(version: 1, kind: "smell"))
    #expect(later.events.isEmpty && later.unknownLines == 1 && later.header.program == "p")
    #expect(throws: RecordingError.otherVersion(2)) {
      try Recording(ring: ring(version: 2, kind: "note"))
    }
  }

  @Test func `has eight copies at most, and keeps the first of a run`() async throws {
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
      for (number, second) in [(1, UInt8(0)), (2, 8), (8, 7)] {
        let copy = try Data(contentsOf: directory.appending(path: "ring.error-\(number)"))
        #expect(Array(copy) == [second])
      }
    }
  }

  @Test func `cannot be made in a folder that does not exist`() {
    #expect(throws: InspectorError.self) { try Inspector(ringFile: "/no such folder/ring") }
  }
}
