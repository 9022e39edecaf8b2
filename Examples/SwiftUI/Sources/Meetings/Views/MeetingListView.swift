import Causeway
import SwiftUI

/// The list, the stack above it and the sheet for a new meeting.
struct MeetingListView: View {
  let model: ListModel

  var body: some View {
    NavigationStack(path: model.binding(path: \.path, action: MeetingList.Action.path)) {
      List(model.meetings.all) { meeting in
        // A `NavigationLink` with a value cannot push a screen: the feature must make the screen's
        // state.
        Button(action: { model.send(.open(meeting.id)) }) {
          VStack(alignment: .leading) {
            Text(meeting.title).font(.headline)
            Text("\(meeting.attendees.count) attending, \(meeting.minutes) min").font(.caption)
          }
        }
      }
      .navigationTitle("Meetings")
      .toolbar { Button("New meeting") { model.send(.add) } }
      .navigationDestination(for: ScreenPath<MeetingScreen>.ID.self) { id in
        if let screen = model.screen(\.path, id: id, action: MeetingList.Action.path) {
          MeetingScreenView(screen: screen)
        }
      }
    }
    .sheet(model, \.form, action: MeetingList.Action.form, dismissal: .closeForm) {
      MeetingFormView(form: $0)
    }
  }
}

struct MeetingScreenView: View {
  let screen: ViewModel<MeetingScreen, MeetingScreenAction>

  var body: some View {
    if let detail = screen.scope(state: \.detail, action: MeetingScreenAction.detail) {
      MeetingDetailView(model: detail)
    } else if let record = screen.scope(state: \.record, action: MeetingScreenAction.record) {
      RecordMeetingView(model: record)
    } else if let past = screen.scope(state: \.past, action: MeetingScreenAction.past) {
      PastMeetingView(model: past)
    }
  }
}
