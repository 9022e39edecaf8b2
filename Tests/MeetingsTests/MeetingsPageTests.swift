import Causeway
import CausewayWeb
import CausewayWebTesting
import Foundation
import Testing

@testable import meetings

@Suite(.timeLimit(.minutes(5)))
@MainActor struct MeetingsPageTests {
  private func server(
    _ archive: ArchiveDouble = ArchiveDouble(page: { _, _, _ in RecordingPage(rows: []) })
  ) throws -> WebServer {
    let server = WebServer()
    try MeetingsPage(
      meetings: SharedValue([.design]), archive: archive,
      transcriber: ListeningTranscriber(library: SpeechDouble())
    ).host(on: server)
    return server
  }

  private let detail = ScreenID(MeetingScreen.ID.detail(Meeting.design.id))
  private let record = ScreenID(MeetingScreen.ID.record(Meeting.design.id))

  @Test func `a meeting that one tab adds is in the other tab`() async throws {
    let server = try server()
    let (first, second) = (try await PageTestClient(server), try await PageTestClient(server))
    try await first.send(PageAction.add)
    #expect(try await first.problems == [])
    let form = try await first.value("form.meeting", as: Meeting.self)
    let attendee = try #require(form.attendees.first)
    for action: MeetingForm.Action in [
      .edit(.set(\.meeting.title, to: "Lunch")),
      .attendee(attendee.id, .set(\.name, to: "Chiara")), .save,
    ] {
      try await first.send(PageAction.form(screen: nil, action: action))
    }
    let rows = try await second.value("rows", as: [PageState.Row].self) { $0.count == 2 }
    #expect(rows.map(\.title) == ["Design", "Lunch"])
  }

  @Test func `each screen of the page has its values`() async throws {
    let rows = [RecordingRow(id: Recording.first.id, date: Recording.first.date)]
    let server = try server(
      ArchiveDouble(
        page: { _, _, _ in RecordingPage(rows: rows) }, recording: { _, _ in .first },
        keep: { _, _ in }))
    let page = try await PageTestClient(server, path: "/meetings/\(Meeting.design.id)")
    _ = try await page.value("detail.recordings", as: [RecordingRow].self) { !$0.isEmpty }
    #expect(try await page.problems == [])

    try await page.send(PageAction.screen(id: detail, action: .detail(.edit)))
    #expect(try await page.value("form.meeting.title", as: String.self) == "Design")
    #expect(try await page.problems == [])
    try await page.send(PageAction.form(screen: detail, action: .cancel))

    try await page.send(PageAction.screen(id: detail, action: .detail(.open(Recording.first.id))))
    _ = try await page.value("past.recording.transcript", as: String.self) { $0 == "Good morning." }
    #expect(try await page.problems == [])
    try await page.send(PageAction.back)

    try await page.send(PageAction.screen(id: detail, action: .detail(.record)))
    try await page.send(PageAction.screen(id: record, action: .record(.end)))
    #expect(try await page.value("record.question.title", as: String.self) == "End the meeting?")
    #expect(try await page.problems == [])
    // The answer arrives when the archive has the recording.
    #expect(
      try await page.send(
        PageAction.screen(id: record, action: .record(.answer(.chosen(.save))))) == .finished)
    #expect(try await page.value("address", as: String.self) == "/meetings/\(Meeting.design.id)")
  }
}
