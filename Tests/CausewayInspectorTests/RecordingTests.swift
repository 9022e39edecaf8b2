import Foundation
import TestSupport
import Testing

@testable import CausewayInspector

@Suite struct `A recording` {
  private func recording() async throws -> Recording {
    let inspector = try Inspector()
    inspector.note(.queries, "SELECT", details: "3 rows")
    inspector.note(.network, "GET /\u{1B}[2J")
    return await inspector.recording()
  }

  @Test func `is read as it was written`() async throws {
    let recording = try await recording()
    #expect(try Recording(jsonLines: recording.jsonLines()) == recording)
  }

  @Test func `has the lines that an encoder with sorted keys writes`() throws {
    let text = String((0..<0x300).compactMap { Unicode.Scalar($0) }.map(Character.init)) + "🛟"
    var event = RecordedEvent(n: 7, at: -3, kind: .update, lane: .effects, title: text)
    #expect(try EventLine(event).bytes == Array(Recording.line(event)))
    (event.model, event.value, event.effect) = ("m", text, "e #1")
    (event.step, event.origin, event.took) = (5, 4, .max)
    event.changes = [
      .init(path: "a", before: nil, after: text), .init(path: "", before: "\\", after: nil),
      .init(path: "…", before: nil, after: nil), .init(path: "b", before: "1", after: "2"),
    ]
    #expect(try EventLine(event).bytes == Array(Recording.line(event)))
    event.changes = []
    #expect(try EventLine(event).bytes == Array(Recording.line(event)))
  }

  @Test func `may have an incomplete last line`() async throws {
    let recording = try await recording()
    let read = try Recording(jsonLines: recording.jsonLines().dropLast(9))
    #expect(read.isTorn && read.events == Array(recording.events.dropLast()))
  }

  private static let header = #"{"causeway-recording":1,"program":"p","began":0}"#
  private static let event = #"{"n":1,"at":0,"kind":"note","lane":"network","title":"t"}"#

  private static let refusals: [(LongText, RecordingError)] = [
    ("", RecordingError.empty),
    ("\n\n", .empty),
    ("hello\n", .noHeader),
    ("[]\n", .noHeader),
    ("{\"causeway-recording\":\"1\"}\n", .noHeader),
    ("{\"causeway-recording\":7}\n", .otherVersion(7)),
    (
      "{\"causeway-recording\":1,\"began\":0}\n",
      .badLine(number: 1, reason: "it has no member \"program\"")
    ),
    (
      "\(header)\n\(String(repeating: "\n", count: 1 << 20))",
      .badLine(number: 2, reason: "it is no JSON object")
    ),
    ("\(header)\n{}\n", .badLine(number: 2, reason: "it has no member \"n\"")),
    ("\(header)\n\(event)\nnot json\n", .badLine(number: 3, reason: "it is no JSON object")),
    (
      "\(header)\n\(event.replacing("\"t\"", with: "5"))\n",
      .badLine(number: 2, reason: "its member \"title\" has another type")
    ),
    (
      "\(header)\n\(String(repeating: "[", count: 100_000))\n",
      .badLine(number: 2, reason: "it is no JSON object")
    ),
    (
      "\(header)\n\(String(repeating: "x", count: 2 << 20))\n",
      .badLine(number: 2, reason: "it is longer than 1048576 bytes")
    ),
  ]

  @Test(arguments: [("note", "smell"), ("network", "sewer")])
  func `leaves out the events of a later version, and counts them`(old: String, new: String) throws
  {
    let later = Self.event.replacing(old, with: new)
    let read = try Recording(jsonLines: Data("\(Self.header)\n\(later)\n\(Self.event)\n".utf8))
    #expect(read.events.count == 1 && read.unknownLines == 1)
    #expect(read.text.contains("left out: 1."))
  }

  @Test(arguments: refusals)
  func `is refused with a sentence`(file: LongText, error: RecordingError) {
    #expect(throws: error) { try Recording(jsonLines: Data(file.text.utf8)) }
    #expect(error.description.hasSuffix("."))
  }

  @Test func `is refused or read, whatever the file contains`() async throws {
    let whole = try await recording().jsonLines()
    var random = SeededRandom(seed: 11)
    for _ in 0..<500 {
      var data = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do {
        _ = try Recording(jsonLines: data).text
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `is printed without control characters`() async throws {
    let text = try await recording().text
    #expect(text.contains("SELECT, 3 rows") && !text.contains("\u{1B}"))
  }
}

@Suite struct `The command causeway-recording` {
  private func run(_ arguments: String...) -> (code: Int32, output: String, errors: String) {
    var (output, errors) = ("", "")
    let code = RecordingCommand.run(
      arguments, say: { output += String(decoding: $0, as: UTF8.self) },
      complain: { errors += $0 })
    return (code, output, errors)
  }

  @Test func `dumps a ring and shows the dump`() async throws {
    try await withDirectory { directory in
      let ring = directory.appending(path: "ring").path
      let inspector = try Inspector(ringFile: ring)
      inspector.note(.outbox, "sent")
      await inspector.settle()
      let dump = run("dump", ring)
      #expect(dump.code == 0)
      let file = directory.appending(path: "recording")
      try Data(dump.output.utf8).write(to: file)
      #expect(run("show", file.path).output.contains("outbox: sent"))
      #expect(run("show", ring).output == run("show", file.path).output)
    }
  }

  @Test func `explains wrong arguments and files`() {
    #expect(run().code == 64 && run("dump").code == 64 && run("draw", "x").code == 64)
    #expect(run("--help").output.contains("dump RING"))
    let missing = run("dump", "/no/such/file")
    #expect(missing.code == 1 && missing.errors.contains("/no/such/file"))
    let other = run("dump", #filePath)
    #expect(other.code == 1 && other.errors.contains("is no ring"))
    #expect(run("show", #filePath).errors.contains("is not the header"))
  }
}
