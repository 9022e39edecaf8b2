import Causeway
import CausewayTesting
import Foundation
import Testing

@testable import meetings

@MainActor struct MeetingFormTests {
  private func form(_ meeting: Meeting) -> TestModel<MeetingForm.State, MeetingForm.Action> {
    TestModel(
      MeetingForm().provided(ArchiveDouble()), initialState: MeetingForm.State(meeting: meeting))
  }

  @Test func `fields and attendees are edited`() async {
    let model = form(.design)
    await model.send(.edit(.set(\.meeting.title, to: "Colours"))) { $0.meeting.title = "Colours" }
    await model.send(.attendee(.number(12), .set(\.name, to: "Ben"))) {
      $0.meeting.attendees[id: .number(12)]?.name = "Ben"
    }
    await model.send(.addAttendee) { $0.meeting.attendees.append(Attendee(id: .number(101))) }
    await model.send(.removeAttendee(.number(11))) {
      $0.meeting.attendees.remove(id: .number(11))
    }
    await model.finish()
  }

  @Test(arguments: [(Int.min, 5), (4, 5), (30, 30), (Int.max, 60)])
  func `a length stays within its limits`(_ sent: Int, _ kept: Int) async {
    var meeting = Meeting.design
    meeting.minutes = 20
    let model = form(meeting)
    await model.send(.edit(.set(\.meeting.minutes, to: sent))) { $0.meeting.minutes = kept }
    await model.finish()
  }

  @Test func `a meeting needs a title and an attendee`() async {
    let model = form(Meeting(id: .number(1), title: " ", attendees: [Attendee(id: .number(2))]))
    await model.send(.save) { $0.problem = "A meeting needs a title." }
    await model.send(.edit(.set(\.meeting.title, to: "Design"))) {
      $0.meeting.title = "Design"
      $0.problem = nil
    }
    await model.send(.save) { $0.problem = "A meeting needs an attendee." }
    await model.send(.addAttendee) {
      $0.meeting.attendees.append(Attendee(id: .number(101)))
      $0.problem = nil
    }
    await model.send(.attendee(.number(101), .set(\.name, to: "Ada"))) {
      $0.meeting.attendees[id: .number(101)]?.name = "Ada"
    }
    // Rows without a name are not kept.
    await model.send(.save) {
      $0.meeting.attendees.remove(id: .number(2))
      $0.isDone = true
    }
    await model.finish()
  }
}
