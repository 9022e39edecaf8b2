import Causeway
import SwiftUI

/// The fields of a meeting.
///
/// The feature has the typed texts, and no view keeps them.
struct MeetingFormView: View {
  let form: ViewModel<MeetingForm.State, MeetingForm.Action>

  var body: some View {
    Form {
      TextField("Title", text: form.binding(\.meeting.title, edit: MeetingForm.Action.edit))
      Stepper(
        "\(form.meeting.minutes) minutes",
        value: form.binding(\.meeting.minutes, edit: MeetingForm.Action.edit),
        in: Meeting.lengths)
      Picker("Colour", selection: form.binding(\.meeting.colour, edit: MeetingForm.Action.edit)) {
        ForEach(Meeting.Colour.allCases, id: \.self) { Text($0.rawValue) }
      }
      Section("Attendees") {
        ForEach(form.meeting.attendees.ids, id: \.self) { id in
          if let attendee = form.scope(
            state: \.meeting.attendees, id: id, action: MeetingForm.Action.attendee)
          {
            HStack {
              TextField("Name", text: attendee.binding(\.name, edit: { $0 }))
              Button("Remove", role: .destructive) { form.send(.removeAttendee(id)) }
            }
          }
        }
        Button("Add an attendee") { form.send(.addAttendee) }
      }
      if let problem = form.problem { Text(problem).foregroundStyle(.red) }
      Button("Save") { form.send(.save) }
      Button("Cancel", role: .cancel) { form.send(.cancel) }
    }
  }
}
