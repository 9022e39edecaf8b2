import Causeway
import CausewayTesting
import Foundation
import Testing

@testable import meetings

@MainActor struct MeetingDetailTests {
  private let meetings = SharedValue<Meetings>([.design])

  private func detail(
    _ archive: ArchiveDouble
  ) -> TestModel<MeetingDetail.State, MeetingDetail.Action> {
    TestModel(
      MeetingDetail(meetings: meetings).provided(archive),
      initialState: MeetingDetail.State(id: Meeting.design.id, meetings: [.design]))
  }

  @Test func `a meeting is deleted with its recordings after a question`() async {
    let model = detail(ArchiveDouble(removeAll: { #expect($0 == Meeting.design.id) }))
    await model.send(.delete) { $0.destination = .question(.deletion) }
    await model.send(.answer(.chosen(.delete))) { $0.destination = nil }
    await model.expect { $0.meetings = [] }
    await model.expectDismissal()
    await model.finish()
    #expect(meetings.value.isEmpty)
  }

  @Test func `a meeting stays if its recordings cannot be deleted`() async {
    let model = detail(ArchiveDouble(removeAll: { _ in throw Offline() }))
    await model.send(.delete) { $0.destination = .question(.deletion) }
    await model.send(.answer(.chosen(.delete))) { $0.destination = nil }
    await model.expect { $0.problem = "There is no connection." }
    await model.send(.delete) {
      $0.problem = nil
      $0.destination = .question(.deletion)
    }
    await model.send(.answer(.dismissed)) { $0.destination = nil }
    await model.finish()
    #expect(meetings.value == [.design])
  }

  /// A meeting with a recording of a date; it is midnight of 1970-01-01.
  private func recorded(
    at date: Date
  ) async -> TestModel<MeetingDetail.State, MeetingDetail.Action> {
    let rows = [RecordingRow(id: .number(21), date: date)]
    let model = detail(ArchiveDouble(page: { _, _, _ in RecordingPage(rows: rows) }))
    await model.send(.appear) { _ = $0.recordings.beginNextPage() }
    await model.expect { $0.recordings.append(rows, next: nil) }
    return model
  }

  @Test func `the first recording of a day begins at once`() async {
    let model = await recorded(at: Date(timeIntervalSince1970: -1))
    await model.send(.record)
    await model.receive(.begin)
    await model.finish()
  }

  @Test func `a second recording of a day begins after a question`() async {
    let model = await recorded(at: Date(timeIntervalSince1970: 86_399))
    await model.send(.record) { $0.destination = .question(.secondRecording) }
    await model.send(.answer(.dismissed)) { $0.destination = nil }
    await model.send(.record) { $0.destination = .question(.secondRecording) }
    await model.send(.answer(.chosen(.recordAgain))) { $0.destination = nil }
    await model.receive(.begin)
    await model.finish()
  }

  @Test func `a form that was open while another screen deletes the meeting adds nothing`() async {
    let model = detail(ArchiveDouble())
    await model.send(.edit) { $0.destination = .form(MeetingForm.State(meeting: .design)) }
    meetings.value = []
    await model.expect(from: "sharing") { $0.meetings = [] }
    await model.send(.form(.save)) { $0.destination = nil }
    await model.finish()
    #expect(meetings.value.isEmpty)
  }

  /// Seven recordings, three a page.
  private struct Shelf: RecordingArchive {
    let rows = (1...7).reversed().map {
      RecordingRow(id: .number($0), date: Date(timeIntervalSince1970: 0))
    }

    func page(
      of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
    ) async throws -> RecordingPage {
      await suspensionPoint()
      let begin = cursor == RecordingPage.newest ? 0 : Int(cursor)
      let page = rows[begin...].prefix(3)
      return RecordingPage(
        rows: Array(page), next: page.endIndex < rows.endIndex ? Int64(page.endIndex) : nil)
    }
    func recording(_ id: Recording.ID, of meeting: Meeting.ID) throws -> Recording { .first }
    func keep(_ recording: Recording, of meeting: Meeting.ID) {}
    func removeAll(of meeting: Meeting.ID) {}
  }

  @Test func `pages and refreshes leave no gap in any order`() async {
    let shelf = Shelf()
    await exploreInterleavings(
      of: MeetingDetail(meetings: SharedValue([.design])).provided(shelf),
      initialState: MeetingDetail.State(id: Meeting.design.id, meetings: [.design]),
      script: [.appear, .showMore, .refresh, .showMore, .showMore], trials: 100
    ) { state in
      let shown = Array(state.recordings.elements)
      #expect(!shown.isEmpty)
      #expect(shown == Array(shelf.rows.prefix(shown.count)))
    }
  }
}
