import Causeway
import CausewayFoundation
import CausewayTesting
import Foundation
import Testing

@testable import meetings

@MainActor struct MeetingListTests {
  private let meetings = SharedValue<Meetings>([.design])

  private func list(
    _ archive: ArchiveDouble = ArchiveDouble(page: { _, _, _ in RecordingPage(rows: []) })
  ) -> TestModel<MeetingList.State, MeetingList.Action> {
    TestModel(MeetingList(meetings: meetings).provided(archive))
  }

  /// Opens the meeting and waits for its recordings.
  private func open(_ model: TestModel<MeetingList.State, MeetingList.Action>) async {
    model.exhaustivity = .off
    await model.send(.open(Meeting.design.id))
    await model.settle()
    await model.skipSteps()
    model.exhaustivity = .on
  }

  /// A new meeting with one attendee, and the colour that the tests' random numbers choose first.
  private static let new = {
    var numbers = RandomNumbers(seed: 0)
    return Meeting(
      id: .number(102), colour: Meeting.Colour.allCases.randomElement(using: &numbers) ?? .teal,
      attendees: [Attendee(id: .number(101))])
  }()

  @Test func `a new meeting is in the list and outside of the features`() async {
    let model = list()
    await model.send(.add) {
      $0.form = MeetingForm.State(meeting: Self.new)
    }
    await model.send(.form(.edit(.set(\.meeting.title, to: "Lunch")))) {
      $0.form?.meeting.title = "Lunch"
    }
    await model.send(.form(.attendee(.number(101), .set(\.name, to: "Chiara")))) {
      $0.form?.meeting.attendees[id: .number(101)]?.name = "Chiara"
    }
    await model.send(.form(.save)) {
      var lunch = Self.new
      lunch.title = "Lunch"
      lunch.attendees[id: .number(101)]?.name = "Chiara"
      $0.meetings.append(lunch)
      $0.form = nil
    }
    await model.finish()
    #expect(meetings.value.map(\.title) == ["Design", "Lunch"])
  }

  @Test func `a form with a problem stays open, and a cancelled one adds nothing`() async {
    let model = list()
    model.exhaustivity = .off
    await model.send(.add)
    await model.send(.form(.save))
    #expect(model.state.form?.problem == "A meeting needs a title.")
    await model.send(.form(.cancel))
    #expect(model.state.form == nil)
    #expect(model.state.meetings == [.design])
    await model.finish()
  }

  @Test(arguments: [MeetingList.Action.closeForm, .visit("/"), .form(.cancel)])
  func `a form that is closed without an answer leaves a draft`(_ end: MeetingList.Action) async {
    let model = list()
    await model.send(.add) { $0.form = MeetingForm.State(meeting: Self.new) }
    await model.send(.form(.edit(.set(\.meeting.minutes, to: 45)))) {
      $0.form?.meeting.minutes = 45
    }
    var draft: Meeting? = Self.new
    draft?.minutes = 45
    if end == .form(.cancel) { draft = nil }
    await model.send(end) { [draft] in
      $0.form = nil
      $0.draft = draft
    }
    model.exhaustivity = .off
    await model.send(.add)
    #expect(model.state.form?.meeting.minutes == draft?.minutes ?? 10)
    await model.finish()
  }

  @Test func `an opened meeting loads its recordings`() async {
    let rows = [RecordingRow(id: .number(21), date: Date(timeIntervalSince1970: 0))]
    let model = list(ArchiveDouble(page: { _, _, _ in RecordingPage(rows: rows) }))
    let detail = ScreenID(MeetingScreen.ID.detail(Meeting.design.id))
    await model.send(.open(Meeting.design.id)) {
      $0.path.push(.detail(MeetingDetail.State(id: Meeting.design.id, meetings: [.design])))
    }
    await model.receive(.path(.screen(detail, .detail(.appear)))) {
      $0.change(detail) { _ = $0.recordings.beginNextPage() }
    }
    await model.expect { $0.change(detail) { $0.recordings.append(rows, next: nil) } }
    await model.finish()
  }

  @Test func `an edited meeting is the same on both screens in one step`() async {
    let model = list()
    await open(model)
    let detail = ScreenID(MeetingScreen.ID.detail(Meeting.design.id))
    await model.send(.path(.screen(detail, .detail(.edit)))) {
      $0.change(detail) { $0.destination = .form(MeetingForm.State(meeting: .design)) }
    }
    let edit = FieldEdit<MeetingForm.State>.set(\.meeting.title, to: "Colours")
    var form = MeetingForm.State(meeting: .design)
    form.meeting.title = "Colours"
    await model.send(.path(.screen(detail, .detail(.form(.edit(edit)))))) { [form] in
      $0.change(detail) { $0.destination = .form(form) }
    }
    await model.send(.path(.screen(detail, .detail(.form(.save))))) {
      $0.meetings[id: Meeting.design.id]?.title = "Colours"
      $0.change(detail) {
        $0.meetings[id: Meeting.design.id]?.title = "Colours"
        $0.destination = nil
      }
    }
    await model.finish()
  }

  @Test func `a recorded meeting is in the list of its meeting`() async {
    let rows = [RecordingRow(id: .number(101), date: Date(timeIntervalSince1970: 0))]
    let model = list(
      ArchiveDouble(
        page: { _, _, isNew in RecordingPage(rows: isNew ? rows : []) }, keep: { _, _ in }))
    await open(model)
    model.exhaustivity = .off
    let detail = ScreenID(MeetingScreen.ID.detail(Meeting.design.id))
    let record = ScreenID(MeetingScreen.ID.record(Meeting.design.id))
    await model.send(.path(.screen(detail, .detail(.record))))
    // The second press of the button.
    await model.send(.path(.screen(detail, .detail(.record))))
    #expect(model.state.path.ids == [detail, record])
    await model.send(.path(.screen(record, .record(.end))))
    await model.send(.path(.screen(record, .record(.answer(.chosen(.save))))))
    await model.settle()
    #expect(model.state.path.ids == [detail])
    #expect(model.state.path.last?.detail?.recordings.elements.ids == [.number(101)])
    await model.finish()
  }

  @Test func `an address opens its meeting, and does not end one that takes place`() async {
    let model = list()
    model.exhaustivity = .off
    let address = "/meetings/\(Meeting.design.id)"
    await model.send(.visit(address))
    #expect(model.state.address == address)
    await model.send(.visit("/meetings/\(UUID.number(99))"))
    #expect(model.state.path.isEmpty)

    await model.send(.visit(address))
    let detail = ScreenID(MeetingScreen.ID.detail(Meeting.design.id))
    await model.send(.path(.screen(detail, .detail(.record))))
    await model.send(.visit("/"))
    #expect(model.state.path.count == 2)
    #expect(model.state.path.last?.record?.question == .end)
    await model.cancelEffects()
    await model.finish()
  }
}

extension MeetingList.State {
  /// Changes the state of a detail.
  mutating func change(
    _ screen: ScreenID<MeetingScreen.ID>, _ body: (inout MeetingDetail.State) -> Void
  ) {
    guard var detail = path[id: screen]?.detail else { return }
    body(&detail)
    path[id: screen] = .detail(detail)
  }
}
