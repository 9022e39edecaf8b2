import Causeway
import CausewayFoundation
import Foundation

/// The sheet with the fields of a meeting, a new one or one of the list.
///
/// The form changes a copy. After `save`, the feature that shows the form takes the copy, unless
/// there is a problem. If the form is closed without `save` or `cancel`, that feature keeps the
/// copy as a draft.
struct MeetingForm: Interactor {
  struct State: EditableState, Equatable {
    var meeting: Meeting
    var problem: String?
    /// Whether the form was saved or cancelled, and not only closed.
    var isDone = false

    static let editableFields = [
      EditableField<State>("title", \.meeting.title),
      EditableField("minutes", \.meeting.minutes),
      EditableField("colour", \.meeting.colour),
    ]
  }

  enum Action: Codable, Equatable, Sendable {
    case edit(FieldEdit<State>)
    case attendee(Attendee.ID, FieldEdit<Attendee>)
    case addAttendee
    case removeAttendee(Attendee.ID)
    case save
    case cancel

    var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
    var attendee: (Attendee.ID, FieldEdit<Attendee>)? {
      if case .attendee(let id, let edit) = self { (id, edit) } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    InteractWithValues<State, Action> { state, action, values in
      state.problem = nil
      switch action {
      case .edit:
        // A page can send any number.
        let minutes = max(state.meeting.minutes, Meeting.lengths.lowerBound)
        state.meeting.minutes = min(minutes, Meeting.lengths.upperBound)
      case .addAttendee:
        state.meeting.attendees.append(Attendee(id: values[.uuid]()))
      case .removeAttendee(let id):
        state.meeting.attendees.remove(id: id)
      case .save:
        var attendees = state.meeting.attendees
        attendees.removeAll { $0.name.allSatisfy(\.isWhitespace) }
        if state.meeting.title.allSatisfy(\.isWhitespace) {
          state.problem = "A meeting needs a title."
        } else if attendees.isEmpty {
          state.problem = "A meeting needs an attendee."
        } else {
          state.meeting.attendees = attendees
          state.isDone = true
        }
      case .cancel:
        state.isDone = true
      case .attendee:
        break
      }
      return .state
    }
    .editing(action: \.edit)
    .forEach(\.meeting.attendees, action: \.attendee, embed: Action.attendee) { AttendeeField() }
  }
}

/// The name of an attendee, a row of the form.
struct AttendeeField: Interactor {
  var body: some Interactor<Attendee, FieldEdit<Attendee>> {
    Interact<Attendee, FieldEdit<Attendee>>().editing(action: \.self)
  }
}
