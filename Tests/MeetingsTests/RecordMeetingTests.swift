import Causeway
import CausewayTesting
import Foundation
import Synchronization
import Testing

@testable import meetings

@MainActor struct RecordMeetingTests {
  private let meetings = SharedValue<Meetings>([.design])
  private let speech = SpeechDouble()

  private func record(
    _ archive: ArchiveDouble = ArchiveDouble(), from seconds: Int = 0, speech: SpeechDouble? = nil
  ) -> TestModel<RecordMeeting.State, RecordMeeting.Action> {
    TestModel(
      RecordMeeting(meetings: meetings)
        .provided(archive, transcriber: ListeningTranscriber(library: speech ?? self.speech)),
      initialState: RecordMeeting.State(
        id: Meeting.design.id, meetings: [.design], seconds: seconds))
  }

  @Test func `each attendee has the same time, and a question stops it`() async {
    let model = record(from: 149)
    await model.send(.appear)
    await model.receive(.permission(true))
    #expect(model.state.turn == 0)
    await model.clock.advance(by: .seconds(1))
    await model.receive(.tick) { $0.seconds = 150 }
    #expect(model.state.turn == 1)

    await model.send(.end) { $0.question = .end }
    await model.clock.advance(by: .seconds(1))
    await model.receive(.tick)
    await model.send(.answer(.dismissed)) { $0.question = nil }
    await model.clock.advance(by: .seconds(1))
    await model.receive(.tick) { $0.seconds = 151 }
    await model.cancelEffects()
    await model.finish()
  }

  @Test func `the next attendee begins with the whole time, after the last one the meeting ends`()
    async
  {
    let model = record(from: 20)
    await model.send(.next) { $0.seconds = 150 }
    await model.send(.next) { $0.question = .end }
    await model.send(.answer(.chosen(.discard))) { $0.question = nil }
    await model.expectDismissal()
    await model.finish()
  }

  @Test func `the transcript is kept when the time is over`() async {
    let kept = Mutex<[Recording]>([])
    let model = record(
      ArchiveDouble(keep: { recording, _ in kept.withLock { $0.append(recording) } }), from: 299)
    await model.send(.appear)
    await model.receive(.permission(true))
    speech.say(.success("Good morning."))
    await model.expect(from: "transcript") { $0.transcript = "Good morning." }
    await model.clock.advance(by: .seconds(1))
    await model.receive(.tick) {
      $0.seconds = 300
      $0.recording = .number(101)
      $0.isSaving = true
    }
    await model.receive(.saved)
    await model.expectDismissal()
    await model.cancelEffects()
    await model.finish()
    #expect(
      kept.withLock { $0 } == [
        Recording(
          id: .number(101), date: Date(timeIntervalSince1970: 0), transcript: "Good morning.")
      ])
  }

  @Test func `a second attempt keeps the same recording`() async {
    let attempts = Mutex<[Recording.ID]>([])
    let model = record(
      ArchiveDouble(keep: { recording, _ in
        let count = attempts.withLock { attempts in
          attempts.append(recording.id)
          return attempts.count
        }
        if count == 1 { throw Offline() }
      }))
    await model.send(.end) { $0.question = .end }
    await model.send(.answer(.chosen(.save))) {
      $0.question = nil
      $0.recording = .number(101)
      $0.isSaving = true
    }
    await model.expect {
      $0.isSaving = false
      $0.question = .notSaved(Offline())
    }
    await model.send(.answer(.chosen(.save))) {
      $0.question = nil
      $0.isSaving = true
    }
    await model.receive(.saved)
    await model.expectDismissal()
    await model.finish()
    #expect(attempts.withLock { $0 } == [.number(101), .number(101)])
  }

  @Test func `the listener is removed with the screen`() async {
    let model = record()
    await model.send(.appear)
    await model.receive(.permission(true))
    #expect(speech.listenerCount == 1)
    await model.cancelEffects()
    #expect(speech.listenerCount == 0)
    await model.finish()
  }

  @Test func `the listener is removed when the library fails`() async {
    let model = record()
    await model.send(.appear)
    await model.receive(.permission(true))
    speech.say(.failure(Offline()))
    await model.expect(from: "transcript") { $0.question = .transcriptEnded }
    #expect(speech.listenerCount == 0)
    await model.cancelEffects()
    await model.finish()
  }

  @Test func `a refusal does not replace an open question`() async {
    let model = record()
    await model.send(.end) { $0.question = .end }
    await model.send(.permission(false))
    await model.send(.answer(.dismissed)) { $0.question = nil }
    await model.finish()
  }

  @Test func `a library that never answers does not count as a refusal by the person`() async {
    let model = record(speech: SpeechDouble(permission: nil))
    await model.send(.appear)
    await model.expect(from: "permission") { $0.question = .notHeard }
    await model.cancelEffects()
    await model.finish()
  }

  @Test func `a meeting goes on without a transcript if the app may not listen`() async {
    let speech = SpeechDouble(permission: false)
    let model = record(speech: speech)
    await model.send(.appear)
    await model.receive(.permission(false)) { $0.question = .noTranscript }
    await model.send(.answer(.dismissed)) { $0.question = nil }
    await model.clock.advance(by: .seconds(1))
    await model.receive(.tick) { $0.seconds = 1 }
    #expect(speech.listenerCount == 0)
    await model.cancelEffects()
    await model.finish()
  }

  /// Keeps recordings, and takes its time.
  private actor SlowArchive: RecordingArchive {
    var kept: [Recording.ID: Int] = [:]

    func page(
      of meeting: Meeting.ID, before cursor: RecordingPage.Cursor, isNew: Bool
    ) -> RecordingPage { RecordingPage(rows: []) }
    func recording(_ id: Recording.ID, of meeting: Meeting.ID) throws -> Recording { .first }
    func removeAll(of meeting: Meeting.ID) {}

    func keep(_ recording: Recording, of meeting: Meeting.ID) async {
      await suspensionPoint()
      kept[recording.id, default: 0] += 1
    }
  }

  @Test func `a meeting that a person ends in its last second is kept once`() async {
    let record = ScreenID(MeetingScreen.ID.record(Meeting.design.id))
    func action(_ action: RecordMeeting.Action) -> MeetingList.Action {
      .path(.screen(record, .record(action)))
    }
    var begin = MeetingList.State(meetings: [.design])
    begin.path = [
      .detail(MeetingDetail.State(id: Meeting.design.id, meetings: [.design])),
      .record(RecordMeeting.State(id: Meeting.design.id, meetings: [.design], seconds: 299)),
    ]
    await exploreInterleavings(
      in: { SlowArchive() },
      of: { MeetingList(meetings: SharedValue([.design])).provided($0) }, initialState: begin,
      script: [
        action(.appear), action(.end), action(.answer(.chosen(.save))),
        action(.answer(.chosen(.save))),
      ], trials: 40, options: .timePasses(upTo: .seconds(2))
    ) { state, archive in
      #expect(await Array(archive.kept.values) == [1])
      #expect(state.path.ids == [ScreenID(.detail(Meeting.design.id))])
    }
  }
}
